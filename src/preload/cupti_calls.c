/* SPDX-License-Identifier: Apache-2.0 */
/* cupti_calls.c - the program's calls of CUPTI, as torch.profiler makes them, reach the
 * recorder of GPU work first, which makes room (gpu/program_cupti.h).
 *
 *     program --> cuptiActivityEnable (here) --> the recorder --> the real one
 *
 * Without a recorder they are passed on, and one that comes later stays out of the way.
 * Like cuda_profiler.c, this does not see calls
 * that the program finds with dlsym().
 */
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

#define EXPORTED __attribute__((visibility("default")))

/* "Not initialized": what CUPTI returns without a driver. */
enum { NO_CUPTI = 15 };

typedef void request_buffer(unsigned char **, size_t *, size_t *);
typedef unsigned long long clock_reading(void);
typedef void complete_buffer(void *, unsigned, unsigned char *, size_t, size_t);

union function {
    void *symbol;
    int (*with_kind)(int);
    int (*without)(void);
    int (*with_callbacks)(request_buffer *, complete_buffer *);
    int (*with_clock)(clock_reading *);
    int (*over_kind)(int (*real)(int), int);
    int (*over_nothing)(int (*real)(void));
    int (*over_clock)(int (*real)(clock_reading *), clock_reading *);
    int (*over_callbacks)(int (*real)(request_buffer *, complete_buffer *),
                          request_buffer *, complete_buffer *);
};

/* The function of the CUPTI that the program has loaded. Libraries that are loaded
 * locally, such as Python's, are not searched by RTLD_NEXT. */
static union function find_real(const char *name)
{
    static const char *const libraries[] = {"libcupti.so.13", "libcupti.so.12",
                                            "libcupti.so.11.8"};
    union function found;

    found.symbol = dlsym(RTLD_NEXT, name);
    for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]) && !found.symbol;
         i++) {
        void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);

        if (library) {
            found.symbol = dlsym(library, name);
            (void)dlclose(library);
        }
    }
    return found;
}

/* The function of the recorder, if the driver has loaded it. */
static union function find_recorder(const char *name)
{
    const char *path = getenv("CUDA_INJECTION64_PATH");
    void *library = path && *path ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    union function found = {NULL};

    if (library) {
        found.symbol = dlsym(library, name);
        (void)dlclose(library);
    }
    return found;
}

static int is_in_use;

/* Asked by the recorder when it starts: whether the program came first. */
EXPORTED int rln_cuda_cupti_is_in_use(void);
EXPORTED int rln_cuda_cupti_is_in_use(void)
{
    return __atomic_load_n(&is_in_use, __ATOMIC_RELAXED);
}

EXPORTED int cuptiActivityRegisterCallbacks(request_buffer *, complete_buffer *);
EXPORTED int cuptiActivityRegisterCallbacks(request_buffer *request,
                                            complete_buffer *complete)
{
    const union function real = find_real("cuptiActivityRegisterCallbacks");
    const union function recorder = find_recorder("rln_gpu_register");

    if (!real.symbol)
        return NO_CUPTI;
    if (!recorder.symbol)
        __atomic_store_n(&is_in_use, 1, __ATOMIC_RELAXED);
    return recorder.symbol
               ? recorder.over_callbacks(real.with_callbacks, request, complete)
               : real.with_callbacks(request, complete);
}

EXPORTED int cuptiActivityRegisterTimestampCallback(clock_reading *);
EXPORTED int cuptiActivityRegisterTimestampCallback(clock_reading *now)
{
    const union function real = find_real("cuptiActivityRegisterTimestampCallback");
    const union function recorder = find_recorder("rln_gpu_set_clock");

    if (!real.symbol)
        return NO_CUPTI;
    return recorder.symbol ? recorder.over_clock(real.with_clock, now)
                           : real.with_clock(now);
}

static int call_with_kind(const char *name, const char *recorders, int kind)
{
    const union function real = find_real(name);
    const union function recorder = find_recorder(recorders);

    if (!real.symbol)
        return NO_CUPTI;
    return recorder.symbol ? recorder.over_kind(real.with_kind, kind)
                           : real.with_kind(kind);
}

EXPORTED int cuptiActivityEnable(int kind);
EXPORTED int cuptiActivityEnable(int kind)
{
    return call_with_kind("cuptiActivityEnable", "rln_gpu_enable", kind);
}

EXPORTED int cuptiActivityDisable(int kind);
EXPORTED int cuptiActivityDisable(int kind)
{
    return call_with_kind("cuptiActivityDisable", "rln_gpu_disable", kind);
}

EXPORTED int cuptiFinalize(void);
EXPORTED int cuptiFinalize(void)
{
    const union function real = find_real("cuptiFinalize");
    const union function recorder = find_recorder("rln_gpu_finalize");

    if (!real.symbol)
        return NO_CUPTI;
    return recorder.symbol ? recorder.over_nothing(real.without) : real.without();
}
