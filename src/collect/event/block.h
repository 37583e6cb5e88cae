/* SPDX-License-Identifier: Apache-2.0 */
/* block.h - blocks: the pieces of the file that this process has reserved. Cold,
 * signals blocked. */
#ifndef RLN_COLLECT_EVENT_BLOCK_H
#define RLN_COLLECT_EVENT_BLOCK_H

#include "collect/collector.h"

enum {
    RLN__FIRST_BLOCK_BYTES = 64 << 10
}; /* doubled for each further block, up to 4 MiB */

/* A piece of a block, owned by the caller, that will become a chunk. */
struct rln__chunk_extent {
    struct rln__block *block;
    uintptr_t address;
    uint64_t offset; /* in the file */
    uint64_t size;   /* a multiple of RLN__CHUNK_ALIGN */
};

/* Cuts up to `want` bytes, at least `need`, from the current block or a new one. 0, or
 * a negative errno when the file has no more room. */
int rln__block_cut(struct rln__process_context *p, uint64_t need, uint64_t want,
                   struct rln__chunk_extent *out);

/* The same, but takes only room that already exists. Otherwise the helper makes some;
 * the caller never waits. */
int rln__block_cut_ready(struct rln__process_context *p, uint64_t need, uint64_t want,
                         struct rln__chunk_extent *out);

/* A chunk of `size` bytes receives no new records; one interrupted store may still
 * land. Once that is true of the whole block, its pages go back to the kernel, and its
 * addresses are unmapped several blocks later. The helper does this if there is one,
 * because it takes as long as some thousand events. */
void rln__block_leave(struct rln__process_context *p, struct rln__block *b,
                      uint64_t size);

/* The helper's part of rln__block_leave(). */
void rln__blocks_retire(struct rln__process_context *p);

/* The block that was created with the file, if this process created the file. */
void rln__block_first(struct rln__process_context *p);

/* Reserves and maps a block of the process's next block size. NULL if there is no room.
 */
struct rln__block *rln__block_new(struct rln__process_context *p, uint64_t need);

/* helper.c: asks for a spare block. If there is no helper yet, the caller starts it on
 * leaving the cold path, by rln__helper_start(). */
void rln__helper_call(struct rln__process_context *p);

/* helper.c: starts the helper if it is wanted. `mask` is the signal mask that the
 * caller is about to restore. */
void rln__helper_start(struct rln__process_context *p, rln__sigmask mask);

#endif
