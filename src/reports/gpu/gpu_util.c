/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_util.c - how busy each GPU of each rank was, and with what. */
#include "base/fail.h"
#include "reports/rank_columns.h"
#include "reports/report_list.h"
#include "reports/report_parts.h"
#include "reports/sums.h"

#include <stdlib.h>

static int by_rank(const void *a, const void *b)
{
    const struct rln__gpu_row *x = a, *y = b;

    if (x->of != y->of)
        return x->of < y->of ? -1 : 1;
    return (x->device > y->device) - (x->device < y->device);
}

/* From rows of processes to those of ranks. */
static rln_status find_gpus(rln_reader *reader, struct rln__gpu_rows *out,
                            enum rln__rank_kind *kind, rln_error *err)
{
    struct rln__gpu_rows of_processes;
    struct rln__rank_sum ranks = {0};
    rln_status status = rln__gpu_rows_read(&of_processes, reader, err);

    if (!status && rln__rank_sum_begin(&ranks, reader))
        status = rln__fail_nomem(err);
    *kind = ranks.kind;
    for (size_t i = 0; i < of_processes.n && !status; i++) {
        const struct rln__gpu_row *row = &of_processes.items[i];
        const uint32_t rank =
            row->of < ranks.n_processes ? ranks.rank_of[row->of] : UINT32_MAX;

        if (rank != UINT32_MAX)
            status = rln__gpu_rows_add(out, ranks.ranks[rank].number, row->device,
                                       &row->use, err);
    }
    rln__rank_sum_clear(&ranks);
    rln__gpu_rows_clear(&of_processes);
    return status;
}

static void put_row(rln_report *out, const struct rln__gpu_row *row)
{
    const struct rln__gpu_use *use = &row->use;
    const uint64_t span_ns = rln__gpu_use_span(use);
    const uint64_t busy_ns = span_ns - use->ns[0];

    rln__report_put_id(out, row->of);
    rln__report_put_id(out, row->device);
    rln__report_put_ns(out, span_ns);
    rln__report_put_ns(out, busy_ns);
    rln__report_put_percent(out, busy_ns, span_ns);
    rln__report_put_ns(out, rln__gpu_use_with(use, RLN__GPU_COMPUTES));
    rln__report_put_ns(out, rln__gpu_use_with(use, RLN__GPU_COMMUNICATES));
    rln__report_put_ns(out, rln__gpu_use_with(use, RLN__GPU_COPIES));
    rln__report_put_ns(out, use->ns[RLN__GPU_COMMUNICATES]);
    rln__report_put_ns(out, use->ns[RLN__GPU_COPIES]);
    rln__report_put_ns(out, use->ns[0]);
}

/* Sorts the rows. */
static void fill(rln_report *out, const struct rln__gpu_rows *rows)
{
    if (rows->n)
        qsort(rows->items, rows->n, sizeof(*rows->items), by_rank);
    for (size_t i = 0; i < rows->n; i++)
        put_row(out, &rows->items[i]);
}

static rln_status build_gpu_util(const struct rln__report_source *source,
                                 rln_report *out)
{
    struct rln__gpu_rows own = {.n = 0};
    enum rln__rank_kind kind;
    rln_status status = RLN_OK;

    if (source->parts)
        kind = source->sums->ranks.kind;
    else
        status = find_gpus(source->reader, &own, &kind, source->err);
    rln__rank_column_name(out, 0, kind);
    if (!status)
        fill(out, source->parts ? &source->parts->gpus : &own);
    rln__gpu_rows_clear(&own);
    return status;
}

static const rln_report_column columns[] = {
    RLN__IDS("Rank"),
    RLN__IDS("Device"),
    RLN__TIMES("Span"),
    RLN__TIMES("Busy"),
    RLN__NUMBERS("Util (%)"),
    RLN__TIMES("Compute"),
    RLN__TIMES("Communication"),
    RLN__TIMES("Copy"),
    RLN__TIMES("Exposed Communication"),
    RLN__TIMES("Exposed Copy"),
    RLN__TIMES("Idle"),
};

const struct rln__report_kind rln__report_gpu_util = {
    .about =
        {.name = "gpu_util",
         .title = "GPU Utilization",
         .help = "how busy each GPU was, by rank: compute, NCCL, copies, what of "
                 "these nothing hides, and idle time",
         .subject = "CUDA trace data",
         .details =
             "Each GPU of each rank, numbered as in rank_sum. Span: from its first "
             "operation's start to its last one's end; Busy: any ran; Communication: "
             "kernels of NCCL and RCCL; Compute: other kernels; Copy: also sets of "
             "memory; Exposed: nothing else ran there. What overlaps on several "
             "streams counts once; processes of a rank add up."},
    .build = build_gpu_util,
    RLN__COLUMNS(columns),
    .needs = RLN__NEEDS_PARTS,
};
