/* SPDX-License-Identifier: Apache-2.0 */
/* flatbuffer.h - writes flatbuffers, in which Arrow's messages describe themselves.
 *
 *   [offset of the root][vtable][table: distance to vtable, fields]...
 *
 * A table comes before what it refers to: its offsets are set when that is written.
 * Numbers are little-endian, as the machine's.
 */
#ifndef RLN_EXPORT_ARROW_FLATBUFFER_H
#define RLN_EXPORT_ARROW_FLATBUFFER_H

#include "base/buf.h"

#define RLN__FLAT_OFFSET 4 /* the width of a field that refers to something */

/* Begins a table, aligned to 8 bytes, whose fields are zeros: `widths` are theirs in
 * bytes, 0 of one that is absent. Returns where it is. */
size_t rln__flat_table(struct rln__buf *out, const uint8_t *widths, size_t n_fields);

/* Where a table's field is. */
size_t rln__flat_field(const struct rln__buf *out, size_t table, size_t field);

void rln__flat_set(struct rln__buf *out, size_t at, uint64_t value, size_t width);

/* Makes the offset at `at` refer to `target`. */
void rln__flat_refer(struct rln__buf *out, size_t at, size_t target);

/* Begins a vector, to which the caller adds `n` items, and refers to it: items of 8
 * bytes are aligned. Returns where the first is. */
size_t rln__flat_vector(struct rln__buf *out, size_t at, size_t n);

/* A vector of offsets, to be set. */
size_t rln__flat_offsets(struct rln__buf *out, size_t at, size_t n);

/* A text, and refers to it. */
void rln__flat_text(struct rln__buf *out, size_t at, const char *text);

#endif
