/* SPDX-License-Identifier: Apache-2.0 */
/* projection.h - ranges as the GPU saw them: from the start of the first operation
 * requested in a range to the end of the last.
 *
 *     thread   |--- step ---|
 *     GPU         [copy]   [kernel]
 *     projected   |---------------|
 *
 * With RLN__GPU_BY_CAPTURE, a range in which nodes of a CUDA graph were created has a
 * projection per launch that ran them.
 */
#ifndef RLN_REPORTS_GPU_PROJECTION_H
#define RLN_REPORTS_GPU_PROJECTION_H

#include "base/sorter.h"
#include "reports/gpu/gpu_ranges.h"
#include "reports/summary/tally.h"

/* All ranges of a name and style that have operations. */
struct rln__gpu_proj_row {
    uint32_t name;
    rln_range_style style;
    struct rln__tally projected_ns;
    uint64_t range_ns, n_ops, levels, n_children; /* added up */
};

struct rln__gpu_proj {
    struct rln__range_names names;
    struct rln__gpu_proj_row *rows; /* owned; the longest total first */
    size_t n_rows, capacity;
};

/* `rules`: RLN__GPU_BY_..., as below. */
rln_status rln__gpu_proj_find(rln_reader *reader, unsigned rules,
                              struct rln__gpu_proj *out, rln_error *err);
void rln__gpu_proj_clear(struct rln__gpu_proj *proj);

/* Each range that has operations. */
struct rln__gpu_proj_list {
    struct rln__range_names names;
    struct rln__sorter projected; /* struct rln__gpu_range, by projected start */
    uint32_t *parents;            /* owned: of all ranges, by number */
    size_t n_parents, capacity;
};

rln_status rln__gpu_proj_list(rln_reader *reader, unsigned rules,
                              struct rln__gpu_proj_list *out, rln_error *err);
void rln__gpu_proj_list_clear(struct rln__gpu_proj_list *list);

#endif
