/* SPDX-License-Identifier: Apache-2.0 */
/* chunk.h - the cold side of a thread's chunk: what record.h does not do in line. */
#ifndef RLN_COLLECT_CHUNK_H
#define RLN_COLLECT_CHUNK_H

#include "collect/record.h"

/* Where words go that have no room. All threads write it, nobody reads it. */
extern RLN_OWN struct rln__chunk rln__bucket;

/* Room for a long record of `n_words` in the calling thread's chunk, or a new chunk:
 * a hole of that length, until the caller stores the first word. If there is none, the
 * event is counted as dropped, and the caller stores nothing. */
struct rln__taken rln__take_long(size_t n_words);

static inline int rln__is_lost(struct rln__taken taken)
{
    return taken.chunk == &rln__bucket;
}

/* The calling thread's number, which it has once it is announced in a chunk of its own;
 * 0 without room. */
uint32_t rln__thread_announced(void);

/* Counts an event that was lost for want of memory. */
void rln__count_dropped(void);

#endif
