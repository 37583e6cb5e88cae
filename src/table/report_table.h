/* SPDX-License-Identifier: Apache-2.0 */
/* report_table.h - a report as a table: units, rounding, bars, and extras for people. */
#ifndef RLN_TABLE_REPORT_TABLE_H
#define RLN_TABLE_REPORT_TABLE_H

#include "reports/report_build.h"
#include "table/cells.h"

/* Makes a table, which rln__table_clear() must free before the report is freed. */
void rln__report_show(const rln_report *report,
                      const struct rln__cell_format *cell_format,
                      struct rln__table *table);

/* Whether it is the call tree, whose names are indented far. */
bool rln__is_tree(const struct rln__report_info *about);

#endif
