/* SPDX-License-Identifier: Apache-2.0 */
/* nesting_order.h - puts rows in the order of time that were made thread by thread.
 *
 *   rows    [ 1 3 5 | 2 4 | 6 8 | 4 7 ]     runs in the order of time: one a chunk, or
 *             ^       ^                     a thread
 *           heap of the runs that have begun --> 1 2 3 4 4 5 6 7 8
 */
#ifndef RLN_RANGES_NESTING_ORDER_H
#define RLN_RANGES_NESTING_ORDER_H

#include "ranges/nesting.h"

/* Rows in the order of time. */
struct rln__nesting_run {
    int64_t order_ns; /* of row `at` */
    size_t at, end;
    size_t rank; /* among those of the same time */
};

struct rln__nesting_order {
    struct rln__nesting_run *runs; /* owned, in the order of their first rows */
    size_t n_runs, capacity;
    struct rln__nesting_run **heap; /* owned: those that have begun */
    size_t n_heap, n_begun;
    struct rln__nesting_run *lead; /* the first of the heap, whose row was given */
    int64_t rival_ns;              /* no row of another run is before */
};

/* Of `n` rows, of which those from `first_deferred` on are deferred ranges: of rows
 * of the same time, these come first. On failure there is nothing to clear.
 */
rln_status rln__nesting_order_init(struct rln__nesting_order *order,
                                   struct rln__spill *rows, size_t n,
                                   size_t first_deferred, rln_error *err);
void rln__nesting_order_clear(struct rln__nesting_order *order);

/* For when several runs must be compared. */
int rln__nesting_order_choose(struct rln__nesting_order *order, size_t *index);

/* The next row; 0 after the last. */
static inline int rln__nesting_order_next(struct rln__nesting_order *order,
                                          const struct rln__spill *rows, size_t *index)
{
    struct rln__nesting_run *lead = order->lead;

    if (lead && ++lead->at < lead->end) {
        lead->order_ns = ((const struct rln__nested *)rows->items)[lead->at].order_ns;
        if (lead->order_ns < order->rival_ns) {
            *index = lead->at;
            return 1;
        }
    }
    return rln__nesting_order_choose(order, index);
}

#endif
