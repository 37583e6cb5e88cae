/* SPDX-License-Identifier: Apache-2.0 */
/* rank_calls.c - how often the ranks ran each range, those first that ranks disagree
 * on.
 *
 *     rank      0    1    2    3
 *     step    100  100   99  100    usually 100 times; rank 2 differs
 *     log       1    0    0    0    usually 0 times: most ranks do not run it
 */
#include "base/alloc.h"
#include "base/fail.h"
#include "reports/rank_columns.h"
#include "reports/report_list.h"

#include <stdlib.h>

enum { N_NAMED = 3 };

static const rln_report_column columns[] = {
    RLN__NUMBERS("Instances"), RLN__NUMBERS("Ranks"), RLN__NUMBERS("Min"),
    RLN__NUMBERS("Max"),       RLN__NUMBERS("Usual"), RLN__NUMBERS("Differing"),
    RLN__TEXTS("Range"),
};

/* How a range's calls are spread over ranks. */
struct calls {
    size_t row; /* of the sums, which are in the order of total time */
    uint64_t min, max;
    uint64_t usual; /* of most ranks, if they have a majority */
    int has_usual;
    uint64_t n_differing;
};

static uint64_t calls_of(const struct rln__sums *sums, size_t row, size_t rank)
{
    return rln__sums_rank_share(sums, row, rank).n_ranges;
}

/* Boyer and Moore's vote finds a majority, if there is one. */
static uint64_t vote(const struct rln__sums *sums, size_t row)
{
    uint64_t usual = 0, votes = 0;
    const struct rln__rank *rank;

    for (size_t k = 0; (rank = rln__sums_rank(sums, k)); k++) {
        const uint64_t n = calls_of(sums, row, k);

        if (!rln__rank_is_compared(rank))
            continue;
        if (!votes)
            usual = n;
        votes += n == usual ? 1 : UINT64_MAX;
    }
    return usual;
}

static struct calls compare_ranks(const struct rln__sums *sums, size_t row)
{
    struct calls c = {.row = row, .min = UINT64_MAX, .usual = vote(sums, row)};
    uint64_t n_compared = 0;
    const struct rln__rank *rank;

    for (size_t k = 0; (rank = rln__sums_rank(sums, k)); k++) {
        const uint64_t n = calls_of(sums, row, k);

        if (!rln__rank_is_compared(rank))
            continue;
        n_compared++;
        c.n_differing += n != c.usual;
        c.min = n < c.min ? n : c.min;
        c.max = n > c.max ? n : c.max;
    }
    c.has_usual = 2 * c.n_differing < n_compared;
    return c;
}

/* What most ranks do and some do otherwise, what has no majority, what few ranks do,
 * and what all do alike. */
static int order_of(const struct calls *c)
{
    if (c->min == c->max)
        return 3;
    return !c->has_usual ? 1 : c->usual ? 0 : 2;
}

static int in_order(const void *a, const void *b)
{
    const struct calls *x = a, *y = b;

    if (order_of(x) != order_of(y))
        return order_of(x) < order_of(y) ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* "17: 99, 3: 101": the first ranks that differ. */
static void put_differing(rln_report *out, const struct rln__sums *sums,
                          const struct calls *c)
{
    const struct rln__rank *rank;
    size_t n = 0;

    for (size_t k = 0; c->has_usual && (rank = rln__sums_rank(sums, k)); k++) {
        const uint64_t calls = calls_of(sums, c->row, k);

        if (!rln__rank_is_compared(rank) || calls == c->usual)
            continue;
        if (n == N_NAMED) {
            rln__buf_format(rln__report_text(out), ", ...");
            break;
        }
        rln__buf_format(rln__report_text(out), "%s%u: %llu", n++ ? ", " : "",
                        rank->number, (unsigned long long)calls);
    }
    rln__report_put_text(out);
}

static void add_row(rln_report *out, const struct rln__sums *sums,
                    const struct calls *c)
{
    const struct rln__rank_row *row = rln__sums_rank_row(sums, c->row);
    const struct rln__rank *rank;

    rln__report_put_count(out, row->n_ranges);
    rln__report_put_count(out, row->n_ranks);
    rln__report_put_count(out, c->min);
    rln__report_put_count(out, c->max);
    rln__report_put_count(out, c->usual);
    rln__report_put_count(out, c->n_differing);
    rln__report_only_if(out, c->has_usual, 2);
    rln__report_put_qualified(out, row->domain_name, row->message);
    for (size_t k = 0; (rank = rln__sums_rank(sums, k)); k++)
        if (rln__rank_is_compared(rank))
            rln__report_put_count(out, calls_of(sums, c->row, k));
    put_differing(out, sums, c);
}

static rln_status build_calls(const struct rln__report_source *source, rln_report *out)
{
    struct calls *all;
    size_t n = 0;

    while (rln__sums_rank_row(source->sums, n))
        n++;
    all = rln__alloc(n + 1, sizeof(*all));
    if (!all)
        return rln__fail_nomem(source->err);
    for (size_t i = 0; i < n; i++)
        all[i] = compare_ranks(source->sums, i);
    qsort(all, n, sizeof(*all), in_order);
    rln__rank_columns_add(out, source->sums, 0, "Differing Ranks");
    for (size_t i = 0; i < n; i++)
        add_row(out, source->sums, &all[i]);
    rln__free(all);
    return RLN_OK;
}

const struct rln__report_kind rln__report_rank_calls = {
    .about = {.name = "rank_calls",
              .title = "Calls by Rank",
              .help = "calls per range and rank: which ranks differ from most",
              .subject = "ranges",
              .details = "One row per range; then one column per rank, with its calls. "
                         "Ranks are those of rank_sum. Ranks: how many have the range. "
                         "Min, Max: the fewest and most calls of a rank. Usual: the "
                         "calls of most ranks; Differing: how many ranks have more or "
                         "fewer. Both are empty if no number is that of most ranks. "
                         "With more than eight ranks, tables show three that differ."},
    .build = build_calls,
    RLN__COLUMNS(columns),
    .needs = RLN__NEEDS_PARTS,
    .sums = RLN__SUM_RANKS,
};
