/* SPDX-License-Identifier: Apache-2.0 */
/* rule_gpu_low_util.c - the GPU works for less than half of the step. Operations that
 * overlap count once. */
#include "analysis/gpu_times.h"
#include "analysis/rules.h"
#include "base/fail.h"

enum { SHARE, WARNING, BUSY, CALLS };

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    const struct rln__run *run = q->run;
    struct rln__finding *f = rln__finding_of_step(q, NULL);
    struct rln__win win = {0};
    struct rln__gpu_track t;
    double ns = 0, busy_ns = 0;
    size_t at = 0, n = 0;
    int failed = !f;

    while (!failed && rln__gpu_next_track(run, q->gpu, q->limits[CALLS], &at, &t)) {
        if (t.busy_ns >= q->limits[BUSY] * t.ns)
            continue;
        n++;
        ns += t.ns;
        busy_ns += t.busy_ns;
        for (size_t i = t.first; !failed && i < t.track->n; i++) {
            const struct rln__call *call = &t.track->calls[i];
            const double idle_ns =
                call->ns - rln__gpu_busy_ns(t.gpu, call->start_ns, rln__call_end(call));

            rln__finding_show(f, call->range, idle_ns);
            failed = rln__win_add(&win, i, idle_ns);
        }
    }
    if (!failed && (!n || !rln__is_worth(q, rln__win_total(&win)))) {
        rln__finding_drop(q);
    } else if (!failed) {
        rln__finding_won(f, q, rln__win_total(&win));
        rln__finding_measure(f, "busy", busy_ns / ns);
        rln__finding_measure(f, "gpus", (double)n);
        rln__buf_text(&f->title, n > 1 ? "GPUs work" : "the GPU works");
        rln__buf_format(&f->title, " for %.1f %% of the time of ", busy_ns / ns * 100);
        rln__buf_range(&f->title, run->domain_name, run->is_default_domain,
                       run->message);
        rln__buf_format(&f->title, " (under %g %%)", q->limits[BUSY] * 100);
    }
    rln__win_clear(&win);
    return failed ? rln__fail_nomem(err) : RLN_OK;
}

const struct rln__rule rln__rule_gpu_low_util = {
    .id = "gpu-low-util",
    .question = "does the GPU work for little of the step?",
    .fires = "during calls of the step, from the second one on, a GPU of the process "
             "works for less than `busy` of the time; operations that overlap count "
             "once",
    .against = "a step that needs no GPU for most of its work wins less; a GPU that "
               "works all the time may still be badly used",
    .next = "rangeline stats -r cuda_gpu_sum {traces}",
    .needs = RLN__NEEDS_GPU | RLN__NEEDS_CLOCK | RLN__NEEDS_ALL_EVENTS,
    .thresholds = {RLN__SHARE_THRESHOLDS,
                   {"busy", 0.5,
                    "a GPU that is idle for longer costs more than it does"},
                   {"calls", 20, "fewer are all start"}},
    .evaluate = evaluate,
};
