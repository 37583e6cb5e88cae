/* SPDX-License-Identifier: Apache-2.0 */
/* summary_sums.h - adds up the ranges of a summary, on a second core where there is
 * one.
 *
 *   scan      read, pair, find name and node   |   ...
 *   worker        | add to name and node       |   ...
 *
 * While the scan runs, the worker owns the sums. They are kept apart from names and
 * nodes, which grow meanwhile; rln__summary_sums_finish() joins them.
 */
#ifndef RLN_REPORTS_SUMMARY_SUMMARY_SUMS_H
#define RLN_REPORTS_SUMMARY_SUMMARY_SUMS_H

#include "base/relay.h"
#include "format/names.h"
#include "statistics/exact_spread.h"

#include <stdint.h>

/* A range that has closed. Each index may be RLN__NONE. */
struct rln__closed {
    uint64_t ns;      /* or, without row and node, the part of those that follow */
    uint64_t self_ns; /* while it was innermost */
    uint32_t row;     /* of its name */
    uint32_t node;    /* of its path */
};

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
    struct rln__relay relay;     /* of struct rln__closed */
    struct rln__name_sum *names; /* owned, as all these; by row */
    size_t n_names, names_capacity;
    struct rln__path_sum *paths; /* by node */
    size_t n_paths, paths_capacity;
    /* If kept: for comparing runs. */
    struct rln__sample_group *groups;
    size_t n_groups, groups_capacity;
    struct rln__group_heads of_paths, of_names;
    int keeps_groups;
    uint32_t part;        /* given last */
    uint32_t worker_part; /* taken last */
};

void rln__summary_sums_init(struct rln__summary_sums *sums, int keeps_groups);
/* Waits until all is added, and makes entries for so many rows and nodes. */
rln_status rln__summary_sums_finish(struct rln__summary_sums *sums, size_t n_rows,
                                    size_t n_nodes, rln_error *err);
void rln__summary_sums_clear(struct rln__summary_sums *sums);

/* Hands over what waits. 0, or -1: no memory, now or before. */
int rln__summary_sums_give(struct rln__summary_sums *sums);

static inline int rln__summary_sums_put(struct rln__summary_sums *sums, uint64_t ns,
                                        uint64_t self_ns, uint32_t row, uint32_t node)
{
    struct rln__closed *closed;

    if (rln__relay_is_full(&sums->relay) && rln__summary_sums_give(sums))
        return -1;
    closed = rln__relay_next(&sums->relay, sizeof(*closed));
    if (!closed)
        return -1;
    closed->ns = ns;
    closed->self_ns = self_ns;
    closed->row = row;
    closed->node = node;
    return 0;
}

/* 0, or -1: no memory. */
static inline int rln__summary_sums_add(struct rln__summary_sums *sums, uint64_t ns,
                                        uint64_t self_ns, uint32_t row, uint32_t node,
                                        uint32_t part)
{
    if (part != sums->part) {
        sums->part = part;
        if (rln__summary_sums_put(sums, part, 0, RLN__NONE, RLN__NONE))
            return -1;
    }
    return rln__summary_sums_put(sums, ns, self_ns, row, node);
}

#endif
