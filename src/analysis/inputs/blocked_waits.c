/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/inputs/blocked_waits.h"

#include <string.h>

#include "analysis/by_time.h"
#include "analysis/innermost.h"
#include "base/alloc.h"

/* Those of one call. 0, or -1 when there is no memory. */
static int add_call(struct rln__cpu_times *cpu, const struct rln__track *track,
                    const struct rln__call *call, struct rln__blocked_waits *out)
{
    const int64_t end_ns = rln__call_end(call);
    int64_t t_ns = call->start_ns;
    struct rln__blocked b;

    while (t_ns < end_ns &&
           rln__cpu_times_blocked_after(cpu, track->thread, t_ns, &b) &&
           b.start_ns < end_ns) {
        const int64_t from = b.start_ns > t_ns ? b.start_ns : t_ns;
        const int64_t to = b.end_ns < end_ns ? b.end_ns : end_ns;
        struct rln__blocked_wait *wait =
            rln__append(&out->at, &out->n, &out->capacity, sizeof(*wait));

        if (!wait)
            return -1;
        *wait = (struct rln__blocked_wait){from, to, out->ns, SIZE_MAX,
                                           b.has_woken && to == b.end_ns};
        out->ns += (double)(to - from);
        t_ns = to;
    }
    return 0;
}

/* A blocked thread begins and ends no range: any time of a wait has the same one. Its
 * middle is the farthest from where clocks differ. */
static int find_ranges(const struct rln__run *run, uint32_t thread,
                       struct rln__blocked_waits *waits)
{
    struct rln__moment *moments = rln__alloc(waits->n + 1, sizeof(*moments));
    int failed = moments ? 0 : -1;

    for (size_t i = 0; !failed && i < waits->n; i++) {
        const struct rln__blocked_wait *wait = &waits->at[i];

        moments[i] = (struct rln__moment){
            wait->start_ns + (wait->end_ns - wait->start_ns) / 2, thread, SIZE_MAX, 0};
    }
    if (!failed)
        failed = rln__find_innermost(run->nesting, run->info, moments, waits->n);
    for (size_t i = 0; !failed && i < waits->n; i++)
        waits->at[i].range = moments[i].range;
    rln__free(moments);
    return failed;
}

int rln__blocked_waits_find(const struct rln__run *run, struct rln__cpu_times *cpu,
                            const struct rln__track *track,
                            struct rln__blocked_waits *out)
{
    memset(out, 0, sizeof(*out));
    for (size_t i = 0; i < track->n; i++)
        if (add_call(cpu, track, &track->calls[i], out))
            return -1;
    return find_ranges(run, track->thread, out);
}

void rln__blocked_waits_clear(struct rln__blocked_waits *waits)
{
    rln__free(waits->at);
    memset(waits, 0, sizeof(*waits));
}

/* The time in waits before `t`. */
static double blocked_before(const struct rln__blocked_waits *waits, int64_t t)
{
    const size_t n = waits->n ? rln__count_before(&waits->at->start_ns, waits->n,
                                                  sizeof(*waits->at), t)
                              : 0;
    const struct rln__blocked_wait *last;

    if (!n)
        return 0;
    last = &waits->at[n - 1];
    return last->before_ns +
           (double)((t < last->end_ns ? t : last->end_ns) - last->start_ns);
}

double rln__blocked_waits_ns(const struct rln__blocked_waits *waits, int64_t from,
                             int64_t to)
{
    return to > from ? blocked_before(waits, to) - blocked_before(waits, from) : 0;
}
