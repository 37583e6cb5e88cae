/* SPDX-License-Identifier: Apache-2.0 */
/* fake_nvml.c - NVML of GPUs that do not exist, as libnvidia-ml.so.1.
 *
 * By its variables:
 *   FAKE_NVML_GPUS=2          how many there are; 1
 *   FAKE_NVML_WATTS=FILE      what GPU 0 draws is in the file; the others draw 10 W more
 *                             each; 100 W
 *   FAKE_NVML_FAIL=F:15,G:3   what these functions return, by their names; after n calls
 *                             that do not fail, F:15:n
 *   FAKE_NVML_SWAPPED=1       the first two have each other's number, by CUDA's numbers
 *   FAKE_NVML_HANG=F          the function never returns
 *
 * Energy is exact as long as the file changes once between two readings. FAKE_OLD leaves out what
 * older drivers lack.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum { N_GPUS = 8, NOT_FOUND = 6, NOT_SUPPORTED = 3 };

static struct gpu {
    unsigned index;
    double joules, watts, read_s;
} gpus[N_GPUS];

static double now_s(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_REALTIME, &t); /* as files have */
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* What the function shall return: in a list of NAME:RESULT[:CALLS]. */
static int result_of(const char *name)
{
    static struct {
        const char *name;
        int n;
    } calls[32];
    const char *at = getenv("FAKE_NVML_FAIL");
    const char *hangs = getenv("FAKE_NVML_HANG");
    const size_t length = strlen(name);
    int result = 0, n_sound = 0, i = 0;

    while (calls[i].name && strcmp(calls[i].name, name) != 0)
        i++;
    calls[i].name = name;
    calls[i].n++;
    if (hangs && strcmp(hangs, name) == 0)
        for (;;)
            (void)pause();
    for (; at && *at; at += strcspn(at, ","), at += *at == ',') {
        if (strncmp(at, name, length) != 0 || at[length] != ':')
            continue;
        (void)sscanf(at + length, ":%d:%d", &result, &n_sound);
        return calls[i].n > n_sound ? result : 0;
    }
    return 0;
}

static double watts_of(const struct gpu *gpu)
{
    const char *path = getenv("FAKE_NVML_WATTS");
    FILE *file = path ? fopen(path, "re") : NULL;
    double watts = 100;

    if (file && fscanf(file, "%lf", &watts) != 1)
        watts = 100;
    if (file)
        (void)fclose(file);
    return watts + 10 * gpu->index;
}

/* --- Of all drivers --------------------------------------------------------------- */

EXPORT int nvmlInit_v2(void)
{
    return result_of("nvmlInit_v2");
}

EXPORT const char *nvmlErrorString(int result)
{
    return result == 9    ? "Driver Not Loaded"
           : result == 15 ? "GPU is lost"
                          : "Unknown Error";
}

EXPORT int nvmlDeviceGetCount_v2(unsigned *n)
{
    const char *text = getenv("FAKE_NVML_GPUS");

    *n = text ? (unsigned)atoi(text) : 1;
    return result_of("nvmlDeviceGetCount_v2");
}

EXPORT int nvmlDeviceGetHandleByIndex_v2(unsigned index, struct gpu **out)
{
    unsigned n;

    (void)nvmlDeviceGetCount_v2(&n);
    if (index >= n || index >= N_GPUS)
        return NOT_FOUND;
    gpus[index].index = index;
    *out = &gpus[index];
    return result_of("nvmlDeviceGetHandleByIndex_v2");
}

EXPORT int nvmlDeviceGetUUID(const struct gpu *gpu, char *text, unsigned n)
{
    static const char *const uuids[] = {"GPU-00010203-0405-0607-0809-0a0b0c0d0e0f",
                                        "GPU-10111213-1415-1617-1819-1a1b1c1d1e1f"};
    const unsigned device = gpu->index ^ (getenv("FAKE_NVML_SWAPPED") != NULL);

    if (device < 2)
        (void)snprintf(text, n, "%s", uuids[device]);
    else
        (void)snprintf(text, n, "GPU-%08x-0405-0607-0809-0a0b0c0d0e0f", device);
    return result_of("nvmlDeviceGetUUID");
}

EXPORT int nvmlDeviceGetName(const struct gpu *gpu, char *text, unsigned n)
{
    (void)gpu;
    (void)snprintf(text, n, "Fake GPU");
    return result_of("nvmlDeviceGetName");
}

/* When the file was last written. */
static double changed_s(void)
{
    const char *path = getenv("FAKE_NVML_WATTS");
    struct stat st;

    if (!path || stat(path, &st))
        return 0;
    return (double)st.st_mtim.tv_sec + (double)st.st_mtim.tv_nsec / 1e9;
}

EXPORT int nvmlDeviceGetTotalEnergyConsumption(struct gpu *gpu, unsigned long long *mj)
{
    const double now = now_s(), changed = changed_s();

    if (gpu->read_s > 0 && changed > gpu->read_s && changed < now) {
        gpu->joules += (changed - gpu->read_s) * gpu->watts;
        gpu->read_s = changed;
        gpu->watts = watts_of(gpu);
    }
    if (gpu->read_s > 0)
        gpu->joules += (now - gpu->read_s) * gpu->watts;
    gpu->read_s = now;
    gpu->watts = watts_of(gpu);
    *mj = 1000000 + (unsigned long long)(gpu->joules * 1e3);
    return result_of("nvmlDeviceGetTotalEnergyConsumption");
}

EXPORT int nvmlDeviceGetPowerUsage(const struct gpu *gpu, unsigned *mw)
{
    *mw = (unsigned)(watts_of(gpu) * 1e3);
    return result_of("nvmlDeviceGetPowerUsage");
}

EXPORT int nvmlDeviceGetUtilizationRates(const struct gpu *gpu, unsigned out[2])
{
    out[0] = 80 + gpu->index;
    out[1] = 40;
    return result_of("nvmlDeviceGetUtilizationRates");
}

EXPORT int nvmlDeviceGetMemoryInfo(const struct gpu *gpu, unsigned long long out[3])
{
    out[0] = 80ull << 30;
    out[1] = 79ull << 30;
    out[2] = (1ull << 30) + gpu->index;
    return result_of("nvmlDeviceGetMemoryInfo");
}

EXPORT int nvmlDeviceGetClockInfo(const struct gpu *gpu, int type, unsigned *mhz)
{
    (void)gpu;
    *mhz = type == 1 ? 1980 : 3201;
    return result_of("nvmlDeviceGetClockInfo");
}

EXPORT int nvmlDeviceGetTemperature(const struct gpu *gpu, int sensor,
                                    unsigned *celsius)
{
    (void)sensor;
    *celsius = 40 + gpu->index;
    return result_of("nvmlDeviceGetTemperature");
}

EXPORT int nvmlDeviceGetCurrentClocksThrottleReasons(const struct gpu *gpu,
                                                     unsigned long long *reasons)
{
    *reasons = gpu->index ? 0x20 : 0x04; /* by heat; by its power limit */
    return result_of("nvmlDeviceGetCurrentClocksThrottleReasons");
}

/* --- Of newer ones ---------------------------------------------------------------- */

#ifndef FAKE_OLD

struct memory_2 {
    unsigned version;
    unsigned long long total, reserved, unused, used;
};

struct field {
    unsigned field, scope;
    long long timestamp_us, latency_us;
    int type, result;
    unsigned long long value;
};

EXPORT int nvmlDeviceGetMemoryInfo_v2(const struct gpu *gpu, struct memory_2 *out)
{
    if (out->version != (2u << 24 | 40))
        return 25; /* not the struct's */
    out->used = (1ull << 29) + gpu->index;
    return result_of("nvmlDeviceGetMemoryInfo_v2");
}

EXPORT int nvmlDeviceGetCurrentClocksEventReasons(const struct gpu *gpu,
                                                  unsigned long long *reasons)
{
    *reasons = gpu->index ? 0x40 : 0;
    return result_of("nvmlDeviceGetCurrentClocksEventReasons");
}

EXPORT int nvmlDeviceGetFieldValues(const struct gpu *gpu, int n, struct field *fields)
{
    for (int i = 0; i < n; i++) {
        fields[i].result = fields[i].field == 186 ? 0 : NOT_SUPPORTED;
        fields[i].type = 1;
        fields[i].value = (unsigned)(watts_of(gpu) * 1e3);
    }
    return result_of("nvmlDeviceGetFieldValues");
}

#endif
