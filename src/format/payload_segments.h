/* SPDX-License-Identifier: Apache-2.0 */
/* payload_segments.h - reads the bytes recorded with an event: its payloads, and the
 * memory that they point to (docs/reference/FORMAT.md 5, "event with payloads").
 *
 *   record  [long word][ticks][kind ..][value][in line  ][segment][segment]...
 *                                                         |
 *                                                         +-- {schema, address, sizes}
 *                                                             bytes
 */
#ifndef RLN_FORMAT_PAYLOAD_SEGMENTS_H
#define RLN_FORMAT_PAYLOAD_SEGMENTS_H

#include "format/layout.h"
#include "rangeline/error.h"

/* One segment: a payload, or memory. `bytes` points into the record. */
struct rln__payload_segment {
    const uint8_t *bytes;
    uint64_t schema; /* id; 0: memory, or the event determines it */
    uint64_t address;
    uint32_t n_kept;
    uint32_t n_given; /* size in the call, or RLN__GIVEN_UNKNOWN */
};

/* A list that is reused for one event after the other. Empty when zeroed. */
struct rln__payload_segments {
    struct rln__payload_segment *items; /* owned */
    size_t n, capacity;
    size_t n_payloads; /* the first items are payloads; never more than n */
};

/* Reads segments up to the end of `words`. 0, -1 when there is no memory, 1 if they do
 * not fit, or are fewer than `n_payloads`. */
int rln__payload_segments_read(struct rln__payload_segments *segments,
                               const uint64_t *words, size_t n_words,
                               uint64_t n_payloads);
void rln__payload_segments_clear(struct rln__payload_segments *segments);

/* Index of the word where the segments of a RLN__SUB_PAYLOADS record begin; 0 if it is
 * damaged. */
size_t rln__payloads_begin(const uint64_t *words, size_t n_words);

static inline size_t rln__payloads_count(const uint64_t *words)
{
    return (uint16_t)(words[2] >> 16);
}

#endif
