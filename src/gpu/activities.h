/* SPDX-License-Identifier: Apache-2.0 */
/* activities.h - turns the recording of activities on and off. One thread at a time. */
#ifndef RLN_GPU_ACTIVITIES_H
#define RLN_GPU_ACTIVITIES_H

#include "gpu/cupti.h"

/* What the options select, or NULL: of --cuda-api "launch", "all", "none", of
 * --cuda-graph-trace "node", "graph", or one of them with a suffix. Call it first. */
void rln__activities_choose(const char *api, const char *graph_trace);

/* Turns on all that is recorded. On failure, all is off. Returns CUPTI's result. */
int rln__activities_enable(const struct rln__cupti *cupti);
void rln__activities_disable(const struct rln__cupti *cupti);

#endif
