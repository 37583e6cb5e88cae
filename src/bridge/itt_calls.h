/* SPDX-License-Identifier: Apache-2.0 */
/* itt_calls.h - ITT's functions. */
#ifndef RLN_BRIDGE_CALLS_H
#define RLN_BRIDGE_CALLS_H

/* The function that records calls of `name` ("__itt_task_begin"); NULL: such calls are
 * not recorded. */
void *rln__itt_call(const char *name);

#endif
