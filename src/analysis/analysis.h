/* SPDX-License-Identifier: Apache-2.0 */
/* analysis.h - asks rules about a run, and sorts what they find. */
#ifndef RLN_ANALYSIS_ANALYSIS_H
#define RLN_ANALYSIS_ANALYSIS_H

#include "analysis/rules.h"

struct rln__analysis_options {
    struct rln__step_request step;
    bool is_asked[RLN__N_RULES];
    double limits[RLN__N_RULES][RLN__MOST_THRESHOLDS];
    const char *const *recursive; /* patterns of names that may be nested, up to NULL;
                                   * or NULL */
    const char *const *loaders; /* patterns of ranges that load data, up to NULL; none,
                                 * or NULL: the usual ones */
};

/* All rules, with their usual thresholds. */
void rln__analysis_options_init(struct rln__analysis_options *options);

struct rln__analysis {
    struct rln__run run;
    struct rln__outcome outcomes[RLN__N_RULES]; /* of those that were asked */
    size_t n_outcomes;
    struct rln__finding *findings; /* owned; those that could win most come first */
    size_t n;
};

/* `options` are borrowed until the analysis is cleared; clear it also on failure.
 * Errors are those of rln__run_read(). */
rln_status rln__analyze(rln_reader *reader, const struct rln__analysis_options *options,
                        struct rln__analysis *out, rln_error *err);
void rln__analysis_clear(struct rln__analysis *analysis);

#endif
