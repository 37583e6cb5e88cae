/* SPDX-License-Identifier: Apache-2.0 */
/* trace_open.h - opens the trace. */
#ifndef RLN_COLLECT_PROCESS_TRACE_OPEN_H
#define RLN_COLLECT_PROCESS_TRACE_OPEN_H

/* Opens the run's trace, or a new one. Called once, before any event. 0 if no trace can
 * be opened; the program then runs unrecorded. */
int rln__trace_open(void);

#endif
