/* SPDX-License-Identifier: Apache-2.0 */
/* types.h - looks up sizes and alignments of NVTX's types in this process. */
#ifndef RLN_COLLECT_CALLBACKS_TYPES_H
#define RLN_COLLECT_CALLBACKS_TYPES_H

#include <stddef.h>
#include <stdint.h>

/* NVTX_PAYLOAD_ENTRY_TYPE_*: lower values are C types; the client reports their sizes.
 */
enum { RLN__C_TYPES = 28 };

/* nvtxPayloadEntryTypeInfo_t */
struct rln__type {
    uint16_t size; /* bytes; 0: no type of fixed size */
    uint16_t alignment;
};

/* Keeps the type sizes of a client's PAYLOAD module, and writes them once per process.
 * `info` is the module's extInfo: an array whose element 0 is {number of elements,
 * bytes per element}. */
void rln__types_note(const void *info);

/* The size and alignment of a predefined type. */
struct rln__type rln__type_of(uint64_t type);

#endif
