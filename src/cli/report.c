/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report.h"

#include <string.h>

#include "base/fail.h"
#include "cli/humane.h"

/* --- The summaries ---------------------------------------------------------------- */

static const struct rln__column both_styles[] = {
    {"Time (%)", RLN__NUMBER},  {"Total Time (@)", RLN__NUMBER},
    {"Instances", RLN__NUMBER}, {"Avg (@)", RLN__NUMBER},
    {"Med (@)", RLN__NUMBER},   {"Min (@)", RLN__NUMBER},
    {"Max (@)", RLN__NUMBER},   {"StdDev (@)", RLN__NUMBER},
    {"Style", RLN__TEXT},       {"Range", RLN__TEXT},
};

/* Reports of one style leave the column of styles out. */
static const struct rln__column one_style[] = {
    {"Time (%)", RLN__NUMBER},  {"Total Time (@)", RLN__NUMBER},
    {"Instances", RLN__NUMBER}, {"Avg (@)", RLN__NUMBER},
    {"Med (@)", RLN__NUMBER},   {"Min (@)", RLN__NUMBER},
    {"Max (@)", RLN__NUMBER},   {"StdDev (@)", RLN__NUMBER},
    {"Range", RLN__TEXT},
};

static const struct rln__column humane_summary[] = {
    {"Time (%)", RLN__NUMBER},
    {"", RLN__TEXT | RLN__SPARE(1)},
    {"Total", RLN__NUMBER},
    {"Instances", RLN__NUMBER},
    {"Avg", RLN__NUMBER},
    {"Med", RLN__NUMBER | RLN__SPARE(5)},
    {"Min", RLN__NUMBER | RLN__SPARE(4)},
    {"Max", RLN__NUMBER},
    {"StdDev", RLN__NUMBER | RLN__SPARE(2)},
    {"Style", RLN__TEXT | RLN__SPARE(3)},
    {"Range", RLN__TEXT},
};

static bool is_listed(const struct rln__report *report, const rln_stats_row *row)
{
    return !report->style || report->style == row->style;
}

static void add_summary_row(const struct rln__report *report, const rln_stats_row *row,
                            uint64_t total, const struct rln__report_look *look,
                            struct rln__table *t)
{
    rln__cell_percent(t, row->total_ns, total);
    if (look->is_humane)
        rln__cell_bar(t, row->total_ns, total);
    rln__cell_ns(t, look, row->total_ns);
    rln__cell_count(t, look, row->n_ranges);
    rln__cell_computed(t, look, row->average_ns);
    rln__cell_computed(t, look, row->median_ns);
    rln__cell_ns(t, look, row->min_ns);
    rln__cell_ns(t, look, row->max_ns);
    rln__cell_computed(t, look, row->stddev_ns);
    if (look->is_humane || !report->style)
        rln__cell_style(t, row->style);
    rln__cell_qualified(t, row->domain_name, row->message);
}

static bool fill_summary(const struct rln__report *report,
                         const struct rln__report_data *data,
                         const struct rln__report_look *look, struct rln__table *t)
{
    const rln_stats *stats = data->stats;
    uint64_t total = 0;
    bool has_rows = false;

    if (look->is_humane)
        rln__table_init(t, humane_summary, RLN_COUNT(humane_summary));
    else if (report->style)
        rln__table_init(t, one_style, RLN_COUNT(one_style));
    else
        rln__table_init(t, both_styles, RLN_COUNT(both_styles));
    for (size_t i = 0; i < rln_stats_count(stats); i++) {
        if (is_listed(report, rln_stats_at(stats, i)))
            total += rln_stats_at(stats, i)->total_ns;
    }
    for (size_t i = 0; i < rln_stats_count(stats); i++) {
        const rln_stats_row *row = rln_stats_at(stats, i);

        if (!is_listed(report, row))
            continue;
        add_summary_row(report, row, total, look, t);
        has_rows = true;
    }
    return has_rows;
}

/* --- All of them ------------------------------------------------------------------ */

#define RANGES "NV Tools Extension (NVTX) data"

const struct rln__report rln__reports[] = {
    {.name = "nvtx_sum",
     .title = "NVTX Range Summary",
     .help = "all ranges, by style and name",
     .subject = RANGES,
     .fill = fill_summary,
     .alias = "nvtxsum"},
    {.name = "nvtx_pushpop_sum",
     .title = "NVTX Push/Pop Range Summary",
     .help = "push/pop ranges, by name",
     .subject = RANGES,
     .fill = fill_summary,
     .style = RLN_RANGE_PUSH_POP,
     .alias = "nvtxppsum"},
    {.name = "nvtx_startend_sum",
     .title = "NVTX Start/End Range Summary",
     .help = "start/end ranges, by name",
     .subject = RANGES,
     .fill = fill_summary,
     .style = RLN_RANGE_START_END,
     .alias = "nvtxsesum",
     .older_alias = "nvtxsssum"},
    {.name = "nvtx_pushpop_trace",
     .title = "NVTX Push/Pop Range Trace",
     .help = "each push/pop range, with what is around it",
     .subject = RANGES,
     .fill = rln__fill_pushpop_trace,
     .needs_nesting = true,
     .alias = "nvtxpptrace"},
    {.name = "nvtx_gpu_proj_sum",
     .title = "NVTX GPU Projection Summary",
     .help = "ranges as GPUs saw them, by name: of Nsight's exports",
     .subject = "CUDA trace data",
     .fill = rln__fill_gpu_proj_sum},
    {.name = "nvtx_gpu_proj_trace",
     .title = "NVTX GPU Projection Trace",
     .help = "each range as GPUs saw it: of Nsight's exports",
     .subject = "CUDA trace data",
     .fill = rln__fill_gpu_proj_trace,
     .alias = "nvtxgpuproj"},
    {.name = "nvtx_kern_sum",
     .title = "NVTX Range Kernel Summary",
     .help = "kernels, by the ranges that launched them (:base, :mangled names)",
     .subject = "CUDA kernel data",
     .fill = rln__fill_gpu_kern_sum,
     .words = "|base|mangled|",
     .alias = "nvtxkernsum"},
    {.name = "startend_trace",
     .title = "Start/End Range Trace",
     .help = "each start/end range, with both threads",
     .subject = "start/end ranges",
     .fill = rln__fill_startend_trace},
    {.name = "tree",
     .title = "Call Tree",
     .help = "how push/pop ranges nest, over all threads (tree:thread: on each)",
     .subject = "push/pop ranges",
     .fill = rln__fill_tree,
     .words = "|thread|"},
    {.name = "category_sum",
     .title = "Category Summary",
     .help = "ranges of both styles, by category",
     .subject = "ranges with a category",
     .fill = rln__fill_categories,
     .sums = RLN_SUM_CATEGORIES},
    {.name = "thread_sum",
     .title = "Thread Summary",
     .help = "time in push/pop ranges, by thread",
     .subject = "threads",
     .fill = rln__fill_threads,
     .needs_nesting = true,
     .needs_info = true},
    {.name = "process_sum",
     .title = "Process Summary",
     .help = "time in push/pop ranges, by process",
     .subject = "processes",
     .fill = rln__fill_processes,
     .needs_nesting = true,
     .needs_info = true},
    {.name = "rank_sum",
     .title = "Rank Summary",
     .help = "ranges, rank by rank: how far they are from equal, and the slowest",
     .subject = "ranges",
     .fill = rln__fill_ranks,
     .sums = RLN_SUM_RANKS},
    {.name = "mark_sum",
     .title = "Mark Summary",
     .help = "marks, by name",
     .subject = "marks",
     .fill = rln__fill_marks,
     .sums = RLN_SUM_MARKS},
    {.name = "counter_sum",
     .title = "Counter Summary",
     .help = "levels of counters, by name and field",
     .subject = "samples of counters",
     .fill = rln__fill_counters,
     .sums = RLN_SUM_COUNTERS},
    {.name = "payload_sum",
     .title = "Payload Summary",
     .help = "numbers that ranges carry, by name and field",
     .subject = "ranges with payloads",
     .fill = rln__fill_payloads,
     .sums = RLN_SUM_PAYLOADS},
    {.name = "sync_sum",
     .title = "Synchronisation Object Summary",
     .help = "who waited for which object, and who held it",
     .subject = "synchronisation objects",
     .fill = rln__fill_sync,
     .sums = RLN_SUM_SYNC},
    {.name = "pace",
     .title = "Pace",
     .help = "each time a range ran (pace:NAME): gap, period, drift",
     .subject = "such ranges",
     .fill = rln__fill_pace,
     .takes_argument = true},
    {.name = "histogram",
     .title = "Histogram",
     .help = "how long a range took (histogram:NAME), and how often",
     .subject = "such ranges",
     .fill = rln__fill_histogram,
     .takes_argument = true},
    {.name = "outliers",
     .title = "Outliers",
     .help = "the 20 push/pop ranges that took longest beyond their median",
     .subject = "push/pop ranges that took three times their median",
     .fill = rln__fill_outliers,
     .needs_nesting = true},
    {.name = "gaps",
     .title = "Gaps",
     .help = "time between outermost push/pop ranges of a thread",
     .subject = "gaps between push/pop ranges",
     .fill = rln__fill_gaps,
     .needs_nesting = true},
    {.name = NULL},
};

bool rln__report_fill(const struct rln__report *report,
                      const struct rln__report_data *data,
                      const struct rln__report_look *look, struct rln__table *t)
{
    const bool has_rows = report->fill(report, data, look, t);

    t->is_plain |= look->is_humane;
    t->is_bold = look->has_color;
    t->unit = t->is_plain ? NULL : look->unit->name;
    return has_rows;
}
