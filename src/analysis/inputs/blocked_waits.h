/* SPDX-License-Identifier: Apache-2.0 */
/* blocked_waits.h - when a thread was blocked in the step, and in which range.
 *
 *     step      |step:  [next batch     ]       |
 *     thread     on--------| blocked |on---| |on|
 *     waits                |---------|     |-|
 */
#ifndef RLN_ANALYSIS_INPUTS_BLOCKED_WAITS_H
#define RLN_ANALYSIS_INPUTS_BLOCKED_WAITS_H

#include "analysis/run.h"
#include "ranges/cpu_times.h"

struct rln__blocked_wait {
    int64_t start_ns, end_ns;
    double before_ns; /* in all earlier ones */
    size_t range;     /* the innermost one; SIZE_MAX: none */
    bool has_woken;   /* at the end, it could go on; else what came then is unknown */
};

struct rln__blocked_waits {
    struct rln__blocked_wait *at; /* owned; by time, and none overlap */
    size_t n, capacity;
    double ns;
};

/* Those of the calls of a track. 0, or -1 when there is no memory; either way, `out` can
 * be cleared. */
int rln__blocked_waits_find(const struct rln__run *run, struct rln__cpu_times *cpu,
                            const struct rln__track *track,
                            struct rln__blocked_waits *out);
void rln__blocked_waits_clear(struct rln__blocked_waits *waits);

/* How much of the time from `from` to `to` they are. */
double rln__blocked_waits_ns(const struct rln__blocked_waits *waits, int64_t from,
                             int64_t to);

static inline double rln__blocked_wait_ns(const struct rln__blocked_wait *wait)
{
    return (double)(wait->end_ns - wait->start_ns);
}

#endif
