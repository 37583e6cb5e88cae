/* SPDX-License-Identifier: Apache-2.0 */
/* report_order.h - the rows of a report by one of its columns. */
#ifndef RLN_REPORTS_REPORT_ORDER_H
#define RLN_REPORTS_REPORT_ORDER_H

#include "rangeline/report.h"

/* The column with that header or, if there is none, the first whose header begins so, in
 * any case; SIZE_MAX: none. */
size_t rln__report_find_column(const rln_report *report, const char *header);

/* All rows: numbers from the largest, rows without one last; texts from A; equal ones
 * as in the report. For rln__free(); NULL: no memory. */
size_t *rln__report_order(const rln_report *report, size_t column);

#endif
