/* SPDX-License-Identifier: Apache-2.0 */
/* slow_steps.h - what rules have in common that ask which calls of the step are slow,
 * and which range inside them grew.
 *
 *     each track  -->  look_at()   usual and unusual calls, evidence, time lost
 *                        |
 *                        worth a finding?  -->  cause  -->  describe()
 */
#ifndef RLN_ANALYSIS_SLOW_STEPS_H
#define RLN_ANALYSIS_SLOW_STEPS_H

#include "analysis/cause.h"

struct rln__slow_steps {
    const struct rln__inquiry *q;
    struct rln__finding *f;  /* of the inquiry: about the step */
    unsigned char *compared; /* owned: of each range, as in cause.h */
    struct rln__win win;     /* what the slow calls lose */
    void *own;               /* the rule's */
};

struct rln__slow_steps_rule {
    double least_calls; /* after the warm-up; tracks with fewer are left out */
    bool is_of_few; /* of tracks with RLN__FEW_CALLS up to RLN__LEAST_CALLS instead */
    double least_cause; /* as rln__find_cause() */
    /* 0, or -1 when there is no memory. */
    int (*look_at)(struct rln__slow_steps *slow, const struct rln__track *track);
    void (*describe)(struct rln__slow_steps *slow); /* what could be won is set */
};

/* Adds a finding if it is worth one. `*n_tracks` is how many were looked at. */
rln_status rln__find_slow_steps(struct rln__inquiry *q,
                                const struct rln__slow_steps_rule *rule, void *own,
                                size_t *n_tracks, rln_error *err);

/* "app:step" */
void rln__title_step(struct rln__slow_steps *slow);

#endif
