/* SPDX-License-Identifier: Apache-2.0 */
/* sorter.h - sorts more items than fit into memory.
 *
 *   items   [run, sorted][run, sorted][run ...]      a spill
 *   next    the smallest of the first items of all runs, from a heap
 *
 * Consecutive runs that are in order are merged, so items that are added in sorted
 * order are copied once and never compared again.
 */
#ifndef RLN_BASE_SORTER_H
#define RLN_BASE_SORTER_H

#include "base/spill.h"

struct rln__sorted_run {
    size_t begin, end;
    size_t at; /* the next item that is not returned yet */
};

/* Empty when zeroed except the first two members. */
struct rln__sorter {
    size_t item_bytes;
    int (*compare)(const void *, const void *); /* as for qsort(): never 0 */
    struct rln__spill items;
    size_t n;
    struct rln__sorted_run *runs; /* owned */
    size_t n_runs, capacity;
    size_t *heap; /* owned: runs with items left; [0] has the smallest next item */
    size_t n_heap;
    size_t n_given; /* by rln__sorter_next() */
    size_t *order;  /* owned: the items' indices in `items`, if one was asked for */
};

rln_status rln__sorter_add(struct rln__sorter *sorter, const void *item,
                           rln_error *err);
/* After the last item. */
rln_status rln__sorter_end(struct rln__sorter *sorter, rln_error *err);
/* Borrowed until the next call; NULL after the last. */
const void *rln__sorter_next(struct rln__sorter *sorter);
/* The item of that rank, in any order of ranks; those one after the other from the first
 * need no memory. Borrowed as above. NULL: none, or no memory. */
const void *rln__sorter_item(struct rln__sorter *sorter, size_t rank);
void rln__sorter_clear(struct rln__sorter *sorter);

#endif
