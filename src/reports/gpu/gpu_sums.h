/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_sums.h - GPU work or calls of each name: how often, and how long or how much. */
#ifndef RLN_REPORTS_GPU_GPU_SUMS_H
#define RLN_REPORTS_GPU_GPU_SUMS_H

#include "reports/gpu/range_prefix.h"
#include "reports/summary/tally.h"

enum rln__gpu_value {
    RLN__GPU_DURATION, /* within the window */
    RLN__GPU_BYTES,    /* of copies and sets */
};

struct rln__gpu_sum {
    rln_text name; /* in `names` */
    enum rln__gpu_kind kind;
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

/* "cudaMemcpy_v3020" without the version that Nsight adds to a call of the runtime. */
rln_text rln__gpu_call_name(rln_text name);

#endif
