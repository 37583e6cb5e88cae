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
 *
 *     ranges, by beginning --+--> of each thread, those that are open --> op(), end()
 *     operations, by call ---'
 *
 * Only open ranges are kept in memory.
 */
#ifndef RLN_REPORTS_GPU_GPU_RANGES_H
#define RLN_REPORTS_GPU_GPU_RANGES_H

#include "rangeline/model.h"
#include "ranges/range_names.h"
#include "reports/gpu/gpu_ops.h"

#define RLN__NO_RANGE UINT32_MAX

struct rln__gpu_range {
    int64_t start_ns, end_ns;
    uint32_t number; /* in the order of beginnings, the outer one first */
    uint32_t name;
    uint32_t thread;
    uint32_t parent; /* its number; RLN__NO_RANGE */
    uint32_t level;
    uint32_t n_children;
    uint32_t pid, tid;
    rln_range_style style;
    /* The visitor's, zeroed at first: of the operations that were visited so far. */
    uint32_t n_ops; /* distinct correlations */
    uint32_t last_correlation;
    uint32_t visitor_data; /* whatever else it needs */
    int64_t first_op_ns, last_op_ns;
};

/* op() and end() return 0, or -1 when there is no memory. */
struct rln__gpu_visitor {
    void *context;
    /* Called once for each range that an operation belongs to; once without a range if
     * there is none. Operations come in the order of their calls. */
    int (*op)(void *context, const struct rln__gpu_op *op,
              struct rln__gpu_range *range);
    /* Called for each range when all of its operations and children are known.
     * Optional. */
    int (*end)(void *context, const struct rln__gpu_range *range);
    /* Numbers the name of a range, the last of `ranges`, in place of `names`; RLN_END
     * leaves the range out. Optional. */
    rln_status (*name)(void *context, rln_ranges *ranges, const rln_range *range,
                       uint32_t *out, rln_error *err);
};

/* Visits the GPU operations and the ranges of a reader, whose names get numbers. */
rln_status rln__gpu_ranges_visit(rln_reader *reader,
                                 const struct rln__gpu_choice *choice,
                                 struct rln__range_names *names,
                                 const struct rln__gpu_visitor *visitor,
                                 rln_error *err);

#endif
