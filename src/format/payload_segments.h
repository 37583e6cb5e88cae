/* SPDX-License-Identifier: Apache-2.0 */
/* payload_segments.h - the bytes recorded with an event: payloads, and the memory that
 * they point to (docs/FORMAT.md 5, "event with payloads").
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

/* A payload or memory; `bytes` points into the record. */
struct rln__payload_segment {
    const uint8_t *bytes;
    uint64_t schema; /* id; 0: memory, or the event itself says what it is */
    uint64_t address;
    uint32_t n_kept;
    uint32_t n_given; /* RLN__GIVEN_UNKNOWN: the call did not say */
};

/* A growing list, used for one event after the other. Empty when zeroed. */
struct rln__payload_segments {
    struct rln__payload_segment *items; /* owned */
    size_t n, capacity;
    size_t n_payloads; /* at the front; never more than n */
};

/* Reads segments up to the end of `words`. 0, -1 when there is no memory, 1 if they do
 * not fit, or are fewer than `n_payloads`. */
int rln__payload_segments_read(struct rln__payload_segments *pieces,
                               const uint64_t *words, size_t n_words,
                               size_t n_payloads);
void rln__payload_segments_clear(struct rln__payload_segments *pieces);

/* Where the segments of a record of RLN__SUB_PAYLOADS begin; 0 if it is damaged. */
size_t rln__payloads_begin(const uint64_t *words, size_t n_words);

static inline size_t rln__payloads_count(const uint64_t *words)
{
    return (uint16_t)(words[2] >> 16);
}

#endif
