/* SPDX-License-Identifier: Apache-2.0 */
/* schema.h - what the collector needs from schemas: how large a payload is, and where
 * its pointers lead. Readers interpret the rest. Cold.
 */
#ifndef RLN_COLLECT_PAYLOAD_SCHEMA_H
#define RLN_COLLECT_PAYLOAD_SCHEMA_H

#include "collect/callbacks/register.h"
#include "collect/callbacks/types.h"
#include "collect/payload/payload_gather.h"

/* Atomic: payloads up to this size need only their bytes copied. 0 as soon as a schema
 * is registered whose pointers are to be followed. */
extern RLN_OWN size_t rln__small_payload_bytes;
enum { RLN__SMALL_PAYLOAD_BYTES = 256 };

/* The registration callbacks. */
uint64_t rln__on_schema_register(uint64_t domain, const void *attributes);
uint64_t rln__on_enum_register(uint64_t domain, const void *attributes);

/* The size of a payload of a static schema, an enum or a predefined type; 0 if it has
 * none or is not known. */
size_t rln__schema_bytes(uint32_t domain, uint64_t schema);

/* Adds what the pointers in the segment at `word` lead to, recursively, if its schema
 * asks for it. */
void rln__schema_follow(struct rln__payload_gather *s, size_t word, uint64_t schema);

#endif
