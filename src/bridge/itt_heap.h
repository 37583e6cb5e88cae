/* SPDX-License-Identifier: Apache-2.0 */
/* itt_heap.h - the calls around a program's allocation functions, as regions of a heap
 * of NVTX. Signatures are ITT's. */
#ifndef RLN_BRIDGE_ITT_HEAP_H
#define RLN_BRIDGE_ITT_HEAP_H

#include <stddef.h>

/* An allocation function; NULL: no memory, or no name. */
struct rln__itt_heap *rln__itt_heap_create(const char *name, const char *domain);

void rln__itt_heap_allocate_end(struct rln__itt_heap *heap, void **address, size_t size,
                                int is_initialized);
void rln__itt_heap_free_begin(struct rln__itt_heap *heap, void *address);
/* The old region ends before another thread can have its memory. */
void rln__itt_heap_reallocate_begin(struct rln__itt_heap *heap, void *address,
                                    size_t size, int is_initialized);
void rln__itt_heap_reallocate_end(struct rln__itt_heap *heap, void *old, void **address,
                                  size_t size, int is_initialized);

#endif
