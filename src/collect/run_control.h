/* SPDX-License-Identifier: Apache-2.0 */
/* run_control.h - what the collector exports to programs that know it. */
#ifndef RLN_COLLECT_RUN_CONTROL_H
#define RLN_COLLECT_RUN_CONTROL_H

/* entry.c: whether there is a trace to record into; opens it at the first call. */
int rln__is_open(void);

/* Does what include/rangeline/control.h has a number for. Returns whether the run is
 * recorded now, or -1 without a trace. */
__attribute__((visibility("default"))) int rln_collector_control(unsigned what);

#endif
