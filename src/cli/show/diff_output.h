/* SPDX-License-Identifier: Apache-2.0 */
/* diff_output.h - prints the table of `rangeline diff`. */
#ifndef RLN_CLI_SHOW_DIFF_OUTPUT_H
#define RLN_CLI_SHOW_DIFF_OUTPUT_H

#include "reports/diff/diff_view.h"
#include "table/table.h"

/* Whether the format has the first rows only, and a sentence besides. */
bool rln__diff_is_for_people(enum rln__table_format format);

/* Prints the ranges that are listed. An empty line divides them from a summary. */
void rln__diff_table_print(const struct rln__diff_view *view,
                           enum rln__table_format format, bool follows_summary);

#endif
