/* SPDX-License-Identifier: Apache-2.0 */
/* payload_value.h - fields, and values without members. */
#ifndef RLN_TRACE_PAYLOAD_PAYLOAD_VALUE_H
#define RLN_TRACE_PAYLOAD_PAYLOAD_VALUE_H

#include "trace/payload/payload_parts.h"

/* Adds a field and returns its index. Without room, that is the number of fields, which
 * stands for `nowhere`. */
size_t rln__field_add(struct rln__decoder *d, rln_field_kind kind, uint64_t type);

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

#endif
