/* SPDX-License-Identifier: Apache-2.0 */
/* sorted_table.h - the rows of a report that the user asks for: how many, in which order. */
#ifndef RLN_CLI_SHOW_SORTED_TABLE_H
#define RLN_CLI_SHOW_SORTED_TABLE_H

#include "reports/report_build.h"
#include "table/table.h"

/* Zeroed: all rows, in the report's order. */
struct rln__row_choice {
    const char *column; /* borrowed: a header, or what one begins with, in any case;
                         * NULL: none */
    size_t most;        /* 0: no limit */
};

/* Sorts a table of the report by a column, numbers from the largest, text from A, and
 * cuts it. The table has a row for each row of the report. Exits 2 with a message if
 * the report has no such column, or is a tree, whose order is what calls what. */
void rln__sort_table(const rln_report *report, const struct rln__row_choice *chosen,
                     struct rln__table *table);

#endif
