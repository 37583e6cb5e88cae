/* SPDX-License-Identifier: Apache-2.0 */
/* lifecycle.h - how a process joins the run: at its first event, and after each fork.
 */
#ifndef RLN_COLLECT_LIFECYCLE_H
#define RLN_COLLECT_LIFECYCLE_H

#include "collect/collector.h"

/* Opens the trace: the run's, or a new one. Called once, before any event. 0 if there
 * is none to be had; the program then runs without us. */
int rln__trace_open(void);

/* The calling process's state, set up if need be. Cold, and with signals blocked. NULL
 * only before rln__trace_open(). */
struct rln__process *rln__process_ready(void);

/* Whether we are a child of vfork, with the memory of a parent who stands still. */
int rln__is_vfork_child(struct rln__process *p);

/* Writes the process's record if that has not been possible yet. 0 if there is no room:
 * its events could not be told from another's. */
int rln__process_has_record(struct rln__process *p);

#endif
