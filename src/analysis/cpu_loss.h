/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_loss.h - how much of the step its threads were not on a processor, for one reason.
 *
 *     thread 1   |step: on--- lost --on--|step: on- lost ----on--|
 *     thread 2   |step: on- lost ----on--|step: on-------- lost -|
 *     most              |------|                  |------|   of thread 2, and of 1
 */
#ifndef RLN_ANALYSIS_CPU_LOSS_H
#define RLN_ANALYSIS_CPU_LOSS_H

#include "analysis/rule.h"

struct rln__cpu_loss {
    const struct rln__track *most; /* that lost most; NULL: none lost any */
    struct rln__cpu_split split;   /* of its calls, as the next two */
    double ns;                     /* lost */
    double of_ns;
    size_t n_threads; /* that lost any */
    struct rln__win win;
};

/* `lost` says how much of some time is lost. Shows the calls that lost any, if `f` is not
 * NULL. 0, or -1 when there is no memory; `out` can be cleared. */
int rln__cpu_loss_find(const struct rln__inquiry *q,
                       uint64_t (*lost)(const struct rln__cpu_split *),
                       struct rln__finding *f, struct rln__cpu_loss *out);
void rln__cpu_loss_clear(struct rln__cpu_loss *loss);

#endif
