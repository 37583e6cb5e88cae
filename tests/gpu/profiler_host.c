/* SPDX-License-Identifier: Apache-2.0 */
/* profiler_host.c - a profiler within the program, linked with CUPTI, that records
 * kernels as torch.profiler does: it registers callbacks, enables one kind, and takes
 * all records of its own buffers. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define EXPORTED __attribute__((visibility("default")))

enum { KERNEL = 10, SIZE = 4096 };

int cuptiActivityRegisterCallbacks(void *request, void *complete);
int cuptiActivityRegisterTimestampCallback(uint64_t (*now)(void));
int cuptiActivityEnable(int kind);
int cuptiActivityDisable(int kind);
int cuptiActivityFlushAll(uint32_t is_forced);
int cuptiFinalize(void);
int cuptiActivityGetNextRecord(uint8_t *buffer, size_t n, void **record);

static size_t n_kernels, n_others, n_foreign;
static uint8_t *given[64];
static size_t n_given;

static void request(uint8_t **buffer, size_t *size, size_t *most)
{
    *most = 0;
    *size = SIZE;
    *buffer = given[n_given++ % 64] = aligned_alloc(8, SIZE);
}

static void complete(void *context, uint32_t stream, uint8_t *buffer, size_t size,
                     size_t n)
{
    void *record = NULL;
    int is_given = 0;

    (void)context;
    (void)stream;
    (void)size;
    for (size_t i = 0; i < 64; i++)
        is_given |= given[i] == buffer;
    n_foreign += !is_given;
    while (n && !cuptiActivityGetNextRecord(buffer, n, &record)) {
        const int is_kernel = *(const uint32_t *)record == KERNEL;

        n_kernels += (size_t)is_kernel;
        n_others += (size_t)!is_kernel;
    }
    if (is_given)
        free(buffer);
}

EXPORTED void profiler_start(void);
EXPORTED void profiler_start(void)
{
    (void)cuptiActivityRegisterCallbacks((void *)(uintptr_t)request,
                                         (void *)(uintptr_t)complete);
    (void)cuptiActivityEnable(KERNEL);
}

EXPORTED void profiler_stop(void);
EXPORTED void profiler_stop(void)
{
    (void)cuptiActivityFlushAll(0);
    (void)cuptiActivityDisable(KERNEL);
    (void)cuptiActivityFlushAll(1);
    (void)printf("%zu kernels, %zu others, %zu foreign buffers\n", n_kernels, n_others,
                 n_foreign);
    n_kernels = n_others = n_foreign = 0;
}

/* Counts from the system's start, half as fast as its clocks. */
static uint64_t slow_clock(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return ((uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec) / 2;
}

EXPORTED void profiler_clock(void);
EXPORTED void profiler_clock(void)
{
    (void)cuptiActivityRegisterTimestampCallback(slow_clock);
}

/* A function that is found by name is not one that a preloaded library replaces. */
EXPORTED void profiler_hidden_clock(void);
EXPORTED void profiler_hidden_clock(void)
{
    void *library = dlopen("libcupti.so.12", RTLD_LAZY | RTLD_NOLOAD);
    union {
        void *symbol;
        int (*set)(uint64_t (*)(void));
    } found = {library ? dlsym(library, "cuptiActivityRegisterTimestampCallback")
                       : NULL};

    if (found.symbol)
        (void)found.set(slow_clock);
}

EXPORTED void profiler_finalize(void);
EXPORTED void profiler_finalize(void)
{
    (void)cuptiFinalize();
}
