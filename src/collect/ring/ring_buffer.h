/* SPDX-License-Identifier: Apache-2.0 */
/* ring_buffer.h - keeps the newest events of a process in a ring buffer (--buffer).
 *
 *   pool  [filled at 7][writes: A][filled at 3][filled at 9][writes: B]
 *                                      |
 *                                      +--> the oldest: thread A's next chunk
 *
 * A thread with a full chunk overwrites the chunk with the oldest last event. It never
 * overwrites a chunk that another thread writes, so the pool has at least two chunks
 * per thread, whatever its size. The chunk of a thread that has ended can be
 * overwritten like any other.
 *
 * The new chunk begins with the ranges that are open (open_range_carry.h), so the
 * thread's history can begin there. The old events are overwritten, except starts and
 * ends, which unpaired_records.h keeps. Cold, signals blocked;
 * docs/reference/FORMAT.md 10.
 */
#ifndef RLN_COLLECT_RING_RING_BUFFER_H
#define RLN_COLLECT_RING_RING_BUFFER_H

#include "collect/event/block.h"
#include "collect/event/thread.h"

enum {
    RLN__RING_CHUNK_BYTES = 64 << 10, /* doubled for large buffers */
    RLN__LEAST_CHUNK_BYTES =
        48 << 10, /* the rest of a process's first block after its names */
    RLN__LONGEST_RING_RECORD_BYTES =
        24 << 10, /* the rest is for the first records of a chunk */
    RLN__OPEN_RANGE_CARRY_BYTES = 16 << 10,
};

/* Whether the run has ring buffers. */
static inline int rln__is_bounded(void)
{
    return rln__collector.ring_bytes != 0;
}

/* Limits texts and payloads so that records fit a ring buffer's chunk. */
void rln__ring_buffer_limit(struct rln__collector *collector);

/* A chunk owned by the caller, zeroed after its header. */
struct rln__ring_buffer_chunk {
    struct rln__chunk_extent extent;
    uint64_t place;
    uint32_t number; /* in the pool, from 1 */
};

/* Claims the next chunk of the thread. 0 if the disk is full and no chunk can be
 * overwritten. */
int rln__ring_buffer_take(struct rln__process_context *p, struct rln__thread_context *t,
                          struct rln__ring_buffer_chunk *out);

/* Makes the chunk valid for readers: its header and its first record are complete. */
void rln__ring_buffer_begin(const struct rln__ring_buffer_chunk *chunk);

/* Makes it the calling thread's chunk. */
void rln__ring_buffer_own(struct rln__process_context *p, struct rln__thread_context *t,
                          const struct rln__ring_buffer_chunk *chunk);

/* Facts about the records of a full chunk. */
struct rln__found {
    uint64_t last_ticks;
    uint64_t end_bytes; /* of the last record, from the chunk's beginning */
    uint32_t has_pairs; /* starts or ends */
    uint32_t has_gaps; /* words are missing: an interrupted call may still write them */
};

/* The calling thread has left chunk `number`, which may now be overwritten. */
void rln__ring_buffer_leave(struct rln__process_context *p, uint32_t number,
                            const struct rln__found *found);

/* The extent of chunk `number`. */
struct rln__chunk_extent rln__ring_buffer_at(struct rln__process_context *p,
                                             uint32_t number);

#endif
