/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_ops.h - relates GPU operations to the calls that requested them.
 *
 *   kernels, copies, sets, graphs    begin, end on the GPU
 *        |  process, correlation id
 *   calls                            begin, end, thread of the program
 *
 * If several calls have one id, the first counts. Operations without a call in the
 * trace are ignored, because their thread is unknown. The launch of a CUDA graph that
 * was traced as a whole is one operation.
 *
 * With RLN__GPU_BY_CAPTURE, the creation of its node stands for the call of an
 * operation of a CUDA graph.
 */
#ifndef RLN_REPORTS_GPU_GPU_OPS_H
#define RLN_REPORTS_GPU_GPU_OPS_H

#include "ranges/gpu_owner.h"
#include "reports/gpu/gpu_work.h"

struct rln__gpu_op {
    int64_t start_ns, end_ns;
    int64_t call_start_ns, call_end_ns;
    uint32_t process; /* index */
    uint32_t tid;     /* of the calling thread */
    uint32_t correlation;
    uint32_t name, call_name; /* indices of attributes */
    uint32_t device;
    uint8_t is_by_other_clock;      /* its call, than ranges are */
    uint8_t is_captured;            /* its call is the creation of its node */
    uint64_t graph_node;            /* 0: none */
    struct rln__kernel_shape shape; /* of a kernel */
};

/* What of the call a range must enclose. */
static inline struct rln__gpu_call_span rln__gpu_op_span(const struct rln__gpu_op *op)
{
    return rln__gpu_call_span(op->call_start_ns, op->call_end_ns,
                              op->is_by_other_clock);
}

static inline int64_t rln__gpu_call_from(const struct rln__gpu_op *op)
{
    return rln__gpu_op_span(op).from_ns;
}

/* Reads operations, in the order of their calls, which may lie outside of the window.
 * The caller frees `*out`. */
rln_status rln__gpu_ops_read(rln_reader *reader, const struct rln__gpu_choice *choice,
                             struct rln__gpu_op **out, size_t *n, rln_error *err);

#endif
