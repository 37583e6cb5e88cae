/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_ranks.h - the ranks of sums, for reports: those of the job, or else traces,
 * or the processes of a single one. */
#ifndef RLN_REDUCE_REDUCED_RANKS_H
#define RLN_REDUCE_REDUCED_RANKS_H

#include "reduce/reduced_model.h"
#include "reports/sums.h"

struct rln__reduced_ranks {
    const struct rln__reduced *of; /* borrowed */
    enum rln__rank_kind kind;
    struct rln__rank *items; /* owned; by number */
    size_t n;
    struct rln__map by_number; /* -> index + 1 */
    struct rln__map parts;     /* id -> index + 1, in the order of the file */
    size_t n_parts;
};

/* To be cleared, also after a failure. 0, or -1: no memory. */
int rln__reduced_ranks_find(const struct rln__reduced *reduced,
                            struct rln__reduced_ranks *ranks);
void rln__reduced_ranks_clear(struct rln__reduced_ranks *ranks);

/* The index of the rank of an origin; UINT32_MAX if it does not count. */
uint32_t rln__reduced_rank_of(const struct rln__reduced_ranks *ranks, uint32_t origin);

#endif
