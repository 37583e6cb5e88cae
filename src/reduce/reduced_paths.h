/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_paths.h - sums of ranges by path and origin: the first kind of sums.
 *
 *   path: parent, style, domain, message
 *     |    '--> whole: times, their histograms and what they were made of, over all origins
 *     '-- origin --> row: ranges, times
 *
 * A path of style RLN__RENAMED has no ranges of its own in the tree: it contains those
 * ranges of its parent that payloads of their end renamed. They count as their parent's
 * in the tree, and by their own name elsewhere.
 *
 * Numbers of paths are those of this object, in no order, but parents come before their
 * children.
 */
#ifndef RLN_REDUCE_REDUCED_PATHS_H
#define RLN_REDUCE_REDUCED_PATHS_H

#include "base/wide_int.h"
#include "reduce/reduced_cpu.h"
#include "reduce/reduced_model.h"
#include "statistics/duration_histogram.h"

/* Styles of paths; RLN_RANGE_PUSH_POP and RLN_RANGE_START_END are the others. */
#define RLN__RENAMED 3u

/* The sums of the ranges of a path and an origin. */
struct rln__reduced_row {
    uint32_t path, origin;
    uint64_t n, n_open; /* n is at least 1 */
    uint64_t total_ns, self_ns, min_ns, max_ns;
    uint64_t on_processor_ns;  /* of the total, as far as it is known */
    rln__u128 squares;         /* of the durations */
    int64_t first_ns, last_ns; /* starts, of CLOCK_REALTIME */
};

/* Of a path, over all origins: a merge fails before they exceed 64 bits. */
struct rln__reduced_whole {
    struct rln__reduced_row sum; /* n is 0 without ranges */
    struct rln__duration_histogram durations;
    struct rln__reduced_cpu cpu;
};

struct rln__path_reading;

struct rln__reduced_paths {
    struct rln__key_index keys;        /* {parent + 1, style, domain, message} */
    struct rln__reduced_whole *wholes; /* owned, as all below; by path */
    size_t n_wholes, wholes_capacity;
    struct rln__reduced_row *rows;
    size_t n_rows, rows_capacity;
    struct rln__map rows_by_key;       /* path, origin -> index + 1 */
    struct rln__path_reading *reading; /* NULL, except while a trace is read */
};

/* The number of a path, new or not; `parent` is UINT32_MAX for an outermost one.
 * UINT32_MAX: no memory. */
uint32_t rln__reduced_path(struct rln__reduced_paths *paths, uint32_t parent,
                           uint32_t style, uint32_t domain, uint32_t message);
static inline uint32_t rln__reduced_parent(const struct rln__reduced_paths *paths,
                                           uint32_t path)
{
    return (uint32_t)paths->keys.entries[path].key.words[0] - 1;
}

static inline uint32_t rln__reduced_style(const struct rln__reduced_paths *paths,
                                          uint32_t path)
{
    return (uint32_t)paths->keys.entries[path].key.words[1];
}

/* Adds to the row of its path and origin, and to the whole of the path, but not to the
 * durations. RLN_ERR_ARGUMENT, with a message: more than 64 bits. */
rln_status rln__reduced_add_row(struct rln__reduced_paths *paths,
                                const struct rln__reduced_row *row, rln_error *err);

/* Adds b to a. 0, or -1: more than 64 bits. */
int rln__reduced_row_add(struct rln__reduced_row *a, const struct rln__reduced_row *b);

#endif
