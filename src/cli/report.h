/* SPDX-License-Identifier: Apache-2.0 */
/* report.h - the reports that `stats` knows, each as a table. */
#ifndef RLN_CLI_REPORT_H
#define RLN_CLI_REPORT_H

#include "cli/cells.h"
#include "rangeline/nesting.h"
#include "rangeline/stats.h"
#include "rangeline/sums.h"
#include "rangeline/tree.h"

/* What is shown of the tree. */
struct rln__tree_cut {
    uint32_t max_depth; /* levels; UINT32_MAX: all */
    double min_share;   /* of the time of all, 0 to 1; what has less, and all below it,
                         * is not */
    const char *under;  /* only nodes of this name, and what is below them; or NULL */
};

/* What reports are made of. What no report asks for is NULL. */
struct rln__report_data {
    rln_reader *reader;
    rln_stats *stats;
    rln_tree *tree;
    rln_tree *thread_tree;
    rln_sums *sums;
    rln_nesting *nesting;
    rln_info *info;
    const struct rln__tree_cut *cut;
    const char *argument; /* of the report that is filled: "pace:ARGUMENT"; or NULL */
};

struct rln__report {
    const char *name;
    const char *title;
    const char *help;
    const char *subject; /* what a trace without rows does not contain */
    /* Fills a table that rln__table_clear() frees. False: the report has no rows. */
    bool (*fill)(const struct rln__report *report, const struct rln__report_data *data,
                 const struct rln__report_look *look, struct rln__table *table);
    unsigned sums;         /* RLN_SUM_... that it is made of */
    rln_range_style style; /* of the ranges it lists; 0 is both */
    bool needs_nesting;
    bool needs_info;
    bool takes_argument; /* the name of a range */
    const char *words; /* else the words that it takes, as "|base|mangled|"; or NULL */
    /* What nsys called it once, and before that; or NULL. */
    const char *alias, *older_alias;
};

extern const struct rln__report rln__reports[]; /* ends with a name of NULL */

/* Calls `fill`, and sets what is the same for all tables. */
bool rln__report_fill(const struct rln__report *report,
                      const struct rln__report_data *data,
                      const struct rln__report_look *look, struct rln__table *table);

typedef bool rln__report_filler(const struct rln__report *report,
                                const struct rln__report_data *data,
                                const struct rln__report_look *look,
                                struct rln__table *table);

/* report_tree.c */
rln__report_filler rln__fill_tree;
/* report_sums.c */
rln__report_filler rln__fill_marks, rln__fill_categories, rln__fill_counters,
    rln__fill_payloads, rln__fill_sync;
/* report_ranges.c */
rln__report_filler rln__fill_pushpop_trace, rln__fill_startend_trace, rln__fill_threads,
    rln__fill_processes;
/* report_times.c */
rln__report_filler rln__fill_gaps, rln__fill_outliers, rln__fill_pace,
    rln__fill_histogram;

/* report_ranks.c */
rln__report_filler rln__fill_ranks;

/* report_gpu.c */
rln__report_filler rln__fill_gpu_proj_sum, rln__fill_gpu_proj_trace,
    rln__fill_gpu_kern_sum;

#endif
