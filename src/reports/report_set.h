/* SPDX-License-Identifier: Apache-2.0 */
/* report_set.h - the reports there are, and several of them from as few passes over the
 * traces as they need.
 *
 *     const rln_report_request requests[] = {{.name = "nvtx_sum"}, {.name = "tree"}};
 *
 *     rln__reports_new(reader, requests, 2, &reports, err)       reads the traces
 *     rln__reports_build(reports, 1, &report, err)               "tree"
 */
#ifndef RLN_REPORTS_REPORT_SET_H
#define RLN_REPORTS_REPORT_SET_H

#include "reports/report_build.h"
#include "reports/summary/stats.h"

/* Reports that were requested together. */
struct rln__reports;

/* Gives an available report by its index. NULL if `index` is not below the number of
 * reports. */
const struct rln__report_info *rln__report_about_at(size_t index);

/* Finds a report by its name or by a former name in nsys. NULL if there is none. */
const struct rln__report_info *rln__report_find(const char *name);

/* Tells whether an argument fits a report: words of `about->words`, joined by colons,
 * in any order, at most one of each group. Any text fits a report of a range. 1, or 0
 * if it does not fit. */
int rln__report_accepts(const struct rln__report_info *about, const char *argument);

/* Tells whether a report, with this argument or NULL, finds GPU work by the calls of
 * CUDA that launched it. From a trace without such calls it lacks that work. */
int rln__report_reads_launches(const struct rln__report_info *about,
                               const char *argument);

/* Reads the traces, as often as these reports need, with the reader's filter and
 * window. RLN_ERR_ARGUMENT for an unknown name or argument, which the message names.
 * The text of `requests` is borrowed. */
rln_status rln__reports_new(rln_reader *reader, const rln_report_request *requests,
                            size_t n_requests, struct rln__reports **out,
                            rln_error *err);

/* Builds the report of a request, by the request's index. The report may outlive
 * `reports`. RLN_ERR_ARGUMENT if there is no such request. */
rln_status rln__reports_build(struct rln__reports *reports, size_t request,
                              rln_report **out, rln_error *err);

/* Gives the statistics behind the reports, including rows that reports exclude. */
const struct rln__stats *rln__reports_stats(const struct rln__reports *reports);

/* Tells whether the reader's filter or window, or the request itself, may be why a
 * report has no rows. */
int rln__reports_is_restricted(const struct rln__reports *reports, size_t request);

/* Frees reports; NULL is accepted. */
void rln__reports_free(struct rln__reports *reports);

struct rln__report_parts;

/* Whether a report with this argument, or NULL, needs only parts, of which the steps
 * are those of `steps`, or NULL for none. */
int rln__report_needs_only_parts(const struct rln__report_info *about,
                                 const char *argument, const char *steps);

/* Takes `parts`. */
rln_status rln__reports_make(struct rln__report_parts *parts,
                             const rln_report_request *requests, size_t n_requests,
                             struct rln__reports **out, rln_error *err);

#endif
