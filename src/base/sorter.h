/* SPDX-License-Identifier: Apache-2.0 */
/* sorter.h - sorts more items than fit into memory.
 *
 *   items   [run, sorted][run, sorted][run ...]      a spill
 *   next    the least of the first items of all runs, kept in a heap
 *
 * Runs that follow each other in order are one, so items that come sorted are copied
 * once and never compared again.
 */
#ifndef RLN_BASE_SORTER_H
#define RLN_BASE_SORTER_H

#include "base/spill.h"

struct rln__run {
    size_t begin, end;
    size_t at; /* the next item that is not returned yet */
};

/* Zeroed but for the first two, it is empty. */
struct rln__sorter {
    size_t item_bytes;
    int (*compare)(const void *, const void *); /* as for qsort(): never 0 */
    struct rln__spill items;
    size_t n;
    struct rln__run *runs; /* owned */
    size_t n_runs, capacity;
    size_t *heap; /* owned: runs that are not used up; the one with the least first */
    size_t n_heap;
};

rln_status rln__sorter_add(struct rln__sorter *sorter, const void *item,
                           rln_error *err);
/* After the last item. */
rln_status rln__sorter_end(struct rln__sorter *sorter, rln_error *err);
/* Starts again with the least one. */
void rln__sorter_rewind(struct rln__sorter *sorter);
/* Borrowed until the next call; NULL after the last. */
const void *rln__sorter_next(struct rln__sorter *sorter);
void rln__sorter_clear(struct rln__sorter *sorter);

#endif
