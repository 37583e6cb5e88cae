/* SPDX-License-Identifier: Apache-2.0 */
/* rank_steps.h - each range of one name, with the rank that ran it: the i-th ones of
 * all ranks are step i.
 */
#ifndef RLN_REPORTS_RANK_STEPS_H
#define RLN_REPORTS_RANK_STEPS_H

#include "reports/report_build.h"

struct rln__rank_step {
    int64_t start_ns; /* since the first trace began */
    uint64_t ns;
    uint32_t rank; /* its number */
};

struct rln__rank_steps {
    struct rln__rank_step *items; /* owned, like the next */
    char *name;               /* the argument of reports; NULL: there are no steps */
    enum rln__rank_kind kind; /* of the ranks */
    size_t n, capacity;
};

/* Gives those that the source has, else reads them from the traces into `own`, which is
 * to be cleared, also after a failure. They are sorted by rank, then by start. */
rln_status rln__rank_steps_find(const struct rln__report_source *source,
                                struct rln__rank_steps *own,
                                struct rln__rank_steps **out);

void rln__rank_steps_clear(struct rln__rank_steps *steps);

#endif
