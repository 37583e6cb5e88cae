/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_sampler.h - runs `rangeline-gpu-metrics` beside the program: a child of the
 * launcher that is none of the run's (child_pids.h).
 *
 * It ends when its standard input does, so also with a launcher that is killed. It is in
 * a session of its own: signals of the terminal are for the program.
 */
#ifndef RLN_RECORD_DURING_GPU_SAMPLER_H
#define RLN_RECORD_DURING_GPU_SAMPLER_H

#include <stddef.h>
#include <sys/types.h>

#include "record/start/variables.h"

/* Zeroed: does not run. */
struct rln__gpu_sampler {
    pid_t pid;
    int stop_fd;    /* open as long as it shall run */
    int reasons_fd; /* its standard output: why GPUs are not sampled */
};

struct rln__gpu_sampler_request {
    const char *path; /* of the program */
    const char *gpus; /* "all", or numbers and UUIDs of NVML with commas between */
    const char *trace;
    const struct rln__variables *variables; /* of the recorded program */
};

/* 0 or -errno. */
int rln__gpu_sampler_begin(struct rln__gpu_sampler *sampler,
                           const struct rln__gpu_sampler_request *request);

/* Returns when it has sampled for the last time, and has ended; or ends it after two
 * seconds. Writes what it said to `why`: lines; "" if all is well. */
void rln__gpu_sampler_end(struct rln__gpu_sampler *sampler, char *why, size_t n_bytes);

#endif
