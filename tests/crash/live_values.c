/* SPDX-License-Identifier: Apache-2.0 */
/* live_values.c - reads a trace while threads record as fast as they can, and expects
 * each event to have its own value.
 *
 * live_values COLLECTOR FOLDER SECONDS
 *
 * An event's first word and its value are two words; a reader that copies them while
 * they are stored must not get one without the other. A reader that did so failed once
 * in thousands of tries, on a heavily overloaded machine: run it for seconds, with
 * other load. Each child is replaced while its trace is short, to allow many readings.
 */
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "rangeline/rangeline.h"
#include "ranges/events.h"
#include "trace/open/load.h"

enum { THREADS = 4, MAX_BYTES = 16 << 20 };

#define VALUE(thread, serial) (((uint64_t)(thread) + 1) << 40 | (serial))

static void *record(void *number)
{
    nvtxEventAttributes_t event = {0};

    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_ASCII;
    event.message.ascii = "value";
    event.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
    for (uint64_t serial = 0;; serial++) {
        event.payload.ullValue = VALUE((uintptr_t)number, serial);
        nvtxMarkEx(&event);
    }
    return NULL;
}

static _Noreturn void be_recorded(const char *collector, const char *trace)
{
    pthread_t thread;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)setenv("NVTX_INJECTION64_PATH", collector, 1);
    (void)setenv("RANGELINE_OUTPUT", trace, 1);
    for (uintptr_t i = 1; i < THREADS; i++)
        (void)pthread_create(&thread, NULL, record, (void *)i);
    (void)record(NULL);
    abort();
}

/* The number of events that have their threads' values, in order; -1 if one has a
 * different value. */
static long look(const char *trace)
{
    uint64_t next[THREADS] = {0};
    rln_reader *reader;
    rln_events *events;
    const rln_event *e;
    long n = 0;

    if (rln_reader_open(&trace, 1, &reader, NULL))
        return 0; /* it is just being created */
    if (rln__events_open_all(reader, &events, NULL))
        exit(1);
    while (n >= 0 && rln_events_next(events, &e, NULL) == RLN_OK) {
        const uint64_t thread = (e->payload_bits >> 40) - 1;

        if (e->type != RLN_EVENT_MARK)
            continue;
        if (thread < THREADS && e->payload_bits == VALUE(thread, next[thread])) {
            next[thread]++;
            n++;
            continue;
        }
        fprintf(stderr, "event %ld, at %lld ns: %#llx is not the next value, %#llx\n",
                n, (long long)e->t_ns, (unsigned long long)e->payload_bits,
                (unsigned long long)VALUE(thread, thread < THREADS ? next[thread] : 0));
        n = -1;
    }
    rln_events_close(events);
    rln_reader_close(reader);
    return n;
}

static int is_short(const char *trace)
{
    struct stat st;

    return stat(trace, &st) != 0 || st.st_blocks * 512 < MAX_BYTES;
}

int main(int argc, char **argv)
{
    const time_t end = time(NULL) + (argc == 4 ? atol(argv[3]) : 0);
    unsigned long n_looks = 0, n_events = 0;
    char trace[4096];

    if (argc != 4)
        return 2;
    (void)snprintf(trace, sizeof(trace), "%s/live.rln", argv[2]);
    do {
        long n = 0;
        pid_t child;

        (void)unlink(trace);
        child = fork();
        if (child == 0)
            be_recorded(argv[1], trace);
        while (n >= 0 && is_short(trace) && time(NULL) < end) {
            n = look(trace);
            n_looks += n > 0;
            n_events += n > 0 ? (unsigned long)n : 0;
        }
        (void)kill(child, SIGKILL);
        (void)waitpid(child, NULL, 0);
        if (n < 0)
            return 1; /* keeps the trace for analysis */
    } while (time(NULL) < end);
    printf("%lu looks, %lu events\n", n_looks, n_events);
    return n_events ? 0 : 1;
}
