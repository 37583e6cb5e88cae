/* SPDX-License-Identifier: Apache-2.0 */
/* nccl_sum.c - calls of NCCL and RCCL, by name and size: what they move, how fast. */
#include "reports/report_list.h"
#include "reports/report_parts.h"

#include <stdlib.h>

static int by_time(const void *a, const void *b)
{
    const struct rln__collective_row *x = a, *y = b;
    int order;

    if (x->sum.gpu_ns != y->sum.gpu_ns)
        return x->sum.gpu_ns > y->sum.gpu_ns ? -1 : 1;
    if (x->sum.total_ns != y->sum.total_ns)
        return x->sum.total_ns > y->sum.total_ns ? -1 : 1;
    order = rln__compare_text(x->name, y->name);
    return order ? order : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* From rows of processes to those of all. */
static rln_status find_calls(rln_reader *reader, struct rln__collectives *out,
                             rln_error *err)
{
    struct rln__collectives of_processes;
    rln_status status = rln__collectives_read(&of_processes, reader, err);

    for (size_t i = 0; i < of_processes.n && !status; i++) {
        const struct rln__collective_row *row = &of_processes.items[i];

        status = rln__collectives_add(out, 0, row->name, row->bytes, &row->sum, err);
    }
    rln__collectives_clear(&of_processes);
    return status;
}

static void put_row(rln_report *out, const struct rln__collective_row *row)
{
    const struct rln__collective *sum = &row->sum;
    const int is_on_gpu = sum->gpu_ns > 0;
    const double n_on_gpu = (double)sum->n_on_gpu, gpu_ns = (double)sum->gpu_ns;
    uint64_t total;

    rln__report_put_count(out, sum->n);
    rln__report_put_count(out, row->bytes);
    if (__builtin_mul_overflow(row->bytes, sum->n, &total))
        rln__report_put_number(out, (double)row->bytes * (double)sum->n);
    else
        rln__report_put_count(out, total);
    rln__report_put_ns(out, sum->total_ns);
    rln__report_put_mean(out, (double)sum->total_ns / (double)sum->n);
    rln__report_put_ns(out, sum->min_ns);
    rln__report_put_ns(out, sum->max_ns);
    rln__report_put_count(out, sum->n_on_gpu);
    rln__report_put_ns(out, sum->gpu_ns);
    rln__report_put_mean(out, is_on_gpu ? gpu_ns / n_on_gpu : 0);
    rln__report_only_if(out, is_on_gpu, 2);
    rln__report_put_fixed(out, is_on_gpu ? (double)row->bytes * n_on_gpu / gpu_ns : 0,
                          3);
    rln__report_only_if(out, is_on_gpu, 1);
    rln__report_put_name(out, row->name);
}

/* Sorts the rows. */
static void fill(rln_report *out, const struct rln__collectives *all)
{
    if (all->n)
        qsort(all->items, all->n, sizeof(*all->items), by_time);
    for (size_t i = 0; i < all->n; i++)
        put_row(out, &all->items[i]);
}

static rln_status build_nccl_sum(const struct rln__report_source *source,
                                 rln_report *out)
{
    struct rln__collectives own = {.n = 0};
    rln_status status = RLN_OK;

    if (!source->parts)
        status = find_calls(source->reader, &own, source->err);
    if (!status)
        fill(out, source->parts ? &source->parts->collectives : &own);
    rln__collectives_clear(&own);
    return status;
}

static const rln_report_column columns[] = {
    RLN__NUMBERS("Calls"),
    RLN__NUMBERS("Bytes"),
    RLN__NUMBERS("Total Bytes"),
    RLN__TIMES("Host Time"),
    RLN__TIMES("Host Avg"),
    RLN__TIMES("Host Min"),
    RLN__TIMES("Host Max"),
    RLN__NUMBERS("GPU Calls"),
    RLN__TIMES("GPU Time"),
    RLN__TIMES("GPU Avg"),
    RLN__NUMBERS("Bandwidth (GB/s)"),
    RLN__TEXTS("Name"),
};

const struct rln__report_kind rln__report_nccl_sum = {
    .about = {.name = "nccl_sum",
              .title = "NCCL Summary",
              .help = "calls of NCCL and RCCL by name and bytes: host time, GPU time, "
                      "bandwidth",
              .subject = "NCCL calls that say their bytes",
              .details =
                  "Ranges of the domains NCCL and RCCL whose payload has a size in "
                  "bytes. The host only enqueues a call; what counts is GPU Time, of "
                  "the kernels launched inside the call, which also wait for other "
                  "ranks. Bandwidth: bytes by GPU Time. Calls in a group launch theirs "
                  "in ncclGroupEnd: these belong to no call."},
    .build = build_nccl_sum,
    RLN__COLUMNS(columns),
    .needs = RLN__NEEDS_PARTS | RLN__READS_LAUNCHES,
};
