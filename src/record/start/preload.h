/* SPDX-License-Identifier: Apache-2.0 */
/* preload.h - a library of ours that the program loads before its own. */
#ifndef RLN_RECORD_START_PRELOAD_H
#define RLN_RECORD_START_PRELOAD_H

#include <stdbool.h>

#include "record/start/variables.h"

/* Adds the library that replaces cudaProfilerStart to LD_PRELOAD, of the variables or
 * else the inherited one; what that names already stays, after it,
 * unless it is there already. Dies if there is no
 * such library, or the system's loader would not take it. */
void rln__preload_profiler(struct rln__variables *variables, bool inherits_environment);

#endif
