/* SPDX-License-Identifier: Apache-2.0 */
/* block.h - reserves and maps blocks of the file, and extents of them for chunks. Cold,
 * signals blocked. */
#ifndef RLN_COLLECT_EVENT_BLOCK_H
#define RLN_COLLECT_EVENT_BLOCK_H

#include "collect/collector.h"

enum {
    RLN__FIRST_BLOCK_BYTES = 64 << 10
}; /* doubled for each further block, up to 4 MiB */

/* A part of a block, owned by the caller, that will become a chunk. */
struct rln__chunk_extent {
    struct rln__block *block;
    uintptr_t address;
    uint64_t offset; /* in the file */
    uint64_t size;   /* a multiple of RLN__CHUNK_ALIGN */
};

/* Reserves up to `want` bytes, at least `need`, of the current block or a new one. 0,
 * or a negative errno when the disk is full. */
int rln__block_extent(struct rln__process_context *p, uint64_t need, uint64_t want,
                      struct rln__chunk_extent *out);

/* The same, but uses only blocks that exist already. If there is none, requests one
 * from the helper and fails; the caller never waits. */
int rln__block_extent_ready(struct rln__process_context *p, uint64_t need,
                            uint64_t want, struct rln__chunk_extent *out);

/* The caller has left a chunk of `size` bytes: it receives no new records, but an
 * interrupted call may still store one. After all chunks of the block are left, its
 * pages are returned to the kernel, and its addresses are unmapped several blocks
 * later. The helper does this if there is one, because it takes as long as some
 * thousand events. */
void rln__block_leave(struct rln__process_context *p, struct rln__block *b,
                      uint64_t size);

/* The helper's part of rln__block_leave(). */
void rln__blocks_retire(struct rln__process_context *p);

/* The block that was created with the file, if this process created the file. */
void rln__block_first(struct rln__process_context *p);

/* Reserves and maps a block of the process's next block size. NULL if the disk is full.
 */
struct rln__block *rln__block_new(struct rln__process_context *p, uint64_t need);

#endif
