/* SPDX-License-Identifier: Apache-2.0 */
/* table_parts.h - what the table formats share: cells, headers, kinds. */
#ifndef RLN_TABLE_TABLE_PARTS_H
#define RLN_TABLE_TABLE_PARTS_H

#include "table/table.h"

/* enum rln__column_kind */
static inline unsigned rln__table_kind(const struct rln__table *t, size_t column)
{
    return t->columns[column].kind & RLN__KINDS;
}

static inline bool rln__table_is_text(const struct rln__table *t, size_t column)
{
    return rln__table_kind(t, column) >= RLN__TEXT;
}

#define RLN__HEADER_BYTES 64

/* Appends a cell. */
void rln__table_put_cell(const struct rln__table *t, size_t row, size_t column,
                         struct rln__buf *out);
/* The text of one; valid until the next call. */
rln_text rln__table_cell_at(const struct rln__table *t, size_t index);

/* Static, or in `out`. */
const char *rln__table_header(const struct rln__table *t, size_t column,
                              char out[RLN__HEADER_BYTES]);

/* The requested style, or an empty one. */
const struct rln__table_style *rln__table_style_of(const struct rln__table *t);

/* Appends a cell as people read it, and returns how many columns of a terminal it
 * takes. */
size_t rln__table_add_cell(const struct rln__table *t, size_t index,
                           struct rln__buf *out);

/* After each row, printed or measured. False: stop, since memory ran out or no reader
 * is left. */
bool rln__table_row_ends(const struct rln__table *t, struct rln__buf *out);

#endif
