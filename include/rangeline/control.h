/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* control.h - starts and stops recording from the recorded program.
 *
 *     rln_stop();            events from here on are not recorded
 *     warm_up();
 *     rln_start();           recording again: a new capture window begins
 *
 * Header-only: no Rangeline library is linked, and without a collector the calls do
 * nothing. They act on all threads and processes of the run, and take about a
 * microsecond. Pushes and pops outside windows still count toward depths.
 */
#ifndef RANGELINE_CONTROL_H
#define RANGELINE_CONTROL_H

#include "error.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/auxv.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Exported by the collector; not NULL if that is linked into the program. */
__attribute__((weak)) int rln_collector_control(unsigned what);

/** Requests of rln_control_(), as the collector numbers them. The PROFILER ones are for
 * replacements of cudaProfilerStart and cudaProfilerStop, to which
 * `-c cudaProfilerApi` reacts. DROPPED returns how many events of the process were
 * dropped so far. */
enum {
    RLN_CONTROL_ASK_ = 0,
    RLN_CONTROL_START_ = 1,
    RLN_CONTROL_STOP_ = 2,
    RLN_CONTROL_PROFILER_START_ = 3,
    RLN_CONTROL_PROFILER_STOP_ = 4,
    RLN_CONTROL_DROPPED_ = 5
};

/* Finds the collector that records, or will record, the NVTX calls of this program. */
static __inline__ int (*rln_control_find_(void))(unsigned)
{
    const char *path = getenv("NVTX_INJECTION64_PATH");
    union {
        void *symbol;
        int (*call)(unsigned);
    } found;
    void *library;

    if (!path || !*path)
        return rln_collector_control;
    library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (!library && !getauxval(AT_SECURE))
        library = dlopen(path, RTLD_LAZY);
    found.symbol = library ? dlsym(library, "rln_collector_control") : 0;
    return found.call;
}

/* Replaces the collector in a program that has none. */
static __inline__ int rln_control_none_(unsigned what)
{
    (void)what;
    return -1;
}

/* Makes a request. Returns 1 if the run is recorded, 0 if not, -1 if there is no
 * collector. Only the first call searches for the collector. */
static __inline__ int rln_control_(unsigned what)
{
    static int (*control)(unsigned);
    int (*known)(unsigned) = __atomic_load_n(&control, __ATOMIC_RELAXED);

    if (!known) {
        known = rln_control_find_();
        if (!known)
            known = rln_control_none_;
        __atomic_store_n(&control, known, __ATOMIC_RELAXED);
    }
    return known(what);
}

/**
 * Starts recording again after rln_stop().
 *
 * Opens a capture window, unless something else still blocks recording: a capture range
 * that has not begun, a delay, `rangeline stop`, or --start-later. That is not an
 * error; rln_is_recording() tells whether the run is recorded now.
 *
 * Threads: any, and signal handlers after the first call.
 * Errors:  RLN_ERR_NO_COLLECTOR: no collector records this program.
 * Since:   0.1
 */
static __inline__ rln_status rln_start(void)
{
    return rln_control_(RLN_CONTROL_START_) < 0 ? RLN_ERR_NO_COLLECTOR : RLN_OK;
}

/**
 * Stops recording: ranges and marks that begin from now on are not recorded.
 *
 * The ends of open ranges are still recorded, and so are names and registrations.
 *
 * Threads: any, and signal handlers after the first call.
 * Errors:  RLN_ERR_NO_COLLECTOR: no collector records this program.
 * Since:   0.1
 */
static __inline__ rln_status rln_stop(void)
{
    return rln_control_(RLN_CONTROL_STOP_) < 0 ? RLN_ERR_NO_COLLECTOR : RLN_OK;
}

/**
 * Tells whether the run is recorded now: 1 or 0; 0 also without a collector.
 *
 * Threads: any, and signal handlers after the first call.
 * Errors:  none.
 * Since:   0.1
 */
static __inline__ int rln_is_recording(void)
{
    return rln_control_(RLN_CONTROL_ASK_) > 0;
}

#ifdef __cplusplus
}
#endif

#endif
