/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_use.h - what each GPU did for each process, as times that add up.
 *
 *     stream 7   [kernel  ]   [copy]
 *     stream 8       [nccl kernel ]      [kernel]
 *     states     |---|----|---|---|------|------|     of the GPU, each with all that
 *                 1    3    2   6   0       1          goes on during it
 *
 * From the first operation's start to the last one's end, a GPU is in one state at any
 * time, so that all times are sums of states.
 */
#ifndef RLN_REPORTS_GPU_GPU_USE_H
#define RLN_REPORTS_GPU_GPU_USE_H

#include "base/key_index.h"
#include "rangeline/reader.h"

/* Bits of a state; 0: the GPU is idle. A CUDA graph that was traced as a whole
 * computes. */
enum {
    RLN__GPU_COMPUTES = 1,
    RLN__GPU_COMMUNICATES = 2, /* runs kernels of NCCL or RCCL */
    RLN__GPU_COPIES = 4,       /* or sets memory */
    RLN__N_GPU_STATES = 8
};

struct rln__gpu_use {
    uint64_t ns[RLN__N_GPU_STATES]; /* in each state: at most 64 bits together */
};

/* Adds b to a. 0, or -1: more than 64 bits; `a` is unchanged then. */
int rln__gpu_use_add(struct rln__gpu_use *a, const struct rln__gpu_use *b);
/* The time of all states. */
uint64_t rln__gpu_use_span(const struct rln__gpu_use *use);
/* The time of the states that have one of these bits. */
uint64_t rln__gpu_use_with(const struct rln__gpu_use *use, unsigned bits);

/* A GPU, of a process, or of the processes of a rank. */
struct rln__gpu_row {
    uint32_t of, device; /* index of the process, or number of the rank */
    struct rln__gpu_use use;
};

/* Empty when zeroed. */
struct rln__gpu_rows {
    struct rln__key_index keys; /* {of, device} */
    struct rln__gpu_row *items; /* owned; by number of the key */
    size_t n, capacity;
};

rln_status rln__gpu_rows_add(struct rln__gpu_rows *rows, uint32_t of, uint32_t device,
                             const struct rln__gpu_use *use, rln_error *err);
void rln__gpu_rows_clear(struct rln__gpu_rows *rows);

/* Reads the operations that the reader's filter and window select, as far as they lie
 * inside: rows of processes. To be cleared, also after a failure. */
rln_status rln__gpu_rows_read(struct rln__gpu_rows *rows, rln_reader *reader,
                              rln_error *err);

#endif
