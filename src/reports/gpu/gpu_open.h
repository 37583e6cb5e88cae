/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_open.h - the ranges of one thread that are open at a time.
 *
 *     first -> o -> o -> o -> last      in the order of their beginnings
 *     ends                              a heap: the next to end
 *     shortest                          a stack: possible parents of a range to come
 *
 * A program may leave any number of ranges open, so nothing here looks at all of them
 * for each range that begins or ends. Ranges may cross.
 *
 * Of two ranges, the one that ends later and is not longer encloses all to come that
 * the other does, and is preferred: the other is no possible parent. Ends and
 * durations of those that remain, the shortest on top, rise together.
 */
#ifndef RLN_REPORTS_GPU_GPU_OPEN_H
#define RLN_REPORTS_GPU_GPU_OPEN_H

#include "reports/gpu/gpu_ranges.h"

struct rln__gpu_open_range {
    struct rln__gpu_range range;
    uint32_t before, after; /* indexes + 1; `after` of an unused one, too */
};

struct rln__gpu_open_end {
    int64_t start_ns, end_ns;
    uint32_t index, number;
};

/* Empty if zeroed. */
struct rln__gpu_open {
    struct rln__gpu_open_range *items;  /* owned */
    struct rln__gpu_open_end *ends;     /* owned */
    struct rln__gpu_open_end *shortest; /* owned */
    size_t n, n_ends, n_shortest;       /* `n` with unused ones */
    size_t capacity, ends_capacity, shortest_capacity;
    uint32_t first, last, unused; /* indexes + 1; 0: none */
};

void rln__gpu_open_clear(struct rln__gpu_open *open);

/* A range that ends before `t_ns`, the first to end; NULL if there is none. It is
 * borrowed until the next call that takes or adds one. */
const struct rln__gpu_range *rln__gpu_open_take(struct rln__gpu_open *open,
                                                int64_t t_ns);

/* The shortest range that ends at `end_ns` or later; of equally short ones, the one that
 * began last. NULL if there is none. */
struct rln__gpu_range *rln__gpu_open_around(struct rln__gpu_open *open, int64_t end_ns);

/* Adds a range that begins no earlier than those before. 0, or -1 when there is no
 * memory. */
int rln__gpu_open_add(struct rln__gpu_open *open, const struct rln__gpu_range *range);

#endif
