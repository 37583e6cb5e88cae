/* SPDX-License-Identifier: Apache-2.0 */
/* query_report.h - reports, as the tables that `rangeline stats` prints for people, and
 * findings, as one more. */
#ifndef RLN_QUERY_QUERY_REPORT_H
#define RLN_QUERY_QUERY_REPORT_H

#include "query/query_findings.h"
#include "query/query_parts.h"
#include "table/report_table.h"

/* The report that was asked for last: its next rows, or another order, take no reading
 * of the trace. Empty when zeroed. */
struct rln__asked_report {
    char *text;              /* owned, as all these: "NAME:ARGUMENT" */
    rln_report *report;      /* NULL: the table is of findings */
    struct rln__table table; /* of all rows */
    size_t n_rows;
    struct rln__findings_notes notes; /* about findings */
    char *sort;    /* a header; NULL: rows are in the report's order */
    size_t *order; /* that of `sort` */
};

/* Before its reader is closed, or reads more. */
void rln__asked_report_clear(struct rln__asked_report *kept);

/* As rln__query(). */
int rln__query_reports(struct rln__buf *out);
int rln__query_report(const struct rln__query_context *asked, struct rln__buf *out);

#endif
