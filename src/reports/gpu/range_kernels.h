/* SPDX-License-Identifier: Apache-2.0 */
/* range_kernels.h - kernels by the ranges that launched them. A kernel counts for each
 * range that encloses its launch, or else in a row without a range. */
#ifndef RLN_REPORTS_GPU_RANGE_KERNELS_H
#define RLN_REPORTS_GPU_RANGE_KERNELS_H

#include "reports/gpu/gpu_ranges.h"
#include "reports/summary/tally.h"

/* All kernels of one name that ranges of one name launched on one thread. */
struct rln__gpu_kern_row {
    uint32_t name;         /* of the range; RLN__NO_RANGE: none */
    rln_range_style style; /* 0 without a range */
    uint32_t pid, tid;
    rln_text kernel; /* its name, borrowed from the reader */
    uint64_t n_ranges;
    struct rln__tally ns; /* of its kernels */
};

struct rln__gpu_kern {
    struct rln__range_names names;
    struct rln__gpu_kern_row *rows; /* owned; by range, thread, and total */
    size_t n_rows, capacity;
};

/* `rules`: RLN__GPU_BY_... */
rln_status rln__gpu_kern_find(rln_reader *reader, enum rln__kernel_name name,
                              unsigned rules, struct rln__gpu_kern *out,
                              rln_error *err);
void rln__gpu_kern_clear(struct rln__gpu_kern *kern);

#endif
