/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_profiler.c - cudaProfilerStart and cudaProfilerStop begin and end a capture
 * range.
 *
 *     program --> cudaProfilerStart (here) --> the collector opens a window
 *                                          --> the real one, where there is one
 *
 * `rangeline profile -c cudaProfilerApi` preloads this library. It has no code of
 * CUDA's and needs none: the calls take nothing and return 0 for success. It stands in
 * for them wherever they are bound by the dynamic linker; a program that has the CUDA
 * run-time linked into itself, or looks the functions up in a library that it opened,
 * does not come by here.
 */
#include <dlfcn.h>
#include <stddef.h>

#include "rangeline/control.h"

#define EXPORTED __attribute__((visibility("default")))

/* The collector's numbers for these two (collect/run_control.c). */
enum { PROFILER_START = 3, PROFILER_STOP = 4 };

/* What the program would have called; success if there is no such library. */
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

/* Closed first: what the real one does is not the program's. */
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

/* The driver's, which the run-time's lead to. */
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
