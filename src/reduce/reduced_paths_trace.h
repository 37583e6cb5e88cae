/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_paths_trace.h - adds the ranges of a trace to paths.
 *
 *   closed range --> entry: node of the tree, counted name --> sum of a process
 *                                                          '-> histogram
 *   all entries of the trace --> paths
 */
#ifndef RLN_REDUCE_REDUCED_PATHS_TRACE_H
#define RLN_REDUCE_REDUCED_PATHS_TRACE_H

#include "reduce/reduced_paths.h"

rln__reduced_adder rln__reduced_paths_add;
rln_status rln__reduced_paths_take(void *paths, struct rln__reduced_reading *reading,
                                   rln_error *err);
/* If reading fails before the latter, which frees it. */
void rln__path_reading_free(struct rln__path_reading *reading);

#endif
