/* SPDX-License-Identifier: Apache-2.0 */
/* schema.h - registers schemas, and uses them for the size of a payload and for its
 * pointers. Readers interpret the rest. Cold.
 */
#ifndef RLN_COLLECT_PAYLOAD_SCHEMA_H
#define RLN_COLLECT_PAYLOAD_SCHEMA_H

#include "collect/callbacks/register.h"
#include "collect/callbacks/types.h"

/* Atomic: for payloads up to this size, only their bytes are copied. 0 after a schema
 * with pointers to follow is registered. */
extern RLN_OWN size_t rln__small_payload_bytes;
enum { RLN__SMALL_PAYLOAD_BYTES = 256 };

/* The registration callbacks. */
uint64_t rln__on_schema_register(uint64_t domain, const void *attributes);
uint64_t rln__on_enum_register(uint64_t domain, const void *attributes);

/* The size of a payload of a static schema, an enum or a predefined type; 0 if it has
 * none or is unknown. */
size_t rln__schema_bytes(uint32_t domain, uint64_t schema);

#endif
