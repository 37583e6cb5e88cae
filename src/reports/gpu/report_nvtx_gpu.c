/* SPDX-License-Identifier: Apache-2.0 */
/* report_nvtx_gpu.c - the reports that relate ranges to GPU work. */
#include "reports/report_list.h"

#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "reports/gpu/projection.h"
#include "reports/gpu/range_kernels.h"

static void add_average(rln_report *out, uint64_t total, uint64_t n)
{
    rln__report_put_fixed(out, (double)total / (double)n, 1);
}

static void add_name(rln_report *out, const struct rln__range_names *names,
                     uint32_t name)
{
    if (name == RLN__NO_RANGE)
        rln__report_put_empty(out);
    else
        rln__report_put_qualified(out, names->items[name].domain_name,
                                  names->items[name].message);
}

/* --- nvtx_gpu_proj_sum ------------------------------------------------------------ */

static const rln_report_column proj_sum[] = {
    RLN__TEXTS("Range"),
    RLN__TEXTS("Style"),
    RLN__TIMES("Total Proj Time"),
    RLN__TIMES("Total Range Time"),
    RLN__NUMBERS("Range Instances"),
    RLN__TIMES("Proj Avg"),
    RLN__TIMES("Proj Med"),
    RLN__TIMES("Proj Min"),
    RLN__TIMES("Proj Max"),
    RLN__TIMES("Proj StdDev"),
    RLN__NUMBERS("Total GPU Ops"),
    RLN__NUMBERS("Avg GPU Ops"),
    RLN__NUMBERS("Avg Range Lvl"),
    RLN__NUMBERS("Avg Num Child"),
};

static rln_status build_gpu_proj_sum(const struct rln__report_source *source,
                                     rln_report *out)
{
    struct rln__gpu_proj found;
    const rln_status status = rln__gpu_proj_find(
        source->reader, rln__gpu_rules_by(source->argument), &found, source->err);

    if (status)
        return status;
    for (size_t i = 0; i < found.n_rows; i++) {
        const struct rln__gpu_proj_row *row = &found.rows[i];

        add_name(out, &found.names, row->name);
        rln__report_put_style(out, row->style);
        rln__report_put_ns(out, row->projected_ns.total);
        rln__report_put_ns(out, row->range_ns);
        rln__report_put_count(out, row->projected_ns.n);
        rln__report_put_spread(out, &row->projected_ns);
        rln__report_put_count(out, row->n_ops);
        add_average(out, row->n_ops, row->projected_ns.n);
        add_average(out, row->levels, row->projected_ns.n);
        add_average(out, row->n_children, row->projected_ns.n);
    }
    rln__gpu_proj_clear(&found);
    return RLN_OK;
}

const struct rln__report_kind rln__report_nvtx_gpu_proj_sum = {
    .about = {.name = "nvtx_gpu_proj_sum",
              .title = "NVTX GPU Projection Summary",
              .help = "GPU time of ranges, by name (:captured, :adopt: whose)",
              .subject = "CUDA trace data",
              .words = RLN__GPU_RULE_WORDS},
    .build = build_gpu_proj_sum,
    RLN__COLUMNS(proj_sum),
    .needs = RLN__READS_LAUNCHES,
};

/* --- nvtx_gpu_proj_trace ---------------------------------------------------------- */

static const rln_report_column proj_trace[] = {
    RLN__TEXTS("Name"),
    RLN__TIMES("Projected Start"),
    RLN__TIMES("Projected Duration"),
    RLN__TIMES("Orig Start"),
    RLN__TIMES("Orig Duration"),
    RLN__TEXTS("Style"),
    RLN__IDS("PID"),
    RLN__IDS("TID"),
    RLN__NUMBERS("NumGPUOps"),
    RLN__NUMBERS("Lvl"),
    RLN__NUMBERS("NumChild"),
    RLN__IDS("RangeId"),
    RLN__IDS("ParentId"),
    RLN__TEXTS("RangeStack"),
};

/* ":1:5:9", from the outermost one on. `path` has room for all ranges. */
static void add_stack(rln_report *out, const struct rln__gpu_proj_list *list,
                      uint32_t number, uint32_t *path)
{
    size_t n = 0;

    for (; number != RLN__NO_RANGE; number = list->parents[number])
        path[n++] = number;
    while (n)
        rln__buf_format(rln__report_text(out), ":%llu",
                        (unsigned long long)path[--n] + 1);
    rln__report_put_cached_text(out);
}

static void add_projected(rln_report *out, const struct rln__gpu_proj_list *list,
                          const struct rln__gpu_range *r, uint32_t *path)
{
    add_name(out, &list->names, r->name);
    rln__report_put_time(out, r->first_op_ns);
    rln__report_put_ns(out, (uint64_t)(r->last_op_ns - r->first_op_ns));
    rln__report_put_time(out, r->start_ns);
    rln__report_put_ns(out, (uint64_t)(r->end_ns - r->start_ns));
    rln__report_put_style(out, r->style);
    rln__report_put_id(out, r->pid);
    rln__report_put_id(out, r->tid);
    rln__report_put_count(out, r->n_ops);
    rln__report_put_count(out, r->level);
    rln__report_put_count(out, r->n_children);
    rln__report_put_id(out, (uint64_t)r->number + 1);
    if (r->parent == RLN__NO_RANGE)
        rln__report_put_empty(out);
    else
        rln__report_put_id(out, (uint64_t)r->parent + 1);
    add_stack(out, list, r->number, path);
}

static rln_status build_gpu_proj_trace(const struct rln__report_source *source,
                                       rln_report *out)
{
    struct rln__gpu_proj_list list;
    const struct rln__gpu_range *range;
    uint32_t *path; /* owned */
    const rln_status status = rln__gpu_proj_list(
        source->reader, rln__gpu_rules_by(source->argument), &list, source->err);

    if (status)
        return status;
    path = rln__alloc(list.n_parents + 1, sizeof(*path));
    while (path && (range = rln__sorter_next(&list.projected)))
        add_projected(out, &list, range, path);
    rln__gpu_proj_list_clear(&list);
    if (!path)
        return rln__fail_nomem(source->err);
    rln__free(path);
    return RLN_OK;
}

const struct rln__report_kind rln__report_nvtx_gpu_proj_trace = {
    .about = {.name = "nvtx_gpu_proj_trace",
              .title = "NVTX GPU Projection Trace",
              .help = "GPU time of each range (:captured, :adopt)",
              .subject = "CUDA trace data",
              .words = RLN__GPU_RULE_WORDS,
              .alias = "nvtxgpuproj"},
    .build = build_gpu_proj_trace,
    RLN__COLUMNS(proj_trace),
    .needs = RLN__READS_LAUNCHES,
};

/* --- nvtx_kern_sum ---------------------------------------------------------------- */

static const rln_report_column kern_sum[] = {
    RLN__TEXTS("NVTX Range"),  RLN__TEXTS("Style"),       RLN__IDS("PID"),
    RLN__IDS("TID"),           RLN__NUMBERS("NVTX Inst"), RLN__NUMBERS("Kern Inst"),
    RLN__TIMES("Total Time"),  RLN__TIMES("Avg"),         RLN__TIMES("Med"),
    RLN__TIMES("Min"),         RLN__TIMES("Max"),         RLN__TIMES("StdDev"),
    RLN__TEXTS("Kernel Name"),
};

static rln_status build_gpu_kern_sum(const struct rln__report_source *source,
                                     rln_report *out)
{
    struct rln__gpu_kern found;
    const rln_status status =
        rln__gpu_kern_find(source->reader, rln__kernel_name_by(source->argument),
                           rln__gpu_rules_by(source->argument), &found, source->err);

    if (status)
        return status;
    for (size_t i = 0; i < found.n_rows; i++) {
        const struct rln__gpu_kern_row *row = &found.rows[i];

        add_name(out, &found.names, row->name);
        rln__report_put_style(out, row->style);
        rln__report_put_id(out, row->pid);
        rln__report_put_id(out, row->tid);
        rln__report_put_count(out, row->n_ranges);
        rln__report_put_count(out, row->ns.n);
        rln__report_put_ns(out, row->ns.total);
        rln__report_put_spread(out, &row->ns);
        rln__report_put_name(out, row->kernel);
    }
    rln__gpu_kern_clear(&found);
    return RLN_OK;
}

const struct rln__report_kind rln__report_nvtx_kern_sum = {
    .about = {.name = "nvtx_kern_sum",
              .title = "NVTX Range Kernel Summary",
              .help = "kernels by launching range (:base, :mangled: names; :captured, "
                      ":adopt: whose)",
              .is_of_kernels = 1,
              .subject = "CUDA kernel data",
              .words = RLN__KERNEL_NAME_WORDS " " RLN__GPU_RULE_WORDS,
              .alias = "nvtxkernsum"},
    .build = build_gpu_kern_sum,
    RLN__COLUMNS(kern_sum),
    .needs = RLN__READS_LAUNCHES,
};
