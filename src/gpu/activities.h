/* SPDX-License-Identifier: Apache-2.0 */
/* activities.h - turns the recording of activities on and off. One thread at a time. */
#ifndef RLN_GPU_ACTIVITIES_H
#define RLN_GPU_ACTIVITIES_H

#include "gpu/cupti.h"

/* What --cuda-api selects, or NULL: "launch", "all", "none". Call it first. */
void rln__activities_choose(const char *api);

/* Turns on all that is recorded. On failure, all is off. Returns CUPTI's result. */
int rln__activities_enable(const struct rln__cupti *cupti);
void rln__activities_disable(const struct rln__cupti *cupti);

#endif
