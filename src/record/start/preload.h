/* SPDX-License-Identifier: Apache-2.0 */
/* preload.h - libraries of ours that the program loads before its own. */
#ifndef RLN_RECORD_START_PRELOAD_H
#define RLN_RECORD_START_PRELOAD_H

#include <stdbool.h>

#include "record/start/variables.h"

/* Adds a library to LD_PRELOAD, of the variables or else the inherited one, unless it
 * is there already; what that names stays, after it. Dies if the system's loader would
 * not take it. */
void rln__preload(struct rln__variables *variables, const char *path,
                  bool inherits_environment);

/* The same for the library that replaces cudaProfilerStart. Dies if there is none. */
void rln__preload_profiler(struct rln__variables *variables, bool inherits_environment);

/* Puts a folder in front of LD_LIBRARY_PATH. */
void rln__search_first(struct rln__variables *variables, const char *folder,
                       bool inherits_environment);

#endif
