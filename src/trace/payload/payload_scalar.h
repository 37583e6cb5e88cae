/* SPDX-License-Identifier: Apache-2.0 */
/* payload_scalar.h - values of NVTX's predefined types: their sizes, numbers and text.
 */
#ifndef RLN_TRACE_PAYLOAD_PAYLOAD_SCALAR_H
#define RLN_TRACE_PAYLOAD_PAYLOAD_SCALAR_H

#include "base/buf.h"
#include "format/nvtx_payload.h"
#include "format/registry.h"
#include "rangeline/values.h"

/* The bytes of a predefined type; for a string, of one unit. 0 if there is no such
 * type. */
uint32_t rln__type_size(const struct rln__types *types, uint64_t type);
uint32_t rln__type_alignment(const struct rln__types *types, uint64_t type);

/* char and its other widths: an array of them is a text. */
int rln__type_is_character(uint64_t type);

/* A little-endian number of at most 8 bytes. */
uint64_t rln__load(const uint8_t *bytes, uint32_t n_bytes);

/* Sets kind and value of a number from rln__type_size() bytes. 0 for types whose value
 * is not in their bytes: texts, names, handles. */
int rln__scalar_read(const struct rln__types *types, uint64_t type,
                     const uint8_t *bytes, rln_field *out);

/* A count of any integer type; 0: it is none. -1: it is negative, and `out` 0. */
int rln__scalar_count(const struct rln__types *types, uint64_t type,
                      const uint8_t *bytes, uint64_t *out);

/* Appends UTF-16 or UTF-32 as UTF-8; invalid characters become U+FFFD. */
void rln__buf_utf16(struct rln__buf *buf, const uint8_t *bytes, size_t n_units);
void rln__buf_utf32(struct rln__buf *buf, const uint8_t *bytes, size_t n_units);

#endif
