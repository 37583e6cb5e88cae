/* SPDX-License-Identifier: Apache-2.0 */
/* check_findings.h - the findings of `rangeline check`, and which file looks for them.
 *
 *   events in time order -----> check_ranges   pops, ends, crossing and open ranges
 *                         \---> check_names    messages
 *   the trace's description --> check_trace    domains, losses, clock, damage
 *
 * A finding stands for all occurrences of one kind, thread, domain and message: a
 * million occurrences are one row.
 *
 * With a filter, a finding is kept if it concerns a range that matches. A pop on the
 * wrong thread concerns two ranges.
 */
#ifndef RLN_REPORTS_CHECK_CHECK_FINDINGS_H
#define RLN_REPORTS_CHECK_CHECK_FINDINGS_H

#include "base/key_index.h"
#include "rangeline/finding.h"
#include "trace/open/load.h"

struct rln_check {
    rln_reader *reader; /* borrowed, until all has been found */
    rln_info *info;     /* owned; rows refer to it by index */
    struct rln__key_index keys;
    rln_finding *rows; /* owned; by number of the key, sorted at the end */
    size_t n, capacity;
};

/* A severity while findings are collected: the filter does not want this finding, but
 * it may explain another one. */
#define RLN__UNWANTED ((rln_severity)0)

/* A finding of no thread and no domain. */
rln_finding rln__check_finding(rln_finding_kind kind);

/* Adds `n` of `finding.n` to the equal row, or adds a new row. 0, or -1 when there is
 * no memory. */
int rln__check_add(struct rln_check *check, const rln_finding *finding);

/* Gives a kind's name, as on the command line: "unmatched-pop". NULL if there is no
 * such kind. */
const char *rln__check_finding_name(rln_finding_kind kind);

#endif
