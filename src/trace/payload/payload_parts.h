/* SPDX-License-Identifier: Apache-2.0 */
/* payload_parts.h - declarations shared by the files of the payload decoder.
 *
 *   payload_decode.c   payloads, structs, unions, arrays
 *   payload_value.c    fields, and values without members: numbers, texts, bytes
 *   payload_length.c   targets of pointers, and lengths of arrays
 *   payload_extent.c   sizes of types
 *
 * Every rln__decode_...() adds one field and those below it, or none if the event has
 * used up its steps, and returns the position after the value in its segment.
 */
#ifndef RLN_TRACE_PAYLOAD_PAYLOAD_PARTS_H
#define RLN_TRACE_PAYLOAD_PAYLOAD_PARTS_H

#include "trace/payload/payload_decode.h"

#define RLN__TEXT_STEP 8 /* bytes of text per step */
#define RLN__MOST_DIMENSIONS 8

/* A position in a segment. */
struct rln__payload_position {
    const struct rln__payload_segment *segment;
    uint64_t base; /* where its offsets count from */
    uint64_t at;
};

static inline struct rln__payload_position
rln__payload_position_at(struct rln__payload_position position, uint64_t at)
{
    position.at = at;
    return position;
}

static inline int rln__payload_position_has(struct rln__payload_position position,
                                            uint64_t n_bytes)
{
    return position.at <= position.segment->n_kept &&
           n_bytes <= position.segment->n_kept - position.at;
}

static inline const uint8_t *
rln__payload_position_bytes(struct rln__payload_position position)
{
    return position.segment->bytes + position.at;
}

/* The address in the program; 0 if unknown. */
static inline uint64_t
rln__payload_position_address(struct rln__payload_position position)
{
    return position.segment->address && position.at < RLN__FAR
               ? position.segment->address + position.at
               : 0;
}

/* A struct being decoded: its entries may give the lengths of others. */
struct rln__decode_frame {
    const struct rln__schema *schema;
    const struct rln__schema_entry *entries;
    struct rln__payload_position start;
    size_t first_offset; /* in the decoder's offsets, which hold `n_offsets` of them */
    uint32_t n_offsets;
    unsigned depth;
};

struct rln__dimensions {
    uint64_t of[RLN__MOST_DIMENSIONS];
    unsigned n;
};

static inline rln_field *rln__field_at(struct rln__decoder *d, size_t index)
{
    return index < d->n_fields ? &d->fields[index] : &d->nowhere;
}

/* Arithmetic on positions; saturates at RLN__FAR. */
static inline uint64_t rln__far_add(uint64_t a, uint64_t b)
{
    return a >= RLN__FAR || b >= RLN__FAR - a ? RLN__FAR : a + b;
}

static inline uint64_t rln__far_times(uint64_t a, uint64_t b)
{
    return b && a >= RLN__FAR / b ? RLN__FAR : a * b;
}

static inline uint64_t rln__far_align(uint64_t at, uint64_t alignment)
{
    const uint64_t rest = alignment ? at % alignment : 0;

    return rest ? rln__far_add(at, alignment - rest) : at;
}

static inline int rln__entry_is_union(const struct rln__schema *schema)
{
    return schema->type == RLN__SCHEMA_UNION ||
           schema->type == RLN__SCHEMA_UNION_INTERNAL;
}

#endif
