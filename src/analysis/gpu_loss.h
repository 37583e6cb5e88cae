/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_loss.h - what rules have in common that ask how much of the step's time something
 * about a GPU takes, such as that it is idle.
 */
#ifndef RLN_ANALYSIS_GPU_LOSS_H
#define RLN_ANALYSIS_GPU_LOSS_H

#include "analysis/gpu_times.h"
#include "analysis/rule.h"

/* What a call of the step loses in that way, in ns; `*n` may be raised by how often. */
typedef double rln__gpu_loss_fn(const struct rln__gpu *gpu,
                                const struct rln__call *call, size_t *n);

struct rln__gpu_time_lost {
    double ns, lost_ns;        /* of the calls; of them, lost */
    size_t n, n_calls, n_gpus; /* how often; in calls; of GPUs */
};

/* Adds a finding about the step if GPUs lose over `least` of the time of calls, and
 * that is worth one. `calls` is the index of the threshold for the least number of
 * calls. The caller writes the title if there is one. `*f` is NULL: there is none. */
rln_status rln__find_gpu_loss(struct rln__inquiry *q, rln__gpu_loss_fn *lost,
                              double least, size_t calls,
                              struct rln__gpu_time_lost *out, struct rln__finding **f,
                              rln_error *err);

#endif
