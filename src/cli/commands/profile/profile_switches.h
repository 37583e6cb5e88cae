/* SPDX-License-Identifier: Apache-2.0 */
/* profile_switches.h - --cpuctxsw: whether the context switches of the program are recorded,
 * and if not, why. */
#ifndef RLN_CLI_COMMANDS_PROFILE_SWITCHES_H
#define RLN_CLI_COMMANDS_PROFILE_SWITCHES_H

#include "cli/commands/profile/profile_end.h"

/* Begins to record them, of a child that has not called exec() yet. The run goes on
 * without them if the kernel refuses: the trace says so, and where they were requested a
 * note does. */
void rln__profile_switches(struct rln__profile *p);

/* Ends that, once, and notes how many threads found no room. */
void rln__profile_switches_end(struct rln__profile *p);

#endif
