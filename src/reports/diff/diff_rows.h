/* SPDX-License-Identifier: Apache-2.0 */
/* diff_rows.h - the rows of a comparison, and how a side puts its ranges into them.
 *
 *   path --rln__diff_row_number--> row --rln__diff_add_run--> durations, run by run
 *
 * Each side has its own texts, so the compared ones are copied into one table.
 */
#ifndef RLN_REPORTS_DIFF_DIFF_ROWS_H
#define RLN_REPORTS_DIFF_DIFF_ROWS_H

#include "base/key_index.h"
#include "format/strings.h"
#include "reports/diff/diff.h"
#include "statistics/exact_spread.h"

/* The durations of a path in a run. */
struct rln__diff_run {
    struct rln__samples samples; /* owned */
    uint32_t next;               /* of the same path: index + 1, 0 after the last */
};

/* The runs of a path on one side. */
struct rln__diff_runs {
    uint32_t first, last;     /* index + 1; 0: none */
    size_t n_runs, n_samples; /* samples may be fewer than ranges */
    uint8_t is_rough;         /* samples are within 0.4 % */
};

struct rln__diff_item {
    struct rln__diff_row row;
    struct rln__diff_runs runs[RLN__N_DIFF_SIDES];
    double tail_ratio, tail_p_runs;
};

/* What the runs of a side are. */
struct rln__diff_sources {
    size_t n_traces, n_runs;
    uint8_t has_order; /* samples are in the order of time */
};

struct rln__diff {
    struct rln__diff_item *items; /* owned, as all these */
    size_t n, capacity;
    struct rln__diff_run *runs;
    size_t n_all_runs, runs_capacity;
    struct rln__key_index keys;
    struct rln__strings texts;
    struct rln__diff_sources sources[RLN__N_DIFF_SIDES];
    /* Owned: a comparison of the same rows by their time on a processor; NULL: this is
     * it. */
    struct rln__diff *on_processor;
};

struct rln__diff_path {
    size_t parent; /* row; SIZE_MAX: outermost */
    rln_range_style style;
    uint8_t is_default_domain;
    rln_text domain_name, message;
};

/* The row of a path, new or not. SIZE_MAX: no memory. */
size_t rln__diff_row_number(struct rln__diff *diff, const struct rln__diff_path *path);

/* Takes the samples of a run, also on failure. 0, or -1: no memory. */
int rln__diff_add_run(struct rln__diff *diff, size_t row, int side,
                      struct rln__samples *samples);

/* What a row has on a side. */
static inline struct rln__diff_side *rln__diff_side_of(struct rln__diff_row *row,
                                                       int side)
{
    return side == RLN__DIFF_BEFORE ? &row->before : &row->after;
}

#endif
