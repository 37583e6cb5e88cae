/* SPDX-License-Identifier: Apache-2.0 */
/* report_ranks.c - do all ranks take as long, and if not, which is the slowest? */
#include "cli/report.h"

#include <stdio.h>

#include "base/fail.h"

/* More columns are for programs; people see who is behind. */
enum { MOST_FOR_PEOPLE = 8, N_SLOWEST = 3 };

static const struct rln__column ranks[] = {
    {"Time (%)", RLN__NUMBER},      {"Total Time (@)", RLN__NUMBER},
    {"Ranks", RLN__NUMBER},         {"Instances", RLN__NUMBER},
    {"Min (@)", RLN__NUMBER},       {"Mean (@)", RLN__NUMBER},
    {"Max (@)", RLN__NUMBER},       {"Excess (@)", RLN__NUMBER},
    {"Imbalance (%)", RLN__NUMBER}, {"Slowest", RLN__ID},
    {"Range", RLN__TEXT},
};

static const char *word_for(const rln_rank *rank)
{
    return rank->kind == RLN_RANK_OF_JOB  ? "Rank"
           : rank->kind == RLN_RANK_TRACE ? "Trace"
                                          : "PID";
}

static bool is_shown(const rln_rank *rank)
{
    return rank->kind != RLN_RANK_PROCESS || rank->n_ranges > 0;
}

/* "Rank 3 (ns)"; how many there are */
static void add_columns(struct rln__table *t, const rln_sums *sums)
{
    const rln_rank *rank;
    char header[40];

    for (size_t i = 0; (rank = rln_sums_rank(sums, i)); i++) {
        if (!is_shown(rank))
            continue;
        (void)snprintf(header, sizeof(header), "%s %u (@)", word_for(rank),
                       rank->number);
        rln__table_add_column(t, header, RLN__NUMBER);
    }
}

static size_t count_shown(const rln_sums *sums)
{
    const rln_rank *rank;
    size_t n = 0;

    for (size_t i = 0; (rank = rln_sums_rank(sums, i)); i++)
        n += is_shown(rank);
    return n;
}

static void add_row(struct rln__table *t, const struct rln__report_look *look,
                    const rln_sums *sums, const rln_rank_row *row, uint64_t total)
{
    rln__cell_percent(t, row->total_ns, total);
    rln__cell_ns(t, look, row->total_ns);
    rln__cell_count(t, look, row->n_ranks);
    rln__cell_count(t, look, row->n_ranges);
    rln__cell_ns(t, look, row->min_ns);
    rln__cell_computed(t, look, row->mean_ns);
    rln__cell_ns(t, look, row->max_ns);
    rln__cell_computed(t, look, (double)row->max_ns - row->mean_ns);
    rln__buf_format(&t->text, "%.1f", row->imbalance * 100);
    rln__table_cell(t);
    rln__cell_plain(t, rln_sums_rank(sums, row->most)->number, row->total_ns > 0);
    rln__cell_qualified(t, row->domain_name, row->message);
}

/* The rank that took longest of those that are not in `named` yet; n if none is left.
 */
static size_t next_slowest(const rln_sums *sums, size_t row, const size_t *named,
                           size_t n_named, uint64_t *ns)
{
    size_t n = 0, slowest = SIZE_MAX;
    const rln_rank *rank;

    for (; (rank = rln_sums_rank(sums, n)); n++) {
        const uint64_t total_ns = rln_sums_rank_share(sums, row, n).total_ns;
        int is_named = !is_shown(rank);

        for (size_t i = 0; i < n_named; i++)
            is_named |= named[i] == n;
        if (is_named || (slowest != SIZE_MAX && total_ns <= *ns))
            continue;
        slowest = n;
        *ns = total_ns;
    }
    return slowest == SIZE_MAX ? n : slowest;
}

/* "17 +60.0%, 3 +5.2%, 40 +4.9%": what they take more than the mean. */
static void add_slowest(struct rln__table *t, const rln_sums *sums, size_t index,
                        const rln_rank_row *row)
{
    size_t named[N_SLOWEST];

    for (size_t i = 0; i < N_SLOWEST && row->mean_ns > 0; i++) {
        uint64_t ns = 0;
        const rln_rank *rank;

        named[i] = next_slowest(sums, index, named, i, &ns);
        rank = rln_sums_rank(sums, named[i]);
        rln__buf_format(&t->text, "%s%u %+.1f%%", i ? ", " : "", rank->number,
                        ((double)ns / row->mean_ns - 1) * 100);
    }
    rln__table_cell(t);
}

bool rln__fill_ranks(const struct rln__report *report,
                     const struct rln__report_data *data,
                     const struct rln__report_look *look, struct rln__table *t)
{
    const size_t n_shown = count_shown(data->sums);
    const bool has_columns = !look->is_aligned || n_shown <= MOST_FOR_PEOPLE;
    const rln_rank_row *row;
    const rln_rank *rank;
    uint64_t total = 0;

    (void)report;
    rln__table_init(t, ranks, RLN_COUNT(ranks));
    if (has_columns)
        add_columns(t, data->sums);
    else
        rln__table_add_column(t, "Slowest Ranks", RLN__TEXT);
    for (size_t i = 0; (row = rln_sums_rank_row(data->sums, i)); i++)
        total += row->total_ns;
    for (size_t i = 0; (row = rln_sums_rank_row(data->sums, i)); i++) {
        add_row(t, look, data->sums, row, total);
        for (size_t k = 0; has_columns && (rank = rln_sums_rank(data->sums, k)); k++)
            if (is_shown(rank))
                rln__cell_ns(t, look, rln_sums_rank_share(data->sums, i, k).total_ns);
        if (!has_columns)
            add_slowest(t, data->sums, i, row);
    }
    return rln_sums_rank_row(data->sums, 0) != NULL;
}
