/* SPDX-License-Identifier: Apache-2.0 */
/* sampler.c - `rangeline-gpu-metrics [HZ [GPUS]]`: samples GPUs until standard input ends.
 *
 *   rangeline profile --- standard input, which ends with the run --> rangeline-gpu-metrics
 *                     <-- standard output: why GPUs are not sampled, a line each ---
 *                         NVTX's counters --> the collector --> the trace
 *
 * GPUS: all, or numbers or UUIDs of NVML, "0,2". For any tool of NVTX, which
 * NVTX_INJECTION64_PATH names, as for ours.
 */
#include "metrics/gpu_counters.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/monotonic.h"

enum { USUAL_HZ = 10, MOST_HZ = 1000, MOST_GPUS = 64 };

struct sampler {
    struct rln__nvml nvml;
    nvtxDomainHandle_t domain;
    struct rln__gpu_counters gpus[MOST_GPUS];
    size_t n;
};

static void complain(const char *what, const char *why)
{
    (void)printf("%s%s%s\n", what, *what ? ": " : "", why);
    (void)fflush(stdout);
}

static int is_sampled(const struct sampler *s, uint32_t number)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->gpus[i].number == number)
            return 1;
    return 0;
}

static void begin_gpu(struct sampler *s, uint32_t number)
{
    const char *why =
        s->n == MOST_GPUS
            ? "there are too many GPUs"
            : rln__gpu_counters_begin(&s->gpus[s->n], &s->nvml, s->domain, number);
    char what[32];

    if (!why) {
        s->n++;
        return;
    }
    (void)snprintf(what, sizeof(what), "GPU %u", number);
    complain(what, why);
}

static void begin_all(struct sampler *s)
{
    unsigned n = 0;
    const int result = s->nvml.count(&n);

    if (result)
        complain("", s->nvml.error_text(result));
    else if (!n)
        complain("", "the driver has no GPU for this process");
    for (unsigned i = 0; i < n; i++)
        begin_gpu(s, i);
}

/* The number of the GPU whose UUID begins with the `length` bytes of `text`, as CUDA
 * takes it; UINT32_MAX: there is none. */
static uint32_t number_of_uuid(const struct sampler *s, const char *text, size_t length)
{
    unsigned n = 0;

    if (!s->nvml.uuid || s->nvml.count(&n))
        return UINT32_MAX;
    for (unsigned i = 0; i < n; i++) {
        rln__nvml_device device;
        char uuid[96];

        if (!s->nvml.device(i, &device) && !s->nvml.uuid(device, uuid, sizeof(uuid)) &&
            strncmp(uuid, text, length) == 0)
            return i;
    }
    return UINT32_MAX;
}

/* "0,2", "GPU-8932f937,GPU-...". The launcher has checked that it is such a list. */
static void begin_some(struct sampler *s, const char *list)
{
    while (*list) {
        const size_t length = strcspn(list, ",");
        const uint32_t number = *list == 'G' ? number_of_uuid(s, list, length)
                                             : (uint32_t)strtoul(list, NULL, 10);
        char what[64];

        (void)snprintf(what, sizeof(what), "%.*s", (int)length, list);
        if (number == UINT32_MAX)
            complain(what, "there is no GPU of that UUID");
        else if (!is_sampled(s, number))
            begin_gpu(s, number);
        list += length + (list[length] == ',');
    }
}

/* Waits for N ms, or the end of the run. False: it has ended. */
static int waits(int ms)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    char bytes[64];
    const int n = poll(&in, 1, ms);

    return n == 0 || (n < 0 && errno == EINTR) ||
           (n > 0 && read(STDIN_FILENO, bytes, sizeof(bytes)) > 0);
}

static void sample_all(struct sampler *s)
{
    for (size_t i = 0; i < s->n; i++)
        rln__gpu_counters_sample(&s->gpus[i]);
}

/* One that took longer than its time is followed by the next at once, not by those that
 * were missed. */
static void sample_until_end(struct sampler *s, int64_t each_ns)
{
    int64_t next_ns = rln__monotonic_ns();
    int64_t left_ns;

    do {
        sample_all(s);
        next_ns += each_ns;
        left_ns = next_ns - rln__monotonic_ns();
        if (left_ns < 0) {
            next_ns -= left_ns;
            left_ns = 0;
        }
    } while (waits((int)((left_ns + 999999) / 1000000)));
    sample_all(s); /* up to the end */
}

int main(int argc, char **argv)
{
    static struct sampler s;
    const int hz = argc > 1 ? atoi(argv[1]) : USUAL_HZ;
    const char *gpus = argc > 2 ? argv[2] : "all";
    const char *why = rln__nvml_load(&s.nvml);

    if (why) {
        complain("", why);
        return 1;
    }
    s.domain = nvtxDomainCreateA(RLN__GPU_METRICS_DOMAIN);
    if (strcmp(gpus, "all") == 0)
        begin_all(&s);
    else
        begin_some(&s, gpus);
    if (!s.n)
        return 1;
    sample_until_end(&s, 1000000000 / (hz > 0 && hz <= MOST_HZ ? hz : USUAL_HZ));
    return 0; /* NVML is not shut down: it may wait for a driver that hangs */
}
