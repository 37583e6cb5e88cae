/* SPDX-License-Identifier: Apache-2.0 */
/* preload.h - a library of ours that the program is to load before its own. */
#ifndef RLN_CLI_PRELOAD_H
#define RLN_CLI_PRELOAD_H

#include <stdbool.h>

#include "cli/variables.h"

/* Adds the one that stands in for cudaProfilerStart to LD_PRELOAD: of the variables, or
 * else of the inherited ones. What is named there stays, behind it. Dies if there is no
 * such library, or none that the system's loader would take. */
void rln__preload_profiler(struct rln__variables *variables, bool inherits_environment);

#endif
