/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_cpu.h - what the time of a path's ranges was made of: on a processor, preempted,
 * blocked. The rest of their total is unknown, as all of it is without context switches.
 */
#ifndef RLN_REDUCE_REDUCED_CPU_H
#define RLN_REDUCE_REDUCED_CPU_H

#include "base/buf.h"
#include "ranges/cpu_times.h"
#include "statistics/duration_histogram.h"

struct rln__reduced_cursor;

struct rln__reduced_cpu {
    struct rln__cpu_split split; /* `unknown_ns` is 0 */
    /* The times on a processor of ranges that may be compared by them, and their sum. */
    struct rln__duration_histogram times;
    uint64_t times_ns;
};

/* Adds a range. Sums do not exceed those of the durations. 0, or -1: no memory. */
int rln__reduced_cpu_add(struct rln__reduced_cpu *cpu,
                         const struct rln__cpu_split *split, int is_comparable);
/* Adds b to a. 0, or -1: no memory. */
int rln__reduced_cpu_merge(struct rln__reduced_cpu *a,
                           const struct rln__reduced_cpu *b);
void rln__reduced_cpu_clear(struct rln__reduced_cpu *cpu);

/* The whole split of ranges that took so long together. */
struct rln__cpu_split rln__reduced_cpu_split(const struct rln__reduced_cpu *cpu,
                                             uint64_t total_ns);

void rln__reduced_cpu_put(struct rln__reduced_cpu *cpu, struct rln__buf *out);
/* Of `n` ranges that took so long together. */
void rln__reduced_cpu_read(struct rln__reduced_cpu *cpu, uint64_t n, uint64_t total_ns,
                           struct rln__reduced_cursor *cursor);

#endif
