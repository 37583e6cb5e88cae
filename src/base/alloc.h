/* SPDX-License-Identifier: Apache-2.0 */
/* alloc.h - allocates all memory of the code that reads traces.
 *
 * No other file calls malloc() there, so a test can make the n-th allocation fail and
 * check that nothing leaks and every status is reported. All functions return NULL when
 * there is no memory.
 */
#ifndef RLN_BASE_ALLOC_H
#define RLN_BASE_ALLOC_H

#include <stddef.h>
#include <string.h>

/* Zeroed memory for `n` items. */
void *rln__alloc(size_t n, size_t item_bytes);

/* As realloc(); on failure the old block stays. New memory is not zeroed. */
void *rln__resize(void *block, size_t n, size_t item_bytes);

/* NULL is accepted. */
void rln__free(void *block);

/* Makes room for at least `n_needed` items, doubling. Returns the block, which may have
 * moved, or NULL; on failure the old one stays. */
void *rln__grow(void *block, size_t *capacity, size_t n_needed, size_t item_bytes);

/* The same, to make item `index` exist: the items from `*n` up to it are zeroed, and
 * `*n` counts them. */
void *rln__grow_to(void *block, size_t *n, size_t *capacity, size_t index,
                   size_t item_bytes);

void *rln__append_slow(void *items, size_t *n, size_t *capacity, size_t item_bytes);

/* Adds an item at the end of an array, and returns it, not zeroed; NULL when there is no
 * memory, and then the array is as before. `items` is the address of the pointer to the
 * items, a T ** of any T: memcpy() may read it as another type, an assignment may not.
 * Where the pointer is NULL, the capacity is 0. */
static inline void *rln__append(void *items, size_t *n, size_t *capacity,
                                size_t item_bytes)
{
    char *first;

    if (*n >= *capacity)
        return rln__append_slow(items, n, capacity, item_bytes);
    memcpy(&first, items, sizeof(first));
    return first + (*n)++ * item_bytes;
}

/* For tests: this thread's n-th allocation from now fails, and all after it; 0: none
 * fails. */
void rln__alloc_fail_from(size_t nth);
/* How many allocations have failed since then. */
size_t rln__alloc_failures(void);

#endif
