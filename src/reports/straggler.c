/* SPDX-License-Identifier: Apache-2.0 */
/* straggler.c - which rank the others wait for, step by step: the i-th ranges of one
 * name on all ranks are one step.
 *
 *     rank 0  |--| |--|   |--|     step 0: ranks 0 and 1, of which 1 is slower
 *     rank 1  |----| |--|          step 1: the same
 *                                  step 2: rank 0 alone, which is not compared
 */
#include "base/alloc.h"
#include "base/fail.h"
#include "reports/rank_columns.h"
#include "reports/rank_steps.h"
#include "reports/report_list.h"
#include "statistics/select.h"

#include <stdlib.h>

/* What a rank's steps add up to. */
struct straggler {
    uint32_t number;
    size_t first, n; /* its steps */
    uint64_t total_ns, max_ns;
    uint64_t n_slowest;
    double lost_ns; /* over the median of the step, while it was the slowest */
};

/* --- Comparing -------------------------------------------------------------------- */

static int by_lost(const void *a, const void *b)
{
    const struct straggler *x = a, *y = b;

    if (x->lost_ns != y->lost_ns)
        return x->lost_ns > y->lost_ns ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* The ranks of sorted steps; returns how many. */
static size_t find_ranks(const struct rln__rank_steps *steps, struct straggler *ranks)
{
    size_t n = 0;

    for (size_t i = 0; i < steps->n; i++) {
        const struct rln__rank_step *step = &steps->items[i];

        if (!n || ranks[n - 1].number != step->rank)
            ranks[n++] = (struct straggler){.number = step->rank, .first = i};
        ranks[n - 1].n++;
        ranks[n - 1].total_ns += step->ns;
        if (step->ns > ranks[n - 1].max_ns)
            ranks[n - 1].max_ns = step->ns;
    }
    return n;
}

/* Compares the ranks that have step `index`. Returns whether there are several;
 * `durations` has room for one each. */
static int compare_step(const struct rln__rank_steps *steps, struct straggler *ranks,
                        size_t n_ranks, size_t index, uint64_t *durations)
{
    struct straggler *slowest = NULL;
    uint64_t max_ns = 0;
    double median_ns;
    size_t n = 0;

    for (size_t i = 0; i < n_ranks; i++) {
        if (index >= ranks[i].n)
            continue;
        durations[n] = steps->items[ranks[i].first + index].ns;
        if (!slowest || durations[n] > max_ns) {
            slowest = &ranks[i];
            max_ns = durations[n];
        }
        n++;
    }
    if (n < 2)
        return 0;
    median_ns = (double)rln__select(durations, n, n / 2);
    if (n % 2 == 0)
        median_ns = (median_ns + (double)rln__select(durations, n, n / 2 - 1)) / 2;
    slowest->n_slowest++;
    slowest->lost_ns += (double)max_ns - median_ns;
    return 1;
}

static void add_row(rln_report *out, const struct straggler *rank, uint64_t n_compared)
{
    rln__report_put_mean(out, rank->lost_ns);
    rln__report_put_count(out, rank->n_slowest);
    rln__report_put_percent(out, rank->n_slowest, n_compared);
    rln__report_put_count(out, rank->n);
    rln__report_put_ns(out, rank->total_ns);
    rln__report_put_mean(out, (double)rank->total_ns / (double)rank->n);
    rln__report_put_ns(out, rank->max_ns);
    rln__report_put_id(out, rank->number);
}

static rln_status fill(rln_report *out, struct rln__rank_steps *steps, rln_error *err)
{
    struct straggler *ranks = rln__alloc(steps->n + 1, sizeof(*ranks));
    uint64_t *durations = rln__alloc(steps->n + 1, sizeof(*durations));
    uint64_t n_compared = 0;
    size_t n;

    if (!ranks || !durations) {
        rln__free(ranks);
        rln__free(durations);
        return rln__fail_nomem(err);
    }
    n = find_ranks(steps, ranks);
    while (compare_step(steps, ranks, n, (size_t)n_compared, durations))
        n_compared++;
    qsort(ranks, n, sizeof(*ranks), by_lost);
    for (size_t i = 0; i < n && n_compared; i++)
        add_row(out, &ranks[i], n_compared);
    rln__free(ranks);
    rln__free(durations);
    return RLN_OK;
}

static const rln_report_column columns[] = {
    RLN__TIMES("Lost Time"),   RLN__NUMBERS("Slowest"),  RLN__NUMBERS("Slowest (%)"),
    RLN__NUMBERS("Instances"), RLN__TIMES("Total Time"), RLN__TIMES("Avg"),
    RLN__TIMES("Max"),         RLN__IDS("Rank"),
};

static rln_status build_straggler(const struct rln__report_source *source,
                                  rln_report *out)
{
    struct rln__rank_steps own = {0}, *steps;
    rln_status status = rln__rank_steps_find(source, &own, &steps);
    rln__rank_column_name(out, RLN_COUNT(columns) - 1, steps->kind);
    if (!status)
        status = fill(out, steps, source->err);
    rln__rank_steps_clear(&own);
    return status;
}

const struct rln__report_kind rln__report_straggler = {
    .about = {.name = "straggler",
              .title = "Stragglers",
              .help = "one range (straggler:NAME), step by step: which rank was the "
                      "slowest how often, and the time that cost",
              .subject = "ranges on several ranks",
              .is_of_a_range = 1,
              .details =
                  "One row per rank, for straggler:NAME. The i-th ranges of the "
                  "name on all ranks are one step. Slowest: in how many steps "
                  "the rank took longest; Lost Time: by how much it exceeded the "
                  "median of the ranks then. Instances, Total Time, Avg and Max "
                  "are of all of the rank's ranges. Ranks are those of rank_sum."},
    .build = build_straggler,
    RLN__COLUMNS(columns),
    .needs = RLN__NEEDS_STEPS,
};
