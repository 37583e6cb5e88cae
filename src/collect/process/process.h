/* SPDX-License-Identifier: Apache-2.0 */
/* process.h - lets processes join the run: at the first event, and after each fork. */
#ifndef RLN_COLLECT_PROCESS_PROCESS_H
#define RLN_COLLECT_PROCESS_PROCESS_H

#include "collect/collector.h"

/* The calling process's state, set up on first use. Cold, with signals blocked. NULL
 * only before the trace is open. */
struct rln__process_context *rln__process_ready(void);

/* Whether this is a child of vfork, which shares the memory of its suspended parent. */
int rln__is_vfork_child(struct rln__process_context *p);

/* Writes the process's record if it has none yet. 0 if there is no space: events of a
 * process without a record cannot be recorded. */
int rln__process_has_record(struct rln__process_context *p);

/* Call before a thread's first event. At that of the process, notes the title that the
 * program has given it since its record: that may be as old as its first domain. */
void rln__process_note_title(struct rln__process_context *p);

#endif
