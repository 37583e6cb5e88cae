/* SPDX-License-Identifier: Apache-2.0 */
/* rule_gpu_low_util.c - the GPU works for less than half of the step. Operations that
 * overlap count once. */
#include "analysis/gpu_loss.h"
#include "analysis/rules.h"

enum { SHARE, WARNING, BUSY, CALLS };

static double idle_ns(const struct rln__gpu *gpu, const struct rln__call *call,
                      size_t *n)
{
    (void)n;
    return call->ns - rln__gpu_time_ns(&gpu->times[RLN__ALL_WORK], call->start_ns,
                                       rln__call_end(call));
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    const struct rln__run *run = q->run;
    struct rln__gpu_time_lost loss;
    struct rln__finding *f;
    const rln_status status =
        rln__find_gpu_loss(q, idle_ns, 1 - q->limits[BUSY], CALLS, &loss, &f, err);

    if (status || !f)
        return status;
    rln__finding_measure(f, "busy", 1 - loss.lost_ns / loss.ns);
    rln__finding_measure(f, "gpus", (double)loss.n_gpus);
    rln__buf_text(&f->title, loss.n_gpus > 1 ? "GPUs work" : "the GPU works");
    rln__buf_format(&f->title, " for %.1f %% of the time of ",
                    f->measured[0].value * 100);
    rln__buf_range(&f->title, run->domain_name, run->is_default_domain, run->message);
    rln__buf_format(&f->title, " (under %g %%)", q->limits[BUSY] * 100);
    return RLN_OK;
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
