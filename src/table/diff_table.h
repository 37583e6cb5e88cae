/* SPDX-License-Identifier: Apache-2.0 */
/* diff_table.h - a comparison as a table: for people, or with all numbers. */
#ifndef RLN_TABLE_DIFF_TABLE_H
#define RLN_TABLE_DIFF_TABLE_H

#include "reports/diff/diff_view.h"
#include "table/table.h"

/* Makes a table of the first `most` of the ranges that are listed, those with the
 * largest effect first and unsure ones last. Returns how many are listed. Without memory
 * `out->text.has_failed`. */
size_t rln__diff_show(const struct rln__diff_view *view, bool is_for_people,
                      size_t most, struct rln__table *out);

#endif
