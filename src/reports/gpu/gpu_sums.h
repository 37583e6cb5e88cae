/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_sums.h - GPU work or calls of each name: how often, and how long or how much. */
#ifndef RLN_REPORTS_GPU_GPU_SUMS_H
#define RLN_REPORTS_GPU_GPU_SUMS_H

#include "reports/gpu/range_prefix.h"
#include "reports/report_build.h"
#include "reports/summary/tally.h"

enum rln__gpu_value {
    RLN__GPU_DURATION, /* within the window */
    RLN__GPU_BYTES,    /* of copies and sets */
    /* The duration; kernels of one name with other numbers of blocks or threads are in
     * rows of their own. */
    RLN__GPU_DURATION_BY_SHAPE,
};

struct rln__gpu_sum {
    rln_text name; /* in `names` */
    enum rln__gpu_kind kind;
    struct rln__kernel_shape shape; /* zeros, unless it was asked for */
    struct rln__tally tally;
};

struct rln__gpu_sums {
    struct rln__gpu_sum *rows; /* owned; the largest total first */
    size_t n, capacity;
    uint64_t total;
    struct rln__strings names;
};

/* `prefix` may be NULL. On failure there is nothing to clear. */
rln_status rln__gpu_sums_read(struct rln__gpu_sums *sums, rln_reader *reader,
                              const struct rln__gpu_choice *choice,
                              struct rln__range_prefix *prefix,
                              enum rln__gpu_value value, rln_error *err);
void rln__gpu_sums_clear(struct rln__gpu_sums *sums);

/* Puts a grid or block into a cell as nsys does: "16384    1    1". */
void rln__report_put_dimensions(rln_report *out, const uint32_t *sizes);

/* "cudaMemcpy_v3020" without the version that Nsight adds to a call of the runtime. */
rln_text rln__gpu_call_name(rln_text name);

#endif
