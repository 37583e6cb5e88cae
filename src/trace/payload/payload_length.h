/* SPDX-License-Identifier: Apache-2.0 */
/* payload_length.h - where pointers lead, and how long arrays are. */
#ifndef RLN_TRACE_PAYLOAD_PAYLOAD_LENGTH_H
#define RLN_TRACE_PAYLOAD_PAYLOAD_LENGTH_H

#include "trace/payload/payload_parts.h"

/* Follows an entry that is a pointer or an offset. 0 if its target was not kept; then `*address` is the
 * target's address, 0 if it is NULL. */
int rln__follow_pointer(const struct rln__decoder *d,
                        struct rln__payload_position position,
                        const struct rln__schema_entry *entry,
                        struct rln__payload_position *out, uint64_t *address);

/* Reads a count of an integer type or an enum. 0: it is none. -1: it is negative, and
 * `out` 0. */
int rln__read_count(struct rln__decoder *d, struct rln__payload_position position,
                    uint64_t type, uint64_t *out);

/* Reads the index of a union's member in entry `i`. 0 if there is none. */
int rln__read_selector(struct rln__decoder *d, const struct rln__decode_frame *frame,
                       uint64_t i, uint64_t *out);

/* Reads the lengths in entry `i`: one, or an array of dimensions. 0 if there are none
 * that make sense. A negative length is zero. */
int rln__read_dimensions(struct rln__decoder *d, const struct rln__decode_frame *frame,
                         uint64_t i, struct rln__dimensions *out);

/* Reads the lengths in another payload: of a predefined type, or of a schema's first
 * entry. */
int rln__read_payload_lengths(struct rln__decoder *d, uint64_t index,
                              struct rln__dimensions *out);

#endif
