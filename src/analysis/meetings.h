/* SPDX-License-Identifier: Apache-2.0 */
/* meetings.h - the i-th calls of a range on all ranks, where ranks may wait for the
 * last one to come.
 *
 *     rank 0   |solve|-allreduce------|       waits from its start to the last start
 *     rank 1   |solve        |-allred-|       came last, and waits for none
 *                                     all leave together
 *
 * A *site* is a name that all ranks call equally often. Each rank is represented by
 * one thread, as in ranks.h.
 */
#ifndef RLN_ANALYSIS_MEETINGS_H
#define RLN_ANALYSIS_MEETINGS_H

#include "analysis/ranks.h"
#include "base/hash.h"

/* The i-th calls of a site. */
struct rln__meeting {
    int64_t first_start, last_start, first_end, last_end;
    uint32_t last; /* the rank that came last: its index in ranks.h */
    bool has_begun;
};

struct rln__meeting_site {
    size_t first, n;           /* its meetings; none: the name is no site */
    size_t range;              /* one of its calls */
    double starts_ns, ends_ns; /* from the first to the last, in sum */
};

struct rln__meetings {
    const struct rln__run *run; /* borrowed */
    struct rln__ranks steps;
    struct rln__meeting_site *sites; /* owned; by name in the nesting */
    size_t n_sites;
    struct rln__meeting *items; /* owned */
    uint32_t *rank_of; /* owned; by thread: rank + 1, or 0: it represents none */
    uint32_t n_threads;
    struct rln__map counts; /* of a name and a rank: its calls so far */
};

/* Ranks that wait for each other leave together, however they come: what ends may differ
 * by, of what starts do. */
#define RLN__TOGETHER 0.25

static inline bool rln__is_left_together(const struct rln__meeting_site *site,
                                         double together)
{
    return site->n && site->starts_ns > 0 &&
           site->ends_ns <= together * site->starts_ns;
}

/* 0, or -1 when there is no memory; `out` can be cleared. */
int rln__meetings_read(const struct rln__run *run, struct rln__meetings *out);
void rln__meetings_clear(struct rln__meetings *meetings);

struct rln__meeting_call {
    size_t range;
    uint32_t name, rank;
    struct rln__meeting *meeting;
    double waited_ns; /* for the last one */
};

/* The next call of a site from the range `*at` on, which is 0 at first. 1; 0 ends; -1
 * when there is no memory. */
int rln__meetings_next(struct rln__meetings *meetings, size_t *at,
                       struct rln__meeting_call *out);

#endif
