/* SPDX-License-Identifier: Apache-2.0 */
/* query_report.h - reports, as the tables that `rangeline stats` prints for people;
 * findings, and the differences of two traces, are two more. */
#ifndef RLN_QUERY_QUERY_REPORT_H
#define RLN_QUERY_QUERY_REPORT_H

#include "query/query_findings.h"
#include "query/query_parts.h"
#include "table/report_table.h"

/* The report that was asked for last: its next rows, or another order, take no reading
 * of the trace. Empty when zeroed. */
struct rln__asked_report {
    char *text;                           /* owned, as all these: "NAME:ARGUMENT" */
    const struct rln__report_info *about; /* borrowed: what the table is of */
    rln_report *report;      /* NULL: the table is of findings, or of differences */
    struct rln__table table; /* of all rows */
    struct rln__table exact; /* of differences, for programs; else empty */
    size_t n_rows;
    struct rln__findings_notes notes; /* about findings or, only details, differences */
    char *sort;    /* a header; NULL: rows are in the report's order */
    size_t *order; /* that of `sort` */
};

/* Before its reader is closed, or reads more. */
void rln__asked_report_clear(struct rln__asked_report *kept);

/* Whether it is about the differences of two traces, and so reads both. */
bool rln__query_is_diff(const struct rln__question *question);

/* As rln__query(). */
int rln__query_reports(const struct rln__query_context *asked, struct rln__buf *out);
int rln__query_report(const struct rln__query_context *asked, struct rln__buf *out);

#endif
