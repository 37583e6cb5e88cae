/* SPDX-License-Identifier: Apache-2.0 */
/* profile_gpu_metrics.h - what GPUs report of themselves, in a run of `rangeline
 * profile`. */
#ifndef RLN_CLI_COMMANDS_PROFILE_GPU_METRICS_H
#define RLN_CLI_COMMANDS_PROFILE_GPU_METRICS_H

#include "cli/commands/profile/profile_end.h"

/* Samples them from now on, if it is asked to. */
void rln__profile_gpu_metrics(struct rln__profile *p,
                              const struct rln__variables *variables);
/* Samples them for the last time. Says why there are none, if the option is given. */
void rln__profile_gpu_metrics_end(struct rln__profile *p);

#endif
