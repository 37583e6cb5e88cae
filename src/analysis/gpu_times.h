/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_times.h - what the GPUs of each process did, for rules.
 *
 *     stream 7   [kernel ]   [copy]
 *     stream 8       [kernel ]           [nccl kernel]
 *     work       |-----------|----|      |-----------|     of one GPU, of all streams
 *     own        |-----------|----|                        all but communication
 *
 * Waits are no work. Work is related to calls of the step by time, since any thread of
 * a process may have requested it.
 */
#ifndef RLN_ANALYSIS_GPU_TIMES_H
#define RLN_ANALYSIS_GPU_TIMES_H

#include "analysis/run.h"

struct rln__busy {
    int64_t start_ns, end_ns;
};

struct rln__times {
    const struct rln__busy *at; /* by time; they neither overlap nor touch */
    size_t n;
};

/* A kernel that is no part of a CUDA graph. */
struct rln__kernel_launch {
    int64_t at_ns; /* of the call, or of the kernel if the call is unknown */
    double ns;     /* of the kernel */
};

enum rln__gpu_time {
    RLN__ALL_WORK,
    RLN__OWN_WORK,     /* without kernels of NCCL and RCCL */
    RLN__NOT_PAGEABLE, /* without copies between the GPU and memory not pinned */
    RLN__WAITS,        /* of threads, for the GPU */
    RLN__N_TIMES
};

/* A GPU as one process sees it. */
struct rln__gpu {
    uint32_t process, device;
    struct rln__times times[RLN__N_TIMES];
    const struct rln__kernel_launch *launches; /* by time */
    size_t n_launches;
};

struct rln__gpu_times {
    struct rln__gpu *gpus; /* owned */
    size_t n, capacity;
    struct rln__busy *busy[RLN__N_TIMES]; /* owned: of all GPUs */
    struct rln__kernel_launch *launches;  /* owned */
};

/* On failure `out` can be cleared. */
rln_status rln__gpu_times_read(rln_reader *reader, struct rln__gpu_times *out,
                               rln_error *err);
void rln__gpu_times_clear(struct rln__gpu_times *work);

/* --- By calls of the step --------------------------------------------------------- */

/* The calls of the step on a track, and a GPU of its process. The first calls are left
 * out, because they set up the GPU. */
struct rln__gpu_track {
    const struct rln__track *track;
    const struct rln__gpu *gpu;
    size_t first;       /* the first call that counts */
    double ns, busy_ns; /* of the calls */
};

/* The next pair, from `*at` on, of a track with `least` calls or more and a GPU that
 * works in at least half of them; 0 ends. */
int rln__gpu_next_track(const struct rln__run *run, const struct rln__gpu_times *work,
                        double least, size_t *at, struct rln__gpu_track *out);

/* How much of the time from `from` to `to` they are. */
double rln__gpu_time_ns(const struct rln__times *times, int64_t from, int64_t to);
/* The first of them that ends after `t`. */
size_t rln__gpu_time_after(const struct rln__times *times, int64_t t);

#endif
