/* SPDX-License-Identifier: Apache-2.0 */
/* payload_extent.h - sizes and alignments: the offset of an entry whose schema has
 * none. */
#ifndef RLN_TRACE_PAYLOAD_PAYLOAD_EXTENT_H
#define RLN_TRACE_PAYLOAD_PAYLOAD_EXTENT_H

#include "trace/payload/payload_decode.h"

/* 0 when the event has used up its steps. */
int rln__decode_step(struct rln__decoder *d, uint64_t n);

const struct rln__schema *rln__decode_schema(const struct rln__decoder *d, uint64_t id);
struct rln__extent rln__type_extent(struct rln__decoder *d, uint64_t type,
                                    unsigned depth);
struct rln__extent rln__entry_extent(struct rln__decoder *d,
                                     const struct rln__schema *schema,
                                     const struct rln__schema_entry *entry,
                                     unsigned depth);
uint32_t rln__enum_size(const struct rln__schema *schema);
uint32_t rln__pointer_size(const struct rln__decoder *d);

#endif
