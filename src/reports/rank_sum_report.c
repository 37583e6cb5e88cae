/* SPDX-License-Identifier: Apache-2.0 */
/* rank_sum_report.c - the ranges of each name, compared between ranks. */
#include "base/fail.h"
#include "reports/cpu_ranks.h"
#include "reports/gpu/gpu_ranks.h"
#include "reports/rank_columns.h"
#include "reports/report_list.h"
#include "reports/report_parts.h"
#include "reports/sums.h"

#include <string.h>

enum { N_SLOWEST = 3 };

static const rln_report_column ranks[] = {
    RLN__NUMBERS("Time (%)"),  RLN__TIMES("Total Time"), RLN__NUMBERS("Ranks"),
    RLN__NUMBERS("Instances"), RLN__TIMES("Min"),        RLN__TIMES("Mean"),
    RLN__TIMES("Max"),         RLN__TIMES("Excess"),     RLN__NUMBERS("Imbalance (%)"),
    RLN__IDS("Slowest"),       RLN__TEXTS("Range"),
};

static void add_row(rln_report *out, const struct rln__sums *sums,
                    const struct rln__rank_row *row, uint64_t total)
{
    rln__report_put_percent(out, row->total_ns, total);
    rln__report_put_ns(out, row->total_ns);
    rln__report_put_count(out, row->n_ranks);
    rln__report_put_count(out, row->n_ranges);
    rln__report_put_ns(out, row->min_ns);
    rln__report_put_mean(out, row->mean_ns);
    rln__report_put_ns(out, row->max_ns);
    rln__report_put_mean(out, (double)row->max_ns - row->mean_ns);
    rln__report_put_fixed(out, row->imbalance * 100, 1);
    rln__report_put_id(out, rln__sums_rank(sums, row->most)->number);
    rln__report_only_if(out, row->total_ns > 0, 1);
    rln__report_put_qualified(out, row->domain_name, row->message);
}

/* The slowest rank that is not in `named` yet; the number of ranks if none is left. */
static size_t next_slowest(const struct rln__sums *sums, size_t row,
                           const size_t *named, size_t n_named, uint64_t *ns)
{
    size_t n = 0, slowest = SIZE_MAX;
    const struct rln__rank *rank;

    for (; (rank = rln__sums_rank(sums, n)); n++) {
        const uint64_t total_ns = rln__sums_rank_share(sums, row, n).total_ns;
        int is_named = !rln__rank_is_compared(rank);

        for (size_t i = 0; i < n_named; i++)
            is_named |= named[i] == n;
        if (is_named || (slowest != SIZE_MAX && total_ns <= *ns))
            continue;
        slowest = n;
        *ns = total_ns;
    }
    return slowest == SIZE_MAX ? n : slowest;
}

/* "17 +60.0%, 3 +5.2%, 40 +4.9%": how far they exceed the mean. */
static void add_slowest(rln_report *out, const struct rln__sums *sums, size_t index,
                        const struct rln__rank_row *row)
{
    size_t named[N_SLOWEST];

    for (size_t i = 0; i < N_SLOWEST && row->mean_ns > 0; i++) {
        uint64_t ns = 0;
        const struct rln__rank *rank;

        named[i] = next_slowest(sums, index, named, i, &ns);
        rank = rln__sums_rank(sums, named[i]);
        if (!rank)
            break;
        rln__buf_format(rln__report_text(out), "%s%u %+.1f%%", i ? ", " : "",
                        rank->number, ((double)ns / row->mean_ns - 1) * 100);
    }
    rln__report_put_text(out);
}

static void fill(rln_report *out, const struct rln__sums *sums)
{
    const struct rln__rank_row *row;
    const struct rln__rank *rank;
    uint64_t total = 0;

    rln__rank_columns_add(out, sums, 1, "Slowest Ranks");
    for (size_t i = 0; (row = rln__sums_rank_row(sums, i)); i++)
        total += row->total_ns;
    for (size_t i = 0; (row = rln__sums_rank_row(sums, i)); i++) {
        add_row(out, sums, row, total);
        for (size_t k = 0; (rank = rln__sums_rank(sums, k)); k++)
            if (rln__rank_is_compared(rank))
                rln__report_put_ns(out, rln__sums_rank_share(sums, i, k).total_ns);
        add_slowest(out, sums, i, row);
    }
}

static rln_status build_ranks(const struct rln__report_source *source, rln_report *out)
{
    const int is_cpu = rln__report_has_word(source->argument, "cpu");
    struct rln__sums *own;
    rln_status status;

    if (!source->argument) {
        fill(out, source->sums);
        return RLN_OK;
    }
    if (is_cpu && rln__report_has_word(source->argument, "gpu"))
        return rln__fail(source->err, RLN_ERR_FORMAT, 0,
                         "ranks are compared by the time of processors or of GPUs");
    if (source->parts && !source->parts->cpu_ranks)
        return rln__fail(source->err, RLN_ERR_FORMAT, 0, "%s",
                         source->parts->no_cpu_ranks);
    if (source->parts) {
        fill(out, source->parts->cpu_ranks);
        return RLN_OK;
    }
    status = (is_cpu ? rln__cpu_ranks_new : rln__gpu_ranks_new)(source->reader, &own,
                                                                source->err);
    if (status)
        return status;
    fill(out, own);
    rln__sums_free(own);
    return RLN_OK;
}

const struct rln__report_kind rln__report_rank_sum = {
    .about =
        {.name = "rank_sum",
         .title = "Rank Summary",
         .help = "time per range and rank: imbalance, and the slowest rank (:cpu: "
                 "the time on processors; :gpu: that of GPUs)",
         .subject = "ranges",
         .words = "cpu gpu",
         .details =
             "Ranks are those of an MPI, Slurm or torchrun job; otherwise traces, or "
             "the processes of a single trace. A rank without the range has 0. "
             "Imbalance: the slowest rank's excess over the mean; Excess: the same as "
             "time. With more than eight ranks, tables show the three slowest and "
             "their excess; csv, tsv, json and markdown have all columns."},
    .build = build_ranks,
    RLN__COLUMNS(ranks),
    .needs = RLN__GPU_READS_LAUNCHES | RLN__NEEDS_PARTS | RLN__CPU_NEEDS_PARTS,
    .sums = RLN__SUM_RANKS,
};
