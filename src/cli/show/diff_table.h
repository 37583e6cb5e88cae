/* SPDX-License-Identifier: Apache-2.0 */
/* diff_table.h - the table of `rangeline diff`: which ranges it lists, and their cells.
 */
#ifndef RLN_CLI_SHOW_DIFF_TABLE_H
#define RLN_CLI_SHOW_DIFF_TABLE_H

#include <stdbool.h>

#include "reports/diff/diff.h"
#include "table/table.h"

enum rln__diff_measure { RLN__DIFF_BY_MEDIAN, RLN__DIFF_BY_P95, RLN__DIFF_BY_TOTAL };

struct rln__diff_view {
    const struct rln__diff *diff; /* borrowed */
    enum rln__diff_measure on;
    double limit; /* percent: only what became slower by more is listed; NAN: none */
    bool follows_summary; /* an empty line divides them */
    bool lists_all;
    enum rln__table_format format;
};

/* "slower", "same"; static. */
const char *rln__diff_verdict(const struct rln__diff_row *row);

/* Whether the limit may be exceeded, but noise is too large to tell. */
bool rln__diff_may_exceed(const struct rln__diff_view *view,
                          const struct rln__diff_row *row);

/* Whether the format has the first rows only, and a sentence besides. */
bool rln__diff_is_for_people(const struct rln__diff_view *view);

/* Prints the ranges that are listed, those with the largest effect first; returns how
 * many there are. */
size_t rln__diff_table_print(const struct rln__diff_view *view);

#endif
