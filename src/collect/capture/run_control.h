/* SPDX-License-Identifier: Apache-2.0 */
/* run_control.h - declares the function that the collector exports for
 * rangeline/control.h. */
#ifndef RLN_COLLECT_CAPTURE_RUN_CONTROL_H
#define RLN_COLLECT_CAPTURE_RUN_CONTROL_H

/* Performs the action with a number from include/rangeline/control.h. Returns whether
 * the run is recorded now, or what the action asks for; -1 without a trace. */
__attribute__((visibility("default"))) int rln_collector_control(unsigned what);

#endif
