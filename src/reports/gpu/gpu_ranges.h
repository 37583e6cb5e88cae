/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_ranges.h - finds the ranges that requested GPU work.
 *
 *     thread   |---------- step ----------|
 *                |-- load --|
 *                  [launch]                   the call is inside both ranges
 *     GPU                        [kernel]     so the kernel belongs to both
 *
 * Ranges of both styles count if they began and ended on one thread. The parent of a
 * range is the shortest enclosing range on the thread, of any domain and style.
 */
#ifndef RLN_REPORTS_GPU_GPU_RANGES_H
#define RLN_REPORTS_GPU_GPU_RANGES_H

#include "rangeline/model.h"
#include "ranges/range_names.h"
#include "reports/gpu/gpu_ops.h"

#define RLN__NO_RANGE UINT32_MAX

struct rln__gpu_range {
    int64_t start_ns, end_ns;
    uint32_t name;
    uint32_t thread;
    uint32_t parent; /* index; RLN__NO_RANGE */
    uint32_t level;
    uint32_t n_children;
    uint32_t pid, tid;
    rln_range_style style;
    /* The operations requested in it, as far as they were visited. */
    uint64_t n_ops; /* distinct correlations */
    uint32_t last_correlation;
    int64_t first_op_ns, last_op_ns;
};

/* The ranges of one thread: all, by start, and those that are open. */
struct rln__gpu_thread {
    uint32_t *ranges, *active; /* owned: indices */
    size_t n, capacity;
    size_t n_active, active_capacity;
    size_t next; /* of `ranges`: the first that is not active yet */
};

struct rln__gpu_ranges {
    rln_reader *reader;         /* borrowed */
    struct rln__gpu_range *all; /* owned, as all these; in the order of beginnings */
    size_t n, capacity;
    struct rln__range_names names;
    struct rln__gpu_thread *threads;
    size_t n_threads, threads_capacity;
    struct rln__key_index threads_by_id; /* {file, pid, tid} */
};

rln_status rln__gpu_ranges_read(struct rln__gpu_ranges *ranges, rln_reader *reader,
                                rln_error *err);
void rln__gpu_ranges_clear(struct rln__gpu_ranges *ranges);

/* Called once for each range that an operation belongs to; once without a range if
 * there is none. 0, or -1 when there is no memory. */
typedef int rln__gpu_visit(void *context, const struct rln__gpu_op *op,
                           struct rln__gpu_range *range);

/* Visits GPU operations. */
rln_status rln__gpu_ranges_visit(struct rln__gpu_ranges *ranges,
                                 const struct rln__gpu_choice *choice,
                                 rln__gpu_visit *visit, void *context, rln_error *err);

#endif
