/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/gpu_gaps.h"

#include <math.h>
#include <string.h>

#include "analysis/by_time.h"
#include "base/alloc.h"

static int add(struct rln__gaps *out, int64_t start_ns, int64_t end_ns, size_t call)
{
    struct rln__gap *gap =
        rln__append(&out->gaps, &out->n, &out->capacity, sizeof(*gap));

    if (!gap)
        return -1;
    *gap = (struct rln__gap){start_ns, end_ns, out->ns, call};
    out->ns += (double)(end_ns - start_ns);
    return 0;
}

int rln__gaps_find(const struct rln__gpu_track *track, double least_ns,
                   double least_share, struct rln__gaps *out)
{
    const struct rln__times *work = &track->gpu->times[RLN__ALL_WORK];

    memset(out, 0, sizeof(*out));
    for (size_t i = track->first; i < track->track->n; i++) {
        const struct rln__call *call = &track->track->calls[i];
        const double least = fmax(least_ns, least_share * call->ns);
        const int64_t end = rln__call_end(call);
        size_t after = rln__gpu_time_after(work, call->start_ns);

        /* A gap is before the work of that number. */
        for (after += !after; after < work->n; after++) {
            int64_t from = work->at[after - 1].end_ns;
            int64_t to = work->at[after].start_ns;

            if (from >= end)
                break;
            from = from > call->start_ns ? from : call->start_ns;
            to = to < end ? to : end;
            if ((double)(to - from) > least && add(out, from, to, i))
                return -1;
        }
    }
    return 0;
}

void rln__gaps_clear(struct rln__gaps *gaps)
{
    rln__free(gaps->gaps);
    memset(gaps, 0, sizeof(*gaps));
}

/* The time in gaps before `t`. */
static double idle_before(const struct rln__gaps *gaps, int64_t t)
{
    const size_t n = gaps->n ? rln__count_before(&gaps->gaps->start_ns, gaps->n,
                                                 sizeof(*gaps->gaps), t)
                             : 0;
    const struct rln__gap *last;

    if (!n)
        return 0;
    last = &gaps->gaps[n - 1];
    return last->before_ns +
           (double)((t < last->end_ns ? t : last->end_ns) - last->start_ns);
}

void rln__gaps_add_where(const struct rln__gaps *gaps, const struct rln__run *run,
                         uint32_t thread, double *by_name)
{
    struct rln__nesting_row row, parent;

    for (size_t i = 0; rln__nesting_get(run->nesting, i, &row); i++) {
        double ns;

        if (row.thread != thread || row.flags & RLN_FLAG_DEFERRED)
            continue;
        ns = idle_before(gaps, row.end_ns) - idle_before(gaps, row.start_ns);
        if (ns <= 0)
            continue;
        by_name[row.name] += ns;
        if (row.parent != SIZE_MAX &&
            rln__nesting_get(run->nesting, row.parent, &parent))
            by_name[parent.name] -= ns;
    }
}
