/* SPDX-License-Identifier: Apache-2.0 */
/* slow_calls.h - calls far above what is usual on their track, and whether they come at
 * regular distances. */
#ifndef RLN_ANALYSIS_SLOW_CALLS_H
#define RLN_ANALYSIS_SLOW_CALLS_H

#include "analysis/run.h"

struct rln__slow_calls {
    size_t *at; /* owned: indices in the track's calls, after the warm-up */
    size_t n, capacity;
};

/* Those over `times` medians and `spreads` spreads above the median. 0, or -1 when
 * there is no memory. */
int rln__slow_calls_find(const struct rln__track *track, double times, double spreads,
                         struct rln__slow_calls *out);
void rln__slow_calls_clear(struct rln__slow_calls *slow);

/* What is called regular: periodic-stall has it in its thresholds. */
struct rln__regularity {
    double least;     /* slow calls */
    double mad;       /* of distances, as a share of their median */
    double deviation; /* of any distance, likewise */
};

struct rln__period {
    bool is_regular;
    double calls; /* median distances */
    double ns;
    bool is_in_calls; /* they are regular in calls, else only in time */
};

/* 0, or -1 when there is no memory. */
int rln__slow_calls_period(const struct rln__track *track,
                           const struct rln__slow_calls *slow,
                           const struct rln__regularity *regularity,
                           struct rln__period *out);

/* Whether distances vary so little; sorts them. `*median` is theirs. */
bool rln__are_regular(double *distances, size_t n,
                      const struct rln__regularity *regularity, double *median);

#endif
