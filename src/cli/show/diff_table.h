/* SPDX-License-Identifier: Apache-2.0 */
/* diff_table.h - the table of `rangeline diff`. */
#ifndef RLN_CLI_SHOW_DIFF_TABLE_H
#define RLN_CLI_SHOW_DIFF_TABLE_H

#include "cli/show/diff_view.h"
#include "table/table.h"

/* Whether the format has the first rows only, and a sentence besides. */
bool rln__diff_is_for_people(enum rln__table_format format);

/* Prints the ranges that are listed, those with the largest effect first and unsure ones
 * last. An empty line divides them from a summary. */
void rln__diff_table_print(const struct rln__diff_view *view,
                           enum rln__table_format format, bool follows_summary);

#endif
