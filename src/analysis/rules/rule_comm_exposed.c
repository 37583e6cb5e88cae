/* SPDX-License-Identifier: Apache-2.0 */
/* rule_comm_exposed.c - a GPU communicates and does nothing else. Communication that
 * kernels and copies of its own hide costs nothing. */
#include "analysis/gpu_loss.h"
#include "analysis/rules.h"

enum { SHARE, WARNING, EXPOSED, CALLS };

static double exposed_ns(const struct rln__gpu *gpu, const struct rln__call *call,
                         size_t *n)
{
    const int64_t from = call->start_ns, to = rln__call_end(call);

    (void)n;
    return rln__gpu_time_ns(&gpu->times[RLN__ALL_WORK], from, to) -
           rln__gpu_time_ns(&gpu->times[RLN__OWN_WORK], from, to);
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    const struct rln__run *run = q->run;
    struct rln__gpu_time_lost loss;
    struct rln__finding *f;
    const rln_status status =
        rln__find_gpu_loss(q, exposed_ns, q->limits[EXPOSED], CALLS, &loss, &f, err);

    if (status || !f)
        return status;
    rln__finding_measure(f, "exposed", loss.lost_ns / loss.ns);
    rln__finding_measure(f, "gpus", (double)loss.n_gpus);
    rln__buf_text(&f->title, loss.n_gpus > 1 ? "GPUs do" : "the GPU does");
    rln__buf_format(&f->title, " nothing but communicate for %.1f %% of the time of ",
                    f->measured[0].value * 100);
    rln__buf_range(&f->title, run->domain_name, run->is_default_domain, run->message);
    rln__buf_format(&f->title, " (over %g %%)", q->limits[EXPOSED] * 100);
    return RLN_OK;
}

const struct rln__rule rln__rule_comm_exposed = {
    .id = "comm-exposed",
    .question = "does communication between GPUs take time of its own?",
    .fires =
        "during calls of the step, from the second one on, a GPU of the process "
        "runs kernels of NCCL or RCCL, and no other kernel or copy at the same time, "
        "for over `exposed` of the time",
    .against =
        "such a kernel also waits for the other ranks: it is as long as the latest "
        "of them makes it",
    .next = "rangeline stats -r cuda_gpu_kern_sum:base {traces}",
    .needs = RLN__NEEDS_GPU | RLN__NEEDS_CLOCK | RLN__NEEDS_ALL_EVENTS,
    .thresholds = {RLN__SHARE_THRESHOLDS,
                   {"exposed", 0.1, "the last piece of a step can never be hidden"},
                   {"calls", 20, "fewer are all start"}},
    .evaluate = evaluate,
};
