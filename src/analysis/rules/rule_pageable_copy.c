/* SPDX-License-Identifier: Apache-2.0 */
/* rule_pageable_copy.c - copies between a GPU and memory that is not pinned: CUDA
 * copies their data once more, and the thread waits for it. */
#include "analysis/gpu_loss.h"
#include "analysis/rules.h"

enum { SHARE, WARNING, COPYING, CALLS };

static double copying_ns(const struct rln__gpu *gpu, const struct rln__call *call,
                         size_t *n)
{
    const int64_t from = call->start_ns, to = rln__call_end(call);

    (void)n;
    return rln__gpu_time_ns(&gpu->times[RLN__ALL_WORK], from, to) -
           rln__gpu_time_ns(&gpu->times[RLN__NOT_PAGEABLE], from, to);
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    const struct rln__run *run = q->run;
    struct rln__gpu_time_lost loss;
    struct rln__finding *f;
    const rln_status status =
        rln__find_gpu_loss(q, copying_ns, q->limits[COPYING], CALLS, &loss, &f, err);

    if (status || !f)
        return status;
    rln__finding_measure(f, "copying", loss.lost_ns / loss.ns);
    rln__finding_measure(f, "gpus", (double)loss.n_gpus);
    rln__buf_text(&f->title,
                  "the GPU only copies from or to memory that is not pinned for ");
    rln__buf_format(&f->title, "%.1f %% of the time of ", f->measured[0].value * 100);
    rln__buf_range(&f->title, run->domain_name, run->is_default_domain, run->message);
    rln__buf_format(&f->title, " (over %g %%)", q->limits[COPYING] * 100);
    return RLN_OK;
}

const struct rln__rule rln__rule_pageable_copy = {
    .id = "pageable-copy",
    .question = "does the GPU wait for copies of memory that is not pinned?",
    .fires =
        "during calls of the step, from the second one on, copies between a GPU of "
        "the process and memory that is not pinned, beside which it does nothing else, "
        "take over `copying` of the time",
    .against =
        "a copy from pinned memory takes time, too, about half of it; but it can be "
        "hidden behind kernels",
    .next = "rangeline stats -r cuda_gpu_mem_time_sum {traces}",
    .needs = RLN__NEEDS_GPU | RLN__NEEDS_CLOCK | RLN__NEEDS_ALL_EVENTS,
    .thresholds = {RLN__SHARE_THRESHOLDS,
                   {"copying", 0.05, "fewer are not worth the change"},
                   {"calls", 20, "fewer are all start"}},
    .evaluate = evaluate,
};
