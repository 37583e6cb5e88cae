/* SPDX-License-Identifier: Apache-2.0 */
/* summary_sums.h - adds up the ranges of a summary, by name and by path. */
#ifndef RLN_REPORTS_SUMMARY_SUMMARY_SUMS_H
#define RLN_REPORTS_SUMMARY_SUMMARY_SUMS_H

#include "format/names.h"
#include "statistics/exact_spread.h"

#include <stdint.h>

/* Of a name. */
struct rln__name_sum {
    struct rln__samples samples;
    uint64_t total_ns, min_ns, max_ns; /* meaningless without samples */
};

/* Of a path. */
struct rln__path_sum {
    uint64_t total_ns;
    uint64_t self_ns;
    uint64_t n_calls;
};

struct rln__summary_sums {
    struct rln__name_sum *names; /* owned, as all these; by row */
    size_t n_names, names_capacity;
    struct rln__path_sum *paths; /* by node */
    size_t n_paths, paths_capacity;
};

/* Makes entries for so many rows and nodes. */
rln_status rln__summary_sums_finish(struct rln__summary_sums *sums, size_t n_rows,
                                    size_t n_nodes, rln_error *err);
void rln__summary_sums_clear(struct rln__summary_sums *sums);

/* Makes room. 0, or -1: no memory. */
int rln__summary_sums_make_name(struct rln__summary_sums *sums, uint32_t row);
int rln__summary_sums_make_path(struct rln__summary_sums *sums, uint32_t node);
/* Adds those of another name. */
int rln__summary_sums_merge_name(struct rln__summary_sums *sums, uint32_t row,
                                 struct rln__name_sum *from);

/* Adds a range that has closed: `node`, of its path, may be RLN__NONE. 0, or -1: no
 * memory. */
static inline __attribute__((always_inline)) int
rln__summary_sums_add(struct rln__summary_sums *s, uint64_t ns, uint64_t self_ns,
                      uint32_t row, uint32_t node)
{
    struct rln__name_sum *name;

    if (node != RLN__NONE) {
        struct rln__path_sum *path;

        if (node >= s->n_paths && rln__summary_sums_make_path(s, node))
            return -1;
        path = &s->paths[node];
        path->total_ns += ns;
        path->self_ns += self_ns;
        path->n_calls++;
    }
    if (row >= s->n_names && rln__summary_sums_make_name(s, row))
        return -1;
    name = &s->names[row];
    name->total_ns += ns;
    name->min_ns = ns < name->min_ns ? ns : name->min_ns;
    name->max_ns = ns > name->max_ns ? ns : name->max_ns;
    return rln__samples_add(&name->samples, ns);
}

#endif
