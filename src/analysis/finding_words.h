/* SPDX-License-Identifier: Apache-2.0 */
/* finding_words.h - parts of a finding in words, wherever it is shown. */
#ifndef RLN_ANALYSIS_FINDING_WORDS_H
#define RLN_ANALYSIS_FINDING_WORDS_H

#include "analysis/analysis.h"

size_t rln__analysis_count_abstained(const struct rln__analysis *analysis);

/* Each appends. */

/* "13 rules checked 120 calls of step on 2 threads in 1.1 ms" */
void rln__analysis_put_checked(const struct rln__analysis *analysis,
                               struct rln__buf *out);
/* Shares are of the time from the first step to the last, which is the run unless the
 * program does something else before or after.
 *
 * "5.3 % of the run" or, if the steps are not all of it, "5.3 % of the 4.0 s of steps". */
void rln__finding_put_share(const struct rln__run *run, double share,
                            struct rln__buf *out);
/* The range that is its cause: "app:load, 80 % of the growth"; nothing if none is known. */
void rln__finding_put_cause(const struct rln__finding *f, struct rln__buf *out);

/* Appends what the growth was made of, the most first: "83 % blocked, 17 % on CPU"; nothing,
 * where it is not known. */
void rln__finding_put_growth(const struct rln__finding *f, struct rln__buf *out);
/* The address of the viewer at a range, what comes after #: "t=0,2000&find=step". */
void rln__finding_put_address(const struct rln__nesting_row *row, struct rln__buf *out);

#endif
