/* SPDX-License-Identifier: Apache-2.0 */
/* payload_parts.h - what the files of the payload decoder share.
 *
 *   payload_decode.c   payloads, structs, unions, arrays
 *   payload_value.c    fields, and values without members: numbers, texts, bytes
 *   payload_length.c   where pointers lead, and how long arrays are
 *   payload_extent.c   how much room types take
 *
 * Every rln__decode_...() adds one field, with what is below it, or none if the event
 * has had enough, and returns where the value ends in its piece.
 */
#ifndef RLN_MODEL_PAYLOAD_PARTS_H
#define RLN_MODEL_PAYLOAD_PARTS_H

#include "model/payload_decode.h"

#define RLN__TEXT_STEP 8 /* bytes of text that are one step */
#define RLN__MOST_DIMENSIONS 8

/* A place in a piece. */
struct rln__spot {
    const struct rln__piece *piece;
    uint64_t base; /* where offsets in it count from */
    uint64_t at;
};

static inline struct rln__spot rln__spot_at(struct rln__spot spot, uint64_t at)
{
    spot.at = at;
    return spot;
}

static inline int rln__spot_has(struct rln__spot spot, uint64_t n_bytes)
{
    return spot.at <= spot.piece->n_kept && n_bytes <= spot.piece->n_kept - spot.at;
}

static inline const uint8_t *rln__spot_bytes(struct rln__spot spot)
{
    return spot.piece->bytes + spot.at;
}

/* In the program; 0 if nobody knows. */
static inline uint64_t rln__spot_address(struct rln__spot spot)
{
    return spot.piece->address && spot.at < RLN__FAR ? spot.piece->address + spot.at
                                                     : 0;
}

/* A struct that is being decoded: its entries may say how long others are. */
struct rln__frame {
    const struct rln__schema *schema;
    const struct rln__schema_entry *entries;
    struct rln__spot start;
    size_t first_place; /* in the decoder's places, which know `n_placed` of them */
    uint32_t n_placed;
    unsigned depth;
};

struct rln__dimensions {
    uint64_t of[RLN__MOST_DIMENSIONS];
    unsigned n;
};

/* --- payload_value.c -------------------------------------------------------------- */

/* The index of a new field. One that finds no room goes nowhere; then it is the number
 * of fields. */
size_t rln__field_add(struct rln__decoder *d, rln_field_kind kind, uint64_t type);

static inline rln_field *rln__field_at(struct rln__decoder *d, size_t index)
{
    return index < d->n_fields ? &d->fields[index] : &d->nowhere;
}

/* What was added since there were `before` fields is the next child of `parent`. */
void rln__field_adopt(struct rln__decoder *d, size_t parent, size_t before,
                      uint32_t index);
void rln__add_unread(struct rln__decoder *d, uint64_t type, uint64_t address);

uint64_t rln__decode_bytes(struct rln__decoder *d, struct rln__spot spot, uint64_t n);
uint64_t rln__decode_text(struct rln__decoder *d, struct rln__spot spot, uint64_t type,
                          uint64_t n_units);

/* A text that ends with its first zero, or where the bytes do. */
uint64_t rln__decode_terminated_text(struct rln__decoder *d, struct rln__spot spot,
                                     uint64_t type);

/* A predefined type. */
uint64_t rln__decode_scalar(struct rln__decoder *d, struct rln__spot spot,
                            uint64_t type);
uint64_t rln__decode_enum(struct rln__decoder *d, struct rln__spot spot, uint64_t type,
                          const struct rln__schema *schema);

/* --- payload_length.c ------------------------------------------------------------- */

/* Follows a pointer or an offset. 0 if it leads nowhere that we have; then `*address`
 * is where it leads, 0 if it is NULL. */
int rln__follow(const struct rln__decoder *d, struct rln__spot spot, uint64_t flags,
                struct rln__spot *out, uint64_t *address);

/* A number of things, of an integer type or an enum: not negative. */
int rln__read_count(struct rln__decoder *d, struct rln__spot spot, uint64_t type,
                    uint64_t *out);

/* The numbers in entry `i`: one, or those of an array of dimensions. 0 if there are
 * none that make sense. */
int rln__read_lengths(struct rln__decoder *d, const struct rln__frame *frame,
                      uint64_t i, struct rln__dimensions *out);

/* The numbers in another payload: of a predefined type, or of a schema's first entry.
 */
int rln__read_payload_lengths(struct rln__decoder *d, uint64_t index,
                              struct rln__dimensions *out);

#endif
