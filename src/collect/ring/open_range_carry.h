/* SPDX-License-Identifier: Apache-2.0 */
/* open_range_carry.h - carries the ranges that are open when a thread's chunk is full
 * to the next chunk. The hot path keeps no list of them; they are read from the full
 * chunk.
 *
 *   full   |continued: a b| ... pop b ... push c ... push d ... pop d ... |
 *   next   |continued: a c|
 *
 * Cold, signals blocked; docs/reference/FORMAT.md 10.
 */
#ifndef RLN_COLLECT_RING_OPEN_RANGE_CARRY_H
#define RLN_COLLECT_RING_OPEN_RANGE_CARRY_H

#include "collect/ring/ring_buffer.h"

/* Reads a chunk that its thread has left. `carried` may be NULL. */
void rln__open_range_carry_find(const struct rln__chunk_extent *extent,
                                struct rln__carried *carried, struct rln__found *found);

/* The number of words for the ranges' records, at most RLN__OPEN_RANGE_CARRY_BYTES:
 * drops outer ranges that do not fit. */
size_t rln__open_range_carry_words(const struct rln__chunk_extent *extent,
                                   struct rln__carried *carried);

/* The number of ranges of a domain. */
uint32_t rln__open_range_carry_in(const struct rln__carried *carried, uint32_t domain);

/* Writes the ranges' records one after another. */
void rln__open_range_carry_put(uint64_t *to, const struct rln__chunk_extent *extent,
                               const struct rln__carried *carried);

/* A start or an end, decoded from any kind of record. 0: the record is neither. */
struct rln__range_record {
    uint64_t ticks;
    uint64_t range; /* for an end */
    uint32_t kind;
    uint32_t id; /* of attributes, 0 if they are in line; or a domain */
    const uint64_t *in_line;
};
int rln__range_record_decode(const uint64_t *words, uint64_t base_ticks,
                             struct rln__range_record *out);

#endif
