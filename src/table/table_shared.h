/* SPDX-License-Identifier: Apache-2.0 */
/* table_shared.h - leaves out the beginning that most names of a table share.
 *
 *   ... = Net.encoder.layers.    the caller prints it once, from `shared`
 *   Net                          other names stay whole
 *   ...0 (Linear)
 *   ...1 (ReLU)
 */
#ifndef RLN_TABLE_TABLE_SHARED_H
#define RLN_TABLE_TABLE_SHARED_H

#include "table/table.h"

#define RLN__ELLIPSIS "\xe2\x80\xa6"

/* Finds what more than half of the rows share in the first column of text in which it is
 * worth it. Call it when the table has all its cells. */
void rln__table_find_shared(struct rln__table *table);

/* Appends a line that says what it is, if there is one, and an empty one. */
void rln__table_say_shared(const struct rln__table *table, struct rln__buf *out);

/* Appends a cell of that column as people read it; returns its columns of a terminal. */
size_t rln__table_add_unshared(const struct rln__table *table, rln_text cell,
                               struct rln__buf *out);

#endif
