/* SPDX-License-Identifier: Apache-2.0 */
/* newest.h - the flight recorder: a process keeps its newest events in bounded space.
 *
 *   pool  [filled at 7][writes: A][filled at 3][filled at 9][writes: B]
 *                                      |
 *                                      +--> the oldest: thread A's next chunk
 *
 * A thread whose chunk is full takes the chunk whose newest event is the oldest. Never
 * is that one in which a thread writes now, so the pool has at least two chunks for
 * each of them, whatever its size. Threads that have ended write no more: when a chunk
 * is wanted and another thread is found to be gone, its chunk is as any other.
 *
 * The new chunk begins with the ranges that are open (continued.h), so the thread's
 * record can begin there. What is lost with the old one, but for its half of pairs of a
 * start and an end, goes to halves.h. Cold, signals blocked; docs/FORMAT.md 10.
 */
#ifndef RLN_COLLECT_NEWEST_H
#define RLN_COLLECT_NEWEST_H

#include "collect/block.h"
#include "collect/thread.h"

enum {
    RLN__NEWEST_CHUNK_BYTES = 64 << 10, /* doubled where they would be very many */
    RLN__LEAST_CHUNK_BYTES = 48 << 10,  /* what names left of a process's first block */
    RLN__LONGEST_NEWEST_BYTES = 24 << 10, /* of a record: the rest is what opens it */
    RLN__CONTINUED_BYTES = 16 << 10,
};

/* Whether the run keeps its newest events only. */
static inline int rln__is_bounded(void)
{
    return rln__collector.newest_bytes != 0;
}

/* What texts and payloads may have there. At most that, or less. */
void rln__newest_limit(struct rln__collector *collector);

/* A chunk that nobody else has, and that holds zeros behind its header. */
struct rln__newest_chunk {
    struct rln__cut cut;
    uint64_t place;
    uint32_t number; /* in the pool, from 1 */
};

/* 0 if there is none: no room in the file, and none that can be used again. */
int rln__newest_take(struct rln__process *p, struct rln__thread *t,
                     struct rln__newest_chunk *out);

/* From here on it is valid for readers: its header and its first record stand. */
void rln__newest_begin(const struct rln__newest_chunk *chunk);

/* The calling thread writes in that one from now on. */
void rln__newest_own(struct rln__process *p, struct rln__thread *t,
                     const struct rln__newest_chunk *chunk);

/* What was found in a chunk that is full. */
struct rln__found {
    uint64_t last_ticks;
    uint64_t end_bytes; /* of the last record, from the chunk's beginning */
    uint32_t has_pairs; /* starts or ends */
    uint32_t has_gaps;  /* words are missing: a call may still come back to them */
};

/* The calling thread has left chunk `number`: it may be used again. */
void rln__newest_leave(struct rln__process *p, uint32_t number,
                       const struct rln__found *found);

/* Where it lies. */
struct rln__cut rln__newest_at(struct rln__process *p, uint32_t number);

#endif
