/* SPDX-License-Identifier: Apache-2.0 */
/* analyze_text.h - the findings for people: what is wrong, what it costs, where to
 * look. */
#ifndef RLN_CLI_FINDINGS_ANALYZE_TEXT_H
#define RLN_CLI_FINDINGS_ANALYZE_TEXT_H

#include "cli/findings/analyze_findings.h"

/* The text is for people. */
void rln__findings_text(const struct rln__analyze_job *job, struct rln__buf *out);

/* Appends what a rule asks, when it fires, and its thresholds, of which `limits` are
 * the values. */
void rln__rule_help(const struct rln__rule *rule, const double *limits,
                    struct rln__buf *out);

#endif
