/* SPDX-License-Identifier: Apache-2.0 */
/* first_rows.h - cuts the default reports to the rows with the most time, so that those
 * of a large trace fit on a few screens. */
#ifndef RLN_CLI_SHOW_FIRST_ROWS_H
#define RLN_CLI_SHOW_FIRST_ROWS_H

#include "cli/show/fold_hint.h"
#include "reports/report_build.h"
#include "table/table.h"

/* The rows that were left out. */
struct rln__other_rows {
    size_t n;
    double percent; /* of the time; negative: unknown */
};

/* Cuts a table of a report: of a tree, nodes with the most time stay, each with those
 * around it, and few with less than `least_share` of the time; else the first rows. The
 * table has a row for each row of the report. */
struct rln__other_rows rln__first_rows(const rln_report *report,
                                       struct rln__table *table, double least_share);

/* Appends a line about them, and the options that print or merge them. It gives the
 * hint once. */
void rln__other_rows_add(const struct rln__other_rows *others,
                         const struct rln__report_info *report,
                         struct rln__fold_hint *hint, struct rln__buf *buf);

#endif
