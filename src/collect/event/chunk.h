/* SPDX-License-Identifier: Apache-2.0 */
/* chunk.h - the cold path of a thread's chunk: everything that record.h does not do
 * inline. */
#ifndef RLN_COLLECT_EVENT_CHUNK_H
#define RLN_COLLECT_EVENT_CHUNK_H

#include "collect/event/record.h"

/* A dummy chunk for words that have no room. All threads write to it, nobody reads it.
 */
extern RLN_OWN struct rln__chunk_cursor rln__bucket;

/* Reserves a long record of `n_words` in the calling thread's current or next chunk. It
 * is a hole of that length until the caller stores the first word. Without room, the
 * event is counted as dropped, and the caller must store nothing. */
struct rln__reserved_slot rln__take_long(size_t n_words);

static inline int rln__is_lost(struct rln__reserved_slot taken)
{
    return taken.chunk == &rln__bucket;
}

/* The calling thread's number, assigned when the thread is announced in its first
 * chunk; 0 if there is no room. */
uint32_t rln__thread_announced(void);

/* Counts an event that was lost for lack of memory. */
void rln__count_dropped(void);

#endif
