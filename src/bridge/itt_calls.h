/* SPDX-License-Identifier: Apache-2.0 */
/* itt_calls.h - ITT's functions. */
#ifndef RLN_BRIDGE_CALLS_H
#define RLN_BRIDGE_CALLS_H

/* What is recorded on request only. */
enum { RLN__ITT_SYNC = 1, RLN__ITT_HEAP = 2 };

/* The function that records calls of `name` ("__itt_task_begin"); NULL: such calls are
 * not recorded. `requested` has RLN__ITT_ bits. */
void *rln__itt_call(const char *name, int requested);

#endif
