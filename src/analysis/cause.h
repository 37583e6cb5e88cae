/* SPDX-License-Identifier: Apache-2.0 */
/* cause.h - which range inside the step makes some of its calls longer than others; or
 * the step itself does, outside all ranges inside.
 *
 *     usual      |step: |load|solve|    |        mean of each child per call
 *     unusual    |step: |  load  |solve|    |    load grew by most of what step did
 */
#ifndef RLN_ANALYSIS_CAUSE_H
#define RLN_ANALYSIS_CAUSE_H

#include "analysis/rule.h"

enum { RLN__NOT_COMPARED, RLN__USUAL, RLN__UNUSUAL };

/* A byte for each range of the nesting, zeroed; owned by the caller, for rln__free().
 * NULL when there is no memory. */
unsigned char *rln__compared_new(const struct rln__run *run);

/* Sets the cause of a finding to the child that grew most from the usual to the unusual
 * calls, and its share of the step's growth; or to the step itself, if it has children
 * and its time outside them grew most; or why there is none. What stops the whole
 * program, such as another one on its processor, hits children in proportion to their
 * time: a cause has at least `least` of the growth, and rln__is_own_share(). Also sets what
 * the growth was made of, where the trace has switches. */
rln_status rln__find_cause(const struct rln__inquiry *q, const unsigned char *compared,
                           double least, struct rln__finding *f, rln_error *err);
/* The same for the time of the step outside ranges of one name. */
rln_status rln__find_cause_outside(const struct rln__run *run,
                                   const unsigned char *compared, uint32_t name,
                                   double least, struct rln__finding *f,
                                   rln_error *err);

/* Whether a range's share of what grew is too large for a share of the time that is
 * usually `usual`: three quarters of the way from there to all of it. */
static inline bool rln__is_own_share(double share, double usual)
{
    return share >= (3 + usual) / 4;
}

/* Whether the cause of single calls is not sure: what stops the program may have hit
 * the same child in all of them by chance. */
static inline bool rln__is_cause_unsure(const struct rln__finding *f)
{
    return f->unexplained || f->cause_chance > 0.01;
}

/* The usual `least`. */
#define RLN__LEAST_CAUSE 0.5

#endif
