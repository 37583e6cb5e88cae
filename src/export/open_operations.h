/* SPDX-License-Identifier: Apache-2.0 */
/* open_operations.h - the operations of GPUs that have begun, the first to end in
 * front.
 *
 *   stream 7   [ a --]  [ b -----]     the walk is at b's begin: a has ended,
 *   stream 8      [ c ------]          c and b are open
 *
 * An operation comes whole, as it begins; formats that nest need its end in its time.
 */
#ifndef RLN_EXPORT_OPEN_OPERATIONS_H
#define RLN_EXPORT_OPEN_OPERATIONS_H

#include "rangeline/model.h"

/* Zeroed, it is empty. */
struct rln__open_operations {
    rln_range *heap; /* owned */
    size_t n, capacity;
    uint32_t n_ever;
};

/* `range` gets a depth that no other one has, by which its stack finds it. 0, or -1
 * when there is no memory. */
int rln__open_operations_add(struct rln__open_operations *open, rln_range *range);
/* Takes the first one that ends by `t_ns`, of several the newest. 0: there is none. */
int rln__open_operations_take(struct rln__open_operations *open, int64_t t_ns,
                              rln_range *out);
void rln__open_operations_clear(struct rln__open_operations *open);

#endif
