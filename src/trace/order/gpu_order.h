/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_order.h - yields GPU work in time order.
 *
 *   batches by first time   [ ][ ][ ][ ]...     the next one enters when it is due
 *                             |
 *   heap                    (t=3) (t=5)         one per batch being read
 *                             |
 *                             v  events
 *
 * Memory holds the batches whose times overlap, not all of them.
 */
#ifndef RLN_TRACE_ORDER_GPU_ORDER_H
#define RLN_TRACE_ORDER_GPU_ORDER_H

#include "trace/decode/gpu_batches.h"

/* A batch whose events are being yielded. */
struct rln__gpu_feed {
    const struct rln__gpu_batch *batch; /* borrowed */
    struct rln__gpu_events events;      /* owned */
    size_t at;
};

struct rln__gpu_order {
    struct rln__gpu_batches batches;
    size_t next;                 /* batch to enter */
    struct rln__gpu_feed **heap; /* owned, as is each; the earliest event first */
    size_t n_heap, capacity;
    struct rln__gpu_feed *spare; /* owned: for the next batch */
    struct rln__gpu_event taken; /* the last one */
};

rln_status rln__gpu_order_init(struct rln__gpu_order *order, rln_reader *reader,
                               rln_error *err);
void rln__gpu_order_clear(struct rln__gpu_order *order);

/* The begin of the next event; INT64_MAX if there is none. */
int64_t rln__gpu_order_ns(const struct rln__gpu_order *order);

/* Takes the next event, or RLN_END. It is borrowed until the next call, its batch until
 * the order is cleared. */
rln_status rln__gpu_order_next(struct rln__gpu_order *order,
                               const struct rln__gpu_event **event,
                               const struct rln__gpu_batch **batch, rln_error *err);

#endif
