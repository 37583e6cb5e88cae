/* SPDX-License-Identifier: Apache-2.0 */
/* alloc.h - all memory of the reading side comes from here.
 *
 * One place, so that a test can make the n-th allocation fail and see that nothing
 * leaks and every status arrives. All functions return NULL when there is no memory.
 */
#ifndef RLN_BASE_ALLOC_H
#define RLN_BASE_ALLOC_H

#include <stddef.h>

/* Zeroed memory for `n` items. */
void *rln__alloc(size_t n, size_t item_bytes);

/* As realloc(); on failure the old block stays. What is new is not zeroed. */
void *rln__resize(void *block, size_t n, size_t item_bytes);

/* NULL is accepted. */
void rln__free(void *block);

/* Makes room for at least `n_needed` items, doubling. Returns the block, which may have
 * moved, or NULL; then the old one stays. */
void *rln__grow(void *block, size_t *capacity, size_t n_needed, size_t item_bytes);

/* The same so that there is an item `index`: those from `*n` up to it are zeroed, and
 * counted. */
void *rln__grow_to(void *block, size_t *n, size_t *capacity, size_t index,
                   size_t item_bytes);

/* For tests: the n-th allocation of this thread from now fails, and all after it;
 * 0 is never. */
void rln__alloc_fail_from(size_t nth);

#endif
