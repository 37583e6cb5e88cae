/* SPDX-License-Identifier: Apache-2.0 */
/* block.h - the pieces of the file that this process took. Cold, signals blocked. */
#ifndef RLN_COLLECT_BLOCK_H
#define RLN_COLLECT_BLOCK_H

#include "collect/collector.h"

enum { RLN__FIRST_BLOCK_BYTES = 64 << 10 }; /* twice that the next, up to 4 MiB */

/* A piece of a block that nobody else has: a chunk to be. */
struct rln__cut {
    struct rln__block *block;
    uintptr_t address;
    uint64_t offset; /* in the file */
    uint64_t size;   /* a multiple of RLN__CHUNK_ALIGN */
};

/* Cuts up to `want` bytes, at least `need`, from the current block or a new one. 0, or
 * a negative errno when the file has no more room. */
int rln__block_cut(struct rln__process *p, uint64_t need, uint64_t want,
                   struct rln__cut *out);

/* The same of room that is there already, or else is made by the helper; nobody waits.
 */
int rln__block_cut_ready(struct rln__process *p, uint64_t need, uint64_t want,
                         struct rln__cut *out);

/* A chunk of `size` bytes will not be written to any more, but for a store that some
 * interrupted call still has before it. When the whole block has come to that, its
 * pages are given back to the kernel, and its addresses several blocks later: by the
 * helper if there is one, for that takes as long as some thousand events. */
void rln__block_leave(struct rln__process *p, struct rln__block *b, uint64_t size);

/* The helper's part of that. */
void rln__blocks_retire(struct rln__process *p);

/* The block that was made with the file, if we made it: nobody else's. */
void rln__block_first(struct rln__process *p);

/* Reserves and maps a block of the process's next size. NULL if there is no room. */
struct rln__block *rln__block_new(struct rln__process *p, uint64_t need);

/* helper.c: asks for a spare block. If there is no helper yet, the one who is about to
 * leave the cold path starts it: */
void rln__helper_call(struct rln__process *p);

/* helper.c: starts the helper if it is wanted. `mask` is the signal mask to which the
 * caller is about to return. */
void rln__helper_start(struct rln__process *p, rln__sigmask mask);

#endif
