/* SPDX-License-Identifier: Apache-2.0 */
/* rule_sync_stall.c - a thread waits for the GPU again and again during the step, and
 * each time the GPU is idle until the thread has given it something to do.
 *
 *     thread   |launch|wait      |launch |wait     |
 *     GPU             [ kernel   ]       [ kernel  ]
 *     lost                       |-------|
 */
#include "analysis/gpu_loss.h"
#include "analysis/rules.h"

enum { SHARE, WARNING, STALLED, WAITS, CALLS };

/* When the GPU works again after `t`, at the latest at `end`. */
static int64_t next_work(const struct rln__gpu *gpu, int64_t t, int64_t end)
{
    const struct rln__times *work = &gpu->times[RLN__ALL_WORK];
    const size_t next = rln__gpu_time_after(work, t);

    if (next == work->n || work->at[next].start_ns > end)
        return end;
    return work->at[next].start_ns > t ? work->at[next].start_ns : t;
}

static double stalled_ns(const struct rln__gpu *gpu, const struct rln__call *call,
                         size_t *n)
{
    const struct rln__times *waits = &gpu->times[RLN__WAITS];
    const int64_t end = rln__call_end(call);
    int64_t at = call->start_ns; /* idle time before it has been counted */
    double ns = 0;

    for (size_t i = rln__gpu_time_after(waits, call->start_ns);
         i < waits->n && waits->at[i].end_ns < end; i++) {
        const struct rln__busy *wait = &waits->at[i];
        const int64_t from = wait->end_ns > at ? wait->end_ns : at;

        if (rln__gpu_time_ns(&gpu->times[RLN__ALL_WORK], wait->start_ns,
                             wait->end_ns) <= 0)
            continue; /* there was nothing to wait for */
        at = next_work(gpu, from, end);
        ns += (double)(at - from);
        ++*n;
    }
    return ns;
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    const struct rln__run *run = q->run;
    struct rln__gpu_time_lost loss;
    struct rln__finding *f;
    const rln_status status =
        rln__find_gpu_loss(q, stalled_ns, q->limits[STALLED], CALLS, &loss, &f, err);

    if (status || !f)
        return status;
    if ((double)loss.n < q->limits[WAITS] * (double)loss.n_calls) {
        rln__finding_drop(q);
        return RLN_OK;
    }
    rln__finding_measure(f, "stalled", loss.lost_ns / loss.ns);
    rln__finding_measure(f, "waits", (double)loss.n / (double)loss.n_calls);
    rln__finding_measure(f, "gpus", (double)loss.n_gpus);
    rln__buf_format(&f->title, "threads wait for the GPU %.1f times in each call of ",
                    f->measured[1].value);
    rln__buf_range(&f->title, run->domain_name, run->is_default_domain, run->message);
    rln__buf_format(&f->title,
                    ", and the GPU is idle after that for %.1f %% of the time (over %g "
                    "%%)",
                    f->measured[0].value * 100, q->limits[STALLED] * 100);
    return RLN_OK;
}

const struct rln__rule rln__rule_sync_stall = {
    .id = "sync-stall",
    .question = "is the GPU idle because a thread has waited for it?",
    .fires =
        "threads wait for work of the GPU at least `waits` times in each call of the "
        "step, "
        "from the second one on, and from the end of a wait to the next operation it "
        "is idle for over `stalled` of the time",
    .against =
        "a step whose next work depends on the result has to wait; once in a step "
        "is usual",
    .next = "rangeline stats -r cuda_api_sum {traces}",
    .needs = RLN__NEEDS_GPU | RLN__NEEDS_CLOCK | RLN__NEEDS_ALL_EVENTS,
    .thresholds = {RLN__SHARE_THRESHOLDS,
                   {"stalled", 0.05, "a launch after a wait takes some microseconds"},
                   {"waits", 2, "one at the end of a step keeps it from running ahead"},
                   {"calls", 20, "fewer are all start"}},
    .evaluate = evaluate,
};
