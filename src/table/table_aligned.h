/* SPDX-License-Identifier: Apache-2.0 */
/* table_aligned.h - tables with aligned columns, which are fitted to the screen if
 * there is one. */
#ifndef RLN_TABLE_TABLE_ALIGNED_H
#define RLN_TABLE_TABLE_ALIGNED_H

#include "table/table_parts.h"

/* The formats column and table. */
void rln__table_print_aligned(const struct rln__table *t, enum rln__table_format format,
                              struct rln__buf *out);

#endif
