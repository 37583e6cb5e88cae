/* SPDX-License-Identifier: Apache-2.0 */
/* diff_samples.h - how long each range of a side took, by path and run: all of them, for
 * the tests. Where the switches of its thread are known, also how much of that it was on a
 * processor.
 */
#ifndef RLN_REPORTS_DIFF_DIFF_SAMPLES_H
#define RLN_REPORTS_DIFF_DIFF_SAMPLES_H

#include "ranges/cpu_times.h"
#include "reports/summary/summary.h"
#include "statistics/exact_spread.h"

/* Of a path or, for ranges without one, of a name: those of one part, which is a run. */
struct rln__diff_group {
    struct rln__samples durations, on_processor; /* of the latter there may be fewer */
    uint64_t total_ns, on_processor_ns;
    uint32_t next; /* of the same path or name: index + 1, 0 after the last */
    uint32_t part;
};

/* The groups of paths or of names, by their first: index + 1, 0 if there is none. */
struct rln__diff_heads {
    uint32_t *first; /* owned */
    size_t n, capacity;
};

struct rln__diff_samples {
    struct rln__summary summary;    /* without sums */
    struct rln__diff_group *groups; /* owned */
    size_t n_groups, groups_capacity;
    struct rln__diff_heads of_paths, of_names; /* by node, and by row */
    struct rln__cpu_times cpu_times;
    int has_cpu_times;
};

rln_status rln__diff_samples_read(struct rln__diff_samples *samples, rln_reader *reader,
                                  rln_error *err);
void rln__diff_samples_clear(struct rln__diff_samples *samples);

#endif
