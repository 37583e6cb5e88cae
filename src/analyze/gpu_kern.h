/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_kern.h - kernels by the ranges that launched them: a kernel counts for each range
 * around its launch, and for no range where there is none. */
#ifndef RLN_ANALYZE_GPU_KERN_H
#define RLN_ANALYZE_GPU_KERN_H

#include "analyze/gpu_ranges.h"
#include "analyze/quantile.h"
#include "format/strings.h"

/* All kernels of a name that ranges of a name launched on a thread. */
struct rln__gpu_kern_row {
    uint32_t name;         /* of the range; RLN__NO_RANGE: there is none */
    rln_range_style style; /* 0 then */
    uint32_t pid, tid;
    uint32_t kernel; /* a text's number */
    uint64_t n_ranges, n, total_ns, min_ns, max_ns;
    struct rln__spread spread;
};

struct rln__gpu_kern {
    struct rln__gpu_ranges ranges;
    struct rln__strings kernels;
    struct rln__gpu_kern_row *rows; /* owned; by range, thread, and total */
    size_t n_rows, capacity;
};

rln_status rln__gpu_kern_find(rln_reader *reader, enum rln__kernel_name name,
                              struct rln__gpu_kern *out, rln_error *err);
void rln__gpu_kern_clear(struct rln__gpu_kern *kern);

#endif
