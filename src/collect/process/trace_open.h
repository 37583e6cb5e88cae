/* SPDX-License-Identifier: Apache-2.0 */
/* trace_open.h - opens the trace. */
#ifndef RLN_COLLECT_PROCESS_TRACE_OPEN_H
#define RLN_COLLECT_PROCESS_TRACE_OPEN_H

/* Whether there is a trace to record into. The first call opens the run's trace, or a
 * new one, before any event. */
int rln__is_open(void);

#endif
