/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_busy.h - adds up how long GPUs worked: operations that overlap on one GPU count
 * once.
 *
 *     stream 7   [ kernel ]   [copy]
 *     stream 8       [ kernel ]
 *     counted    |------------|----|
 */
#ifndef RLN_REPORTS_GPU_GPU_BUSY_H
#define RLN_REPORTS_GPU_GPU_BUSY_H

#include "reports/gpu/gpu_ops.h"

struct rln__gpu_until {
    int64_t ns; /* the end of what counts already */
    uint8_t is_known;
};

/* Empty when zeroed. */
struct rln__gpu_busy {
    struct rln__key_index gpus;   /* {process, device} */
    struct rln__key_index pairs;  /* {group, GPU} */
    struct rln__gpu_until *until; /* owned; of each pair */
    size_t n, capacity;
};

/* The number of an operation's GPU; UINT32_MAX when there is no memory. */
uint32_t rln__gpu_busy_gpu(struct rln__gpu_busy *busy, const struct rln__gpu_op *op);
/* Counts an operation for a group, such as a path: adds to `*ns` the time in which the
 * GPU was not known to work for it. Operations come in the order of their starts. 0, or
 * -1: no memory. */
int rln__gpu_busy_add(struct rln__gpu_busy *busy, uint32_t group, uint32_t gpu,
                      int64_t start_ns, int64_t end_ns, uint64_t *ns);
void rln__gpu_busy_clear(struct rln__gpu_busy *busy);

#endif
