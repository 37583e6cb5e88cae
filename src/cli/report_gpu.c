/* SPDX-License-Identifier: Apache-2.0 */
/* report_gpu.c - the reports that set ranges against what GPUs did: of Nsight's
 * exports.
 */
#include "cli/report.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/gpu_kern.h"
#include "analyze/gpu_proj.h"
#include "base/fail.h"
#include "cli/die.h"
#include "cli/opened.h"

static void add_average(struct rln__table *t, uint64_t total, uint64_t n)
{
    rln__buf_format(&t->text, "%.1f", (double)total / (double)n);
    rln__table_cell(t);
}

static void add_name(struct rln__table *t, const struct rln__gpu_ranges *ranges,
                     uint32_t name)
{
    if (name == RLN__NO_RANGE)
        rln__table_cell(t);
    else
        rln__cell_qualified(t, ranges->names.items[name].domain_name,
                            ranges->names.items[name].message);
}

/* --- nvtx_gpu_proj_sum ------------------------------------------------------------ */

static const struct rln__column proj_sum[] = {
    {"Range", RLN__TEXT},
    {"Style", RLN__TEXT},
    {"Total Proj Time (@)", RLN__NUMBER},
    {"Total Range Time (@)", RLN__NUMBER},
    {"Range Instances", RLN__NUMBER},
    {"Proj Avg (@)", RLN__NUMBER},
    {"Proj Med (@)", RLN__NUMBER},
    {"Proj Min (@)", RLN__NUMBER},
    {"Proj Max (@)", RLN__NUMBER},
    {"Proj StdDev (@)", RLN__NUMBER},
    {"Total GPU Ops", RLN__NUMBER},
    {"Avg GPU Ops", RLN__NUMBER},
    {"Avg Range Lvl", RLN__NUMBER},
    {"Avg Num Child", RLN__NUMBER},
};

bool rln__fill_gpu_proj_sum(const struct rln__report *report,
                            const struct rln__report_data *data,
                            const struct rln__report_look *look, struct rln__table *t)
{
    struct rln__gpu_proj found;
    rln_error err = {0};
    bool has_rows;

    (void)report;
    rln__die_if(rln__gpu_proj_find(data->reader, &found, &err), &err);
    rln__table_init(t, proj_sum, RLN_COUNT(proj_sum));
    for (size_t i = 0; i < found.n_rows; i++) {
        const struct rln__gpu_proj_row *row = &found.rows[i];

        add_name(t, &found.ranges, row->name);
        rln__cell_style(t, row->style);
        rln__cell_ns(t, look, row->total_ns);
        rln__cell_ns(t, look, row->total_range_ns);
        rln__cell_count(t, look, row->n);
        rln__cell_computed(t, look, row->spread.average);
        rln__cell_computed(t, look, row->spread.median);
        rln__cell_ns(t, look, row->min_ns);
        rln__cell_ns(t, look, row->max_ns);
        rln__cell_computed(t, look, row->spread.stddev);
        rln__cell_count(t, look, row->n_ops);
        add_average(t, row->n_ops, row->n);
        add_average(t, row->levels, row->n);
        add_average(t, row->n_children, row->n);
    }
    has_rows = found.n_rows > 0;
    rln__gpu_proj_clear(&found);
    return has_rows;
}

/* --- nvtx_gpu_proj_trace ---------------------------------------------------------- */

static const struct rln__column proj_trace[] = {
    {"Name", RLN__TEXT},
    {"Projected Start (@)", RLN__NUMBER},
    {"Projected Duration (@)", RLN__NUMBER},
    {"Orig Start (@)", RLN__NUMBER},
    {"Orig Duration (@)", RLN__NUMBER},
    {"Style", RLN__TEXT},
    {"PID", RLN__ID},
    {"TID", RLN__ID},
    {"NumGPUOps", RLN__NUMBER},
    {"Lvl", RLN__NUMBER},
    {"NumChild", RLN__NUMBER},
    {"RangeId", RLN__ID},
    {"ParentId", RLN__ID},
    {"RangeStack", RLN__TEXT},
};

/* ":1:5:9", from the outermost one on. `path` has room for as many as there are. */
static void add_stack(struct rln__table *t, const struct rln__gpu_ranges *ranges,
                      uint32_t index, uint32_t *path)
{
    size_t n = 0;

    for (; index != RLN__NO_RANGE; index = ranges->all[index].parent)
        path[n++] = index;
    while (n)
        rln__buf_format(&t->text, ":%llu", (unsigned long long)path[--n] + 1);
    rln__table_cell(t);
}

static void add_projected(struct rln__table *t, const struct rln__report_look *look,
                          const struct rln__gpu_ranges *ranges, uint32_t index,
                          uint32_t *path)
{
    const struct rln__gpu_range *r = &ranges->all[index];

    add_name(t, ranges, r->name);
    rln__cell_moment(t, look, r->first_op_ns);
    rln__cell_ns(t, look, (uint64_t)(r->last_op_ns - r->first_op_ns));
    rln__cell_moment(t, look, r->start_ns);
    rln__cell_ns(t, look, (uint64_t)(r->end_ns - r->start_ns));
    rln__cell_style(t, r->style);
    rln__cell_plain(t, r->pid, true);
    rln__cell_plain(t, r->tid, true);
    rln__cell_count(t, look, r->n_ops);
    rln__cell_count(t, look, r->level);
    rln__cell_count(t, look, r->n_children);
    rln__cell_plain(t, (uint64_t)index + 1, true);
    rln__cell_plain(t, (uint64_t)r->parent + 1, r->parent != RLN__NO_RANGE);
    add_stack(t, ranges, index, path);
}

bool rln__fill_gpu_proj_trace(const struct rln__report *report,
                              const struct rln__report_data *data,
                              const struct rln__report_look *look, struct rln__table *t)
{
    struct rln__gpu_proj found;
    rln_error err = {0};
    uint32_t *path; /* owned */
    bool has_rows;

    (void)report;
    rln__die_if(rln__gpu_proj_find(data->reader, &found, &err), &err);
    path = calloc(found.ranges.n + 1, sizeof(*path));
    if (!path)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    rln__table_init(t, proj_trace, RLN_COUNT(proj_trace));
    for (size_t i = 0; i < found.n; i++)
        add_projected(t, look, &found.ranges, found.projected[i], path);
    has_rows = found.n > 0;
    free(path);
    rln__gpu_proj_clear(&found);
    return has_rows;
}

/* --- nvtx_kern_sum ---------------------------------------------------------------- */

static const struct rln__column kern_sum[] = {
    {"NVTX Range", RLN__TEXT},
    {"Style", RLN__TEXT},
    {"PID", RLN__ID},
    {"TID", RLN__ID},
    {"NVTX Inst", RLN__NUMBER},
    {"Kern Inst", RLN__NUMBER},
    {"Total Time (@)", RLN__NUMBER},
    {"Avg (@)", RLN__NUMBER},
    {"Med (@)", RLN__NUMBER},
    {"Min (@)", RLN__NUMBER},
    {"Max (@)", RLN__NUMBER},
    {"StdDev (@)", RLN__NUMBER},
    {"Kernel Name", RLN__TEXT},
};

static enum rln__kernel_name name_by(const char *argument)
{
    if (argument && strcmp(argument, "base") == 0)
        return RLN__KERNEL_SHORT;
    return argument ? RLN__KERNEL_MANGLED : RLN__KERNEL_DEMANGLED;
}

bool rln__fill_gpu_kern_sum(const struct rln__report *report,
                            const struct rln__report_data *data,
                            const struct rln__report_look *look, struct rln__table *t)
{
    struct rln__gpu_kern found;
    rln_error err = {0};
    bool has_rows;

    (void)report;
    rln__die_if(rln__gpu_kern_find(data->reader, name_by(data->argument), &found, &err),
                &err);
    rln__table_init(t, kern_sum, RLN_COUNT(kern_sum));
    for (size_t i = 0; i < found.n_rows; i++) {
        const struct rln__gpu_kern_row *row = &found.rows[i];

        add_name(t, &found.ranges, row->name);
        rln__cell_style(t, row->style);
        rln__cell_plain(t, row->pid, true);
        rln__cell_plain(t, row->tid, true);
        rln__cell_count(t, look, row->n_ranges);
        rln__cell_count(t, look, row->n);
        rln__cell_ns(t, look, row->total_ns);
        rln__cell_computed(t, look, row->spread.average);
        rln__cell_computed(t, look, row->spread.median);
        rln__cell_ns(t, look, row->min_ns);
        rln__cell_ns(t, look, row->max_ns);
        rln__cell_computed(t, look, row->spread.stddev);
        rln__cell_name(t, rln__strings_get(&found.kernels, row->kernel));
    }
    has_rows = found.n_rows > 0;
    rln__gpu_kern_clear(&found);
    return has_rows;
}
