/* SPDX-License-Identifier: Apache-2.0 */
/* ranks.h - the i-th calls of the step on all ranks, side by side.
 *
 *     rank 0   |step|  |step|  |step|
 *     rank 1   |step |  |step|  |step|   |step|      the first three are compared
 *               0        1       2
 *
 * A rank is represented by its thread with most calls of the step.
 */
#ifndef RLN_ANALYSIS_RANKS_H
#define RLN_ANALYSIS_RANKS_H

#include "analysis/run.h"

struct rln__ranks {
    const struct rln__track **ranks; /* owned */
    size_t n_ranks, n_calls;         /* calls that all have */
    bool have_more;                  /* some rank has more of them */
};

/* 0, or -1 when there is no memory; `out` can be cleared. */
int rln__ranks_read(const struct rln__run *run, struct rln__ranks *out);
void rln__ranks_clear(struct rln__ranks *steps);

/* "rank", "trace" or "process". */
const char *rln__rank_word(const struct rln__run *run);

#endif
