/* SPDX-License-Identifier: Apache-2.0 */
/* analyze_next.h - what to do with a finding: the command that says more, and where to
 * look. */
#ifndef RLN_CLI_FINDINGS_ANALYZE_NEXT_H
#define RLN_CLI_FINDINGS_ANALYZE_NEXT_H

#include "cli/findings/analyze_findings.h"

/* Appends the command that says more about a finding. */
void rln__finding_next(const struct rln__analyze_job *job, const struct rln__finding *f,
                       struct rln__buf *out);
/* Appends the command that shows a range that it is about. */
void rln__finding_view(const struct rln__analyze_job *job,
                       const struct rln__nesting_row *row, struct rln__buf *out);

#endif
