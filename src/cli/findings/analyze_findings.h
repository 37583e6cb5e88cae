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
    bool says_why; /* rules abstain */
};

#endif
