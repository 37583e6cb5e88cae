/* SPDX-License-Identifier: Apache-2.0 */
/* step_trace.c - each range of one name, rank by rank. */
#include "base/fail.h"
#include "reports/rank_columns.h"
#include "reports/rank_steps.h"
#include "reports/report_build.h"
#include "reports/report_list.h"
#include "reports/sorted_rows.h"

static const rln_report_column columns[] = {
    RLN__IDS("Rank"),
    RLN__IDS("Step"),
    RLN__TIMES("Start"),
    RLN__TIMES("Duration"),
};

/* The cells of its row. */
struct step {
    struct rln__rank_step of;
    uint64_t index; /* among those of its rank */
};

static int in_order(const void *a, const void *b)
{
    const struct step *x = a, *y = b;

    if (x->of.rank != y->of.rank)
        return x->of.rank < y->of.rank ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void put_step(rln_report *out, const struct rln__sorted_rows *rows,
                     const void *item)
{
    const struct step *step = item;

    (void)rows;
    rln__report_put_id(out, step->of.rank);
    rln__report_put_id(out, step->index);
    rln__report_put_time(out, step->of.start_ns);
    rln__report_put_ns(out, step->of.ns);
}

static rln_status add_steps(struct rln__sorter *to, const struct rln__rank_steps *steps,
                            rln_error *err)
{
    struct step step = {.index = 0};
    rln_status status = RLN_OK;

    for (size_t i = 0; i < steps->n && !status; i++) {
        const int is_next = i && steps->items[i - 1].rank == steps->items[i].rank;

        step.of = steps->items[i];
        step.index = is_next ? step.index + 1 : 0;
        status = rln__sorter_add(to, &step, err);
    }
    return status;
}

static rln_status build_step_trace(const struct rln__report_source *source,
                                   rln_report *out)
{
    static const struct rln__sorted_kind kind = {.n_bytes =
                                                     sizeof(struct rln__sorted_rows),
                                                 .item_bytes = sizeof(struct step),
                                                 .compare = in_order,
                                                 .put = put_step};
    struct rln__sorted_rows *rows = rln__report_sorted_rows(out, &kind);
    struct rln__rank_steps own = {0}, *steps;
    rln_status status;

    if (!rows)
        return rln__fail_nomem(source->err);
    status = rln__rank_steps_find(source, &own, &steps);
    rln__rank_column_name(out, 0, steps->kind);
    if (!status)
        status = add_steps(&rows->all, steps, source->err);
    rln__rank_steps_clear(&own);
    return rln__sorted_rows_end(rows, status ? status : RLN_END, source->err);
}

const struct rln__report_kind rln__report_step_trace = {
    .about = {.name = "step_trace",
              .title = "Step Trace",
              .help = "each range of one name (step_trace:NAME), by rank",
              .subject = "ranges",
              .is_of_a_range = 1,
              .details = "step_trace:NAME lists each range of a name, by Rank. Step "
                         "counts those of a rank from 0: the i-th ranges on all ranks "
                         "are one step. Ranks are those of rank_sum; Start is a time "
                         "since the traces began."},
    .build = build_step_trace,
    RLN__COLUMNS(columns),
    .needs = RLN__NEEDS_STEPS,
};
