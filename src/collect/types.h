/* SPDX-License-Identifier: Apache-2.0 */
/* types.h - sizes and alignments of NVTX's types in this process. */
#ifndef RLN_COLLECT_TYPES_H
#define RLN_COLLECT_TYPES_H

#include <stddef.h>
#include <stdint.h>

/* NVTX_PAYLOAD_ENTRY_TYPE_*: those below are C's, whose sizes the client tells. */
enum { RLN__C_TYPES = 28 };

/* nvtxPayloadEntryTypeInfo_t */
struct rln__type {
    uint16_t size; /* bytes; 0: not a type of one size */
    uint16_t alignment;
};

/* Keeps what a client's PAYLOAD module says, and writes it down once a process. `info`
 * is the module's extInfo: an array, whose element 0 is {elements, bytes of an
 * element}. */
void rln__types_note(const void *info);

/* Of a predefined type: size and alignment of one. */
struct rln__type rln__type_of(uint64_t type);

/* Bytes of a character of a string type; 0 if it is none. */
size_t rln__character_bytes(uint64_t type);

#endif
