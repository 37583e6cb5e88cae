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
    size_t first_place; /* in the decoder's places, which hold `n_placed` of them */
    uint32_t n_placed;
    unsigned depth;
};

struct rln__dimensions {
    uint64_t of[RLN__MOST_DIMENSIONS];
    unsigned n;
};

/* --- payload_value.c -------------------------------------------------------------- */

/* Adds a field and returns its index. Without room, that is the number of fields, which
 * stands for `nowhere`. */
size_t rln__field_add(struct rln__decoder *d, rln_field_kind kind, uint64_t type);

static inline rln_field *rln__field_at(struct rln__decoder *d, size_t index)
{
    return index < d->n_fields ? &d->fields[index] : &d->nowhere;
}

/* Makes the fields added since there were `before` of them the next child of `parent`.
 */
void rln__field_adopt(struct rln__decoder *d, size_t parent, size_t before,
                      uint32_t index);
void rln__add_unread(struct rln__decoder *d, uint64_t type, uint64_t address);

uint64_t rln__decode_bytes(struct rln__decoder *d,
                           struct rln__payload_position position, uint64_t n);
uint64_t rln__decode_text(struct rln__decoder *d, struct rln__payload_position position,
                          uint64_t type, uint64_t n_units);

/* A text that ends at its first zero, or where the bytes do. */
uint64_t rln__decode_terminated_text(struct rln__decoder *d,
                                     struct rln__payload_position position,
                                     uint64_t type);

/* A predefined type. */
uint64_t rln__decode_scalar(struct rln__decoder *d,
                            struct rln__payload_position position, uint64_t type);
uint64_t rln__decode_enum(struct rln__decoder *d, struct rln__payload_position position,
                          uint64_t type, const struct rln__schema *schema);

/* --- payload_length.c ------------------------------------------------------------- */

/* Follows a pointer or an offset. 0 if its target was not kept; then `*address` is the
 * target's address, 0 if it is NULL. */
int rln__follow_pointer(const struct rln__decoder *d,
                          struct rln__payload_position position, uint64_t flags,
                          struct rln__payload_position *out, uint64_t *address);

/* Reads a count of an integer type or an enum. 0 if it is none, or negative. */
int rln__read_count(struct rln__decoder *d, struct rln__payload_position position,
                    uint64_t type, uint64_t *out);

/* Reads the lengths in entry `i`: one, or an array of dimensions. 0 if there are none
 * that make sense. */
int rln__read_dimensions(struct rln__decoder *d,
                                 const struct rln__decode_frame *frame, uint64_t i,
                                 struct rln__dimensions *out);

/* Reads the lengths in another payload: of a predefined type, or of a schema's first
 * entry. */
int rln__read_payload_lengths(struct rln__decoder *d, uint64_t index,
                              struct rln__dimensions *out);

#endif
