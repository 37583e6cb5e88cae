/* SPDX-License-Identifier: Apache-2.0 */
/* ask_rules.h - asks rules about a run, on several processors.
 *
 *   caller    lock-serial  small-messages ...  |  drift  ...   the next that no thread
 *   others                                      |  long-tail    has taken
 *
 * Rules read the run and change nothing, so each finds what it would find alone. Those
 * that read the trace again, or context switches, come first, one by one: that changes
 * the reader's tables, which the run is read with, and that of the switches.
 */
#ifndef RLN_ANALYSIS_ASK_RULES_H
#define RLN_ANALYSIS_ASK_RULES_H

#include "analysis/rules.h"

/* A rule, and what it said. */
struct rln__asked {
    struct rln__inquiry q; /* its findings are owned */
    rln_status status;
    rln_error err; /* if it failed */
};

/* `n_jobs` processors take part, 0: as many as are worth it. `n` is RLN__N_RULES at
 * most. */
void rln__ask_rules(struct rln__asked *asked, size_t n, unsigned n_jobs);
void rln__asked_clear(struct rln__asked *asked);

#endif
