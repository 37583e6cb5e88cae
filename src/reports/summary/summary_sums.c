/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/summary/summary_sums.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "format/names.h"

#include <string.h>

int rln__summary_sums_make_name(struct rln__summary_sums *s, uint32_t row)
{
    const size_t before = s->n_names;
    struct rln__name_sum *names =
        rln__grow_to(s->names, &s->n_names, &s->names_capacity, row, sizeof(*names));

    if (!names)
        return -1;
    s->names = names;
    for (size_t i = before; i < s->n_names; i++)
        names[i].min_ns = UINT64_MAX;
    return 0;
}

int rln__summary_sums_make_path(struct rln__summary_sums *s, uint32_t node)
{
    struct rln__path_sum *paths =
        rln__grow_to(s->paths, &s->n_paths, &s->paths_capacity, node, sizeof(*paths));

    if (!paths)
        return -1;
    s->paths = paths;
    return 0;
}

int rln__summary_sums_merge_name(struct rln__summary_sums *s, uint32_t row,
                                 struct rln__name_sum *from)
{
    struct rln__name_sum *to;

    if (!from->samples.n)
        return 0;
    if (row >= s->n_names && rln__summary_sums_make_name(s, row))
        return -1;
    to = &s->names[row];
    to->total_ns += from->total_ns;
    to->min_ns = from->min_ns < to->min_ns ? from->min_ns : to->min_ns;
    to->max_ns = from->max_ns > to->max_ns ? from->max_ns : to->max_ns;
    return rln__samples_merge(&to->samples, &from->samples);
}

rln_status rln__summary_sums_finish(struct rln__summary_sums *s, size_t n_rows,
                                    size_t n_nodes, rln_error *err)
{
    if ((n_rows > s->n_names && rln__summary_sums_make_name(s, (uint32_t)n_rows - 1)) ||
        (n_nodes > s->n_paths && rln__summary_sums_make_path(s, (uint32_t)n_nodes - 1)))
        return rln__fail_nomem(err);
    return RLN_OK;
}

void rln__summary_sums_clear(struct rln__summary_sums *s)
{
    for (size_t i = 0; i < s->n_names; i++)
        rln__samples_clear(&s->names[i].samples);
    rln__free(s->names);
    rln__free(s->paths);
    memset(s, 0, sizeof(*s));
}
