/* SPDX-License-Identifier: Apache-2.0 */
/* baseline.h - the findings of an earlier run, by their keys, and what they could win.
 */
#ifndef RLN_ANALYSIS_BASELINE_H
#define RLN_ANALYSIS_BASELINE_H

#include "analysis/analysis.h"

#define RLN__FINDINGS_SCHEMA "rangeline.findings/1"

struct rln__known_finding {
    struct rln__buf key; /* owned */
    bool has_share;
    double share; /* of that run, that it could win */
};

struct rln__baseline {
    struct rln__known_finding *findings; /* owned; sorted by key */
    size_t n, capacity;
};

/* Reads what `rangeline analyze --json` printed. `name` is the file's, for errors:
 * RLN_ERR_FORMAT with line and column, RLN_ERR_NOMEM. Clear `out` also on failure. */
rln_status rln__baseline_read(const char *json, size_t length, const char *name,
                              struct rln__baseline *out, rln_error *err);
/* Marks the findings that are in it, with the share that they had. */
void rln__baseline_mark(const struct rln__baseline *baseline,
                        struct rln__analysis *analysis);
void rln__baseline_clear(struct rln__baseline *baseline);

#endif
