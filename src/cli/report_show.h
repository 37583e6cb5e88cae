/* SPDX-License-Identifier: Apache-2.0 */
/* report_show.h - a report as a table: units, rounding, bars, what is for people alone.
 */
#ifndef RLN_CLI_REPORT_SHOW_H
#define RLN_CLI_REPORT_SHOW_H

#include "cli/cells.h"
#include "rangeline/report.h"

/* Makes a table that rln__table_clear() frees, before the report. */
void rln__report_show(const rln_report *report, const struct rln__report_look *look,
                      struct rln__table *table);

/* Is it the call tree? Its names are far in. */
bool rln__is_tree(const rln_report_about *about);

#endif
