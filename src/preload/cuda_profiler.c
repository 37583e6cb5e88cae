/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_profiler.c - cudaProfilerStart and cudaProfilerStop begin and end a capture
 * range.
 *
 *     program --> cudaProfilerStart (here) --> the collector opens a window
 *                                          --> the real one, if there is one
 *
 * `rangeline profile -c cudaProfilerApi` preloads this library. It has no code of
 * CUDA's and needs none: the calls take no arguments and return 0 for success. It
 * replaces them wherever the dynamic linker binds them. It does not see the calls of
 * programs that link the CUDA run-time statically or find the functions with dlsym().
 */
#include <dlfcn.h>
#include <stddef.h>

#include "rangeline/control.h"

#define EXPORTED __attribute__((visibility("default")))

/* The collector's numbers for these two (collect/capture/run_control.c). */
enum { PROFILER_START = 3, PROFILER_STOP = 4 };

/* Calls the function that the program would have called; success if there is none. */
static int call_real(const char *name)
{
    union {
        void *symbol;
        int (*call)(void);
    } real;

    real.symbol = dlsym(RTLD_NEXT, name);
    return real.symbol ? real.call() : 0;
}

static int start(const char *name)
{
    (void)rln_control_(PROFILER_START);
    return call_real(name);
}

/* Closes the window first, so that it does not contain the time of the real function.
 */
static int stop(const char *name)
{
    (void)rln_control_(PROFILER_STOP);
    return call_real(name);
}

EXPORTED int cudaProfilerStart(void);
EXPORTED int cudaProfilerStart(void)
{
    return start("cudaProfilerStart");
}

EXPORTED int cudaProfilerStop(void);
EXPORTED int cudaProfilerStop(void)
{
    return stop("cudaProfilerStop");
}

/* The CUDA driver's functions, which those of the run-time call. */
EXPORTED int cuProfilerStart(void);
EXPORTED int cuProfilerStart(void)
{
    return start("cuProfilerStart");
}

EXPORTED int cuProfilerStop(void);
EXPORTED int cuProfilerStop(void)
{
    return stop("cuProfilerStop");
}
