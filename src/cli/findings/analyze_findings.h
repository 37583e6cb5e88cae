/* SPDX-License-Identifier: Apache-2.0 */
/* analyze_findings.h - what `analyze` found, as text and as JSON, and its rules. */
#ifndef RLN_CLI_FINDINGS_ANALYZE_FINDINGS_H
#define RLN_CLI_FINDINGS_ANALYZE_FINDINGS_H

#include "analysis/analysis.h"

struct rln__analyze_job {
    struct rln__analysis analysis;
    char *const *paths;     /* borrowed: of the traces; ends with NULL */
    const char *name;       /* of the traces, for people */
    struct rln__buf inputs; /* owned: filters and traces, as words of a shell */
    bool has_baseline;
    bool has_color;
};

/* The text is for people. */
void rln__findings_text(const struct rln__analyze_job *job, struct rln__buf *out);
/* One document, whose schema is rln__findings_schema(). */
void rln__findings_json(const struct rln__analyze_job *job, struct rln__buf *out);
/* JSON Schema; static. */
const char *rln__findings_schema(void);

/* Appends what a rule asks, when it fires, and its thresholds, of which `limits` are
 * the values. */
void rln__rule_help(const struct rln__rule *rule, const double *limits,
                    struct rln__buf *out);

/* Appends the address of the viewer at a range, what comes after #:
 * "t=0,2000&find=step".
 */
void rln__range_address(const struct rln__nesting_row *row, struct rln__buf *out);
/* Appends the command that says more about a finding. */
void rln__finding_next(const struct rln__analyze_job *job, const struct rln__finding *f,
                       struct rln__buf *out);
/* Appends the command that shows a range that it is about. */
void rln__finding_view(const struct rln__analyze_job *job,
                       const struct rln__nesting_row *row, struct rln__buf *out);

#endif
