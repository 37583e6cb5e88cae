/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_loss.h - how much of the step its threads were not on a processor, for one reason.
 *
 *     thread 1   |step: on--- lost --on--|step: on- lost ----on--|step: on--- unknown|
 *     thread 2   |step: on- lost ----on--|step: on-------- lost -|step: on-----------|
 *     most              |------|                          |------|    of thread 2
 *
 * That is what the step could win at most: of what other threads lose in other calls, a part
 * is the time in which this one has the processor.
 *
 * Calls of which too much is unknown count neither as lost nor in what it is a share of:
 * that of thread 1 is one of two calls.
 */
#ifndef RLN_ANALYSIS_CPU_LOSS_H
#define RLN_ANALYSIS_CPU_LOSS_H

#include "analysis/rule.h"

/* What a thread loses. */
struct rln__thread_loss {
    /* Owned: the calls of its track of which enough is known, and the track with only
     * these. Without any, it has lost none. */
    struct rln__call *calls;
    struct rln__track known;
    struct rln__cpu_split split; /* of these calls, as the next two */
    double ns;                   /* lost */
    double known_ns;             /* lost or not */
    bool is_whole;               /* of all calls, no more than 5 % is unknown */
};

struct rln__cpu_loss {
    struct rln__thread_loss most; /* of the thread that loses most */
    size_t n_threads;             /* that lost any */
    const char *why;              /* static: no thread is known well enough; or NULL */
};

/* `lost` says how much of some time is lost. Shows the calls that lost any, if `f` is not
 * NULL. 0, or -1 when there is no memory; `out` can be cleared. */
int rln__cpu_loss_find(const struct rln__inquiry *q,
                       uint64_t (*lost)(const struct rln__cpu_split *),
                       struct rln__finding *f, struct rln__cpu_loss *out);
void rln__cpu_loss_clear(struct rln__cpu_loss *loss);

#endif
