/* SPDX-License-Identifier: Apache-2.0 */
/* run_control.c - lets the program start and stop recording: rangeline/control.h, and
 * the library that replaces cudaProfilerStart and cudaProfilerStop.
 */
#include "collect/capture/run_control.h"

#include "collect/capture/capture.h"
#include "collect/capture/gate.h"
#include "collect/process/trace_open.h"
#include "format/windows.h"

/* The actions of include/rangeline/control.h. */
enum {
    ASK = 0,
    START = 1,
    STOP = 2,
    PROFILER_START = 3,
    PROFILER_STOP = 4,
    DROPPED = 5,
};

/* cudaProfilerStart and cudaProfilerStop count only with RLN__GATE_BY_CUDA. Then they
 * are the run's only capture ranges, one per process, and repeated starts count once. A
 * forked child does not inherit its parent's start. */
static void profiler(const struct rln__superblock *super, int starts)
{
    static uint32_t profiled; /* atomic: the process that has started; 0: none */
    const uint32_t own = rln__sys_getpid();
    uint32_t seen = __atomic_load_n(&profiled, __ATOMIC_ACQUIRE);

    if (!(rln__gate_of(super) & RLN__GATE_BY_CUDA) || (seen == own) == starts ||
        !__atomic_compare_exchange_n(&profiled, &seen, starts ? own : 0, 0,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return;
    if (starts)
        rln__capture_begin_with(RLN__GATE_CUDA, RLN__WINDOW_BY_CUDA);
    else
        rln__capture_end_with(RLN__GATE_CUDA, RLN__WINDOW_BY_CUDA);
}

/* How many events and names of this process found no space. */
static int n_dropped(const struct rln__superblock *super)
{
    const struct rln__process_context *p = rln__collector.process;
    const struct rln__process_record *record =
        p ? __atomic_load_n(&p->record, __ATOMIC_ACQUIRE) : NULL;
    const uint64_t n =
        record ? __atomic_load_n(&record->n_dropped, __ATOMIC_RELAXED) +
                     __atomic_load_n(&record->n_strings_refused, __ATOMIC_RELAXED)
               : __atomic_load_n(&super->dropped_events, __ATOMIC_RELAXED);

    return n < INT32_MAX ? (int)n : INT32_MAX;
}

int rln_collector_control(unsigned what)
{
    const rln__sigmask mask = rln__block_signals();
    struct rln__superblock *super;

    /* Opens the trace: a program may stop recording before its first annotation. */
    if (!rln__is_open()) {
        rln__restore_signals(mask);
        return -1;
    }
    super = rln__collector.file.super;
    if (what == START)
        rln__gate_change(super, 0, RLN__GATE_PROGRAM, RLN__WINDOW_BY_PROGRAM,
                         rln__now());
    else if (what == STOP)
        rln__gate_change(super, RLN__GATE_PROGRAM, 0, RLN__WINDOW_BY_PROGRAM,
                         rln__now());
    else if (what == PROFILER_START || what == PROFILER_STOP)
        profiler(super, what == PROFILER_START);
    rln__restore_signals(mask);
    if (what == DROPPED)
        return n_dropped(super);
    return !(rln__gate_of(super) & RLN__GATE_CLOSED);
}
