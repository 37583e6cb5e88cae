/* SPDX-License-Identifier: Apache-2.0 */
/* spill.h - stores an array that may be larger than memory.
 *
 *   small   [items]                                        on the heap
 *   large   file without a name in TMPDIR --mapped--> [items]
 *
 * What is large, allowance.h says, for all arrays of the process together. Where no file
 * can be made, as in a browser, all of it is on the heap.
 *
 * Items are reached through pointers, which rln__spill_room() invalidates. Mapped pages
 * count as memory of the process only from their last access until they are
 * periodically returned to the file. Passes in the order of items are fast; random
 * access is not.
 */
#ifndef RLN_BASE_SPILL_H
#define RLN_BASE_SPILL_H

#include <stddef.h>
#include <stdint.h>

#include "rangeline/error.h"

/* Empty when zeroed. */
struct rln__spill {
    void *items; /* owned */
    size_t capacity;
    size_t most_heap_bytes; /* 0: as many as the share has left */
    size_t heap_bytes;      /* or these: */
    size_t mapped_bytes;    /* 0: on the heap */
    int fd;                 /* if mapped */
    uint32_t n_accesses;    /* since pages were returned last */
};

/* How many accesses in order touch no more than some MiB. */
#define RLN__SPILL_ACCESSES (1u << 18)

/* Makes room for `n` items in all, of the same size at each call. New ones are not
 * zeroed. On failure the old items stay. */
rln_status rln__spill_room(struct rln__spill *spill, size_t n, size_t item_bytes,
                           rln_error *err);

/* Returns the pages of a mapped array to its file. */
void rln__spill_rest(struct rln__spill *spill);

/* Counts an access to an item; pointers stay valid. Several threads may read, and share
 * nothing that changes unless the array is mapped. */
static inline void rln__spill_touch(struct rln__spill *spill)
{
    uint32_t n;

    if (!spill->mapped_bytes)
        return;
    n = __atomic_load_n(&spill->n_accesses, __ATOMIC_RELAXED) + 1;
    __atomic_store_n(&spill->n_accesses, n, __ATOMIC_RELAXED);
    if (n >= RLN__SPILL_ACCESSES)
        rln__spill_rest(spill);
}

void rln__spill_clear(struct rln__spill *spill);

#endif
