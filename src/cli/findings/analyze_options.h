/* SPDX-License-Identifier: Apache-2.0 */
/* analyze_options.h - words of `analyze` about rules: "outliers", "outliers.times=2",
 * "outliers:5%". Each function exits 2 with a message if a word makes no sense. */
#ifndef RLN_CLI_FINDINGS_ANALYZE_OPTIONS_H
#define RLN_CLI_FINDINGS_ANALYZE_OPTIONS_H

#include "analysis/analysis.h"
#include "console/args.h"

/* For completion: the rules, then NULL. */
const char *rln__rule_word(size_t index);

/* Index of the rule of that name; `option` is where it was given. */
size_t rln__rule_called(const struct rln__args *args, const char *option,
                        const char *name, size_t length);

/* Restricts the rules to those that the option lists, if it is given. */
void rln__choose_rules(const struct rln__args *args, unsigned option,
                       struct rln__analysis_options *out);
/* Sets thresholds. */
void rln__set_thresholds(const struct rln__args *args, unsigned option,
                         struct rln__analysis_options *out);

/* What fails a build. */
struct rln__fail_on {
    bool is_any_warning;
    bool is_rule[RLN__N_RULES];
    double shares[RLN__N_RULES]; /* of the run that a finding must be able to win */
};

/* `rules` are those that are asked. */
void rln__read_fail_on(const struct rln__args *args, unsigned option,
                       const struct rln__analysis_options *rules,
                       struct rln__fail_on *out);
/* A known finding fails only a share that it was below. Prints a note for each rule
 * that was to fail the build, and abstains. */
bool rln__is_failure(const struct rln__fail_on *on, const struct rln__analysis *a);

#endif
