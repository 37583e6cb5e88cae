/* SPDX-License-Identifier: Apache-2.0 */
/* payload_scalar.h - values of NVTX's predefined types: their sizes, numbers and text.
 */
#ifndef RLN_MODEL_PAYLOAD_SCALAR_H
#define RLN_MODEL_PAYLOAD_SCALAR_H

#include "base/buf.h"
#include "format/nvtx_payload.h"
#include "format/registry.h"
#include "rangeline/payload.h"

/* Bytes of a predefined type; of a string: of one of its units. 0 if there is none of
 * that number. */
uint32_t rln__type_size(const struct rln__types *types, uint64_t type);
uint32_t rln__type_alignment(const struct rln__types *types, uint64_t type);

/* char, and its kin with other widths: an array of them is a text. */
int rln__type_is_character(uint64_t type);
int rln__type_is_string(uint64_t type);

/* A little-endian number of at most 8 bytes. */
uint64_t rln__load(const uint8_t *bytes, uint32_t n_bytes);

/* Fills in kind and value of a number; `bytes` has rln__type_size() of them. 0 for
 * types whose meaning is not in their bytes: texts, names, handles. */
int rln__scalar_read(const struct rln__types *types, uint64_t type,
                     const uint8_t *bytes, rln_field *out);

/* An integer of any type or an enum's value of `n_bytes`; 0 if it is none or negative.
 */
int rln__scalar_count(const struct rln__types *types, uint64_t type,
                      const uint8_t *bytes, uint64_t *out);

/* Appends UTF-16 or UTF-32 as UTF-8; what is no character becomes U+FFFD. */
void rln__buf_utf16(struct rln__buf *buf, const uint8_t *bytes, size_t n_units);
void rln__buf_utf32(struct rln__buf *buf, const uint8_t *bytes, size_t n_units);

#endif
