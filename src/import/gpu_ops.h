/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_ops.h - reads GPU operations, each with the call that requested it.
 *
 *   CUPTI_ACTIVITY_KIND_KERNEL, _MEMCPY, _MEMSET,     start, end on the GPU
 *        |              _GRAPH_TRACE
 *        |  correlationId, process
 *   CUPTI_ACTIVITY_KIND_RUNTIME                       start, end, thread on the CPU
 *
 * If a correlation has several calls, the first counts. Operations without a call in
 * the file are ignored, because their thread is unknown. The launch of a CUDA graph
 * that was traced as a whole is one operation.
 */
#ifndef RLN_IMPORT_GPU_OPS_H
#define RLN_IMPORT_GPU_OPS_H

#include "rangeline/error.h"

struct rln__gpu_ops;

struct rln__gpu_op {
    int64_t start_ns, end_ns; /* times of the file */
    int64_t call_start_ns, call_end_ns;
    uint32_t pid, tid; /* of the calling thread */
    int64_t correlation;
    rln_text kernel; /* its name, borrowed until the next; none for other operations */
};

/* The forms of a kernel's name: "void f<int>(int)", "f", "_Z1fIiEvi". */
enum rln__kernel_name {
    RLN__KERNEL_DEMANGLED,
    RLN__KERNEL_SHORT,
    RLN__KERNEL_MANGLED,
};

/* Opens the export at `path`, for kernels only or for all GPU operations. */
rln_status rln__gpu_ops_open(const char *path, int has_kernels_only,
                             enum rln__kernel_name name, struct rln__gpu_ops **out,
                             rln_error *err);

/* Returns the next operation, in the order of threads and of the times of calls.
 * RLN_END after the last. `*out` is borrowed until the next call. */
rln_status rln__gpu_ops_next(struct rln__gpu_ops *ops, const struct rln__gpu_op **out,
                             rln_error *err);
void rln__gpu_ops_close(struct rln__gpu_ops *ops);

#endif
