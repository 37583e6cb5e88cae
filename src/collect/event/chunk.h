/* SPDX-License-Identifier: Apache-2.0 */
/* chunk.h - reserves records on the cold path: everything that record.h does not do
 * inline. */
#ifndef RLN_COLLECT_EVENT_CHUNK_H
#define RLN_COLLECT_EVENT_CHUNK_H

#include "collect/event/words.h"

/* A dummy chunk for dropped words. All threads write to it, and none reads it. */
extern RLN_OWN struct rln__chunk_cursor rln__bucket;

/* Reserves a long record of `n_words` in the calling thread's current or next chunk. It
 * is a hole of that length until the caller stores the first word. Without space, this
 * counts a dropped event, and the caller must store nothing: rln__is_lost(). */
struct rln__reserved_slot rln__take_long(size_t n_words);

static inline int rln__is_lost(struct rln__reserved_slot slot)
{
    return slot.chunk == &rln__bucket;
}

/* Records the event on the cold path: when `slot` is empty, when the kernel
 * has to read the clock, or when the event is 2^36 ticks later than its chunk's base
 * (27 s at 2.5 GHz) and its time needs a longer record. `what` is {domain:24, kind:8}.
 * Returns the result of rln__put(). */
uint64_t rln__put_slow(struct rln__reserved_slot slot, uint32_t what,
                       uint32_t shifted_id, uint64_t value);

/* The calling thread's number, after its thread record is written; 0 if there is no
 * space for the record. */
uint32_t rln__thread_announced(void);

/* Counts a dropped event. */
void rln__count_dropped(void);

#endif
