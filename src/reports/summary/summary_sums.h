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

/* Of a path or, for ranges without a path, of a name: the durations of one part. */
struct rln__sample_group {
    struct rln__samples samples;
    uint32_t next; /* of the same path or name: index + 1, 0 after the last */
    uint32_t part;
};

/* The groups of paths or of names, by their first: index + 1, 0 if there is none. */
struct rln__group_heads {
    uint32_t *first; /* owned */
    size_t n, capacity;
};

struct rln__summary_sums {
    struct rln__name_sum *names; /* owned, as all these; by row */
    size_t n_names, names_capacity;
    struct rln__path_sum *paths; /* by node */
    size_t n_paths, paths_capacity;
    /* If kept: for comparing runs. */
    struct rln__sample_group *groups;
    size_t n_groups, groups_capacity;
    struct rln__group_heads of_paths, of_names;
    int keeps_groups;
};

void rln__summary_sums_init(struct rln__summary_sums *sums, int keeps_groups);
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
int rln__summary_sums_keep(struct rln__summary_sums *sums, uint64_t ns, uint32_t row,
                           uint32_t node, uint32_t part);

/* Adds a range that has closed: `node`, of its path, may be RLN__NONE. 0, or -1: no
 * memory. */
static inline __attribute__((always_inline)) int
rln__summary_sums_add(struct rln__summary_sums *s, uint64_t ns, uint64_t self_ns,
                      uint32_t row, uint32_t node, uint32_t part)
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
    if (rln__samples_add(&name->samples, ns))
        return -1;
    return s->keeps_groups ? rln__summary_sums_keep(s, ns, row, node, part) : 0;
}

#endif
