/* SPDX-License-Identifier: Apache-2.0 */
/* rank_sum.c - the ranges of each name, rank by rank.
 *
 *   process --> rank --+
 *                      +--> share --> row of the name: mean, least, most
 *   range ---> name ---+
 *
 * Only existing shares take memory: of a thousand ranks, few run every name.
 */
#include "reports/rank_sum.h"
#include "base/alloc.h"
#include "reports/countable_ns.h"
#include "reports/domain_order.h"
#include "reports/gpu/gpu_ranks.h"
#include "reports/rank_columns.h"
#include "reports/report_list.h"
#include "reports/summary/quantile.h"
#include "reports/sums.h"
#include "trace/open/rank.h"

#include <stdlib.h>
#include <string.h>

/* --- Who is which rank ------------------------------------------------------------ */

static int by_number(const void *a, const void *b)
{
    const struct rln__rank *x = a, *y = b;

    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->part > y->part) - (x->part < y->part);
}

/* The rank of a process, for ranks of that kind; 0 if it has none. */
static int describe(const rln_reader *reader, enum rln__rank_kind kind,
                    uint32_t process, struct rln__rank *out)
{
    const struct rln__trace_process *p = &reader->names.processes[process];

    *out = (struct rln__rank){.kind = kind, .part = p->part};
    switch (kind) {
    case RLN__RANK_OF_JOB:
        out->number = rln__rank_of(reader, process);
        return out->number != RLN_NO_RANK;
    case RLN__RANK_OF_TRACE:
        out->number = p->part;
        return 1;
    default:
        out->number = p->record.pid;
        return !(p->record.flags & RLN__PROCESS_LAUNCHER);
    }
}

static int compare_numbers(const void *a, const void *b)
{
    const struct rln__rank *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

/* Several processes may have one rank, or one pid after each other. */
static size_t drop_duplicates(struct rln__rank *ranks, size_t n)
{
    size_t n_kept = 0;

    for (size_t i = 0; i < n; i++) {
        if (n_kept == 0 || ranks[n_kept - 1].number != ranks[i].number)
            ranks[n_kept++] = ranks[i];
    }
    return n_kept;
}

int rln__rank_sum_begin(struct rln__rank_sum *s, const rln_reader *reader)
{
    const size_t n = reader->names.n_processes;
    const enum rln__rank_kind kind = rln__reader_count_ranks(reader) ? RLN__RANK_OF_JOB
                                     : reader->layout.n_parts > 1
                                         ? RLN__RANK_OF_TRACE
                                         : RLN__RANK_OF_PROCESS;
    struct rln__rank rank;

    s->kind = kind;
    s->rank_of = rln__alloc(n + 1, sizeof(*s->rank_of));
    s->ranks = rln__alloc(n + 1, sizeof(*s->ranks));
    if (!s->rank_of || !s->ranks)
        return -1;
    s->n_processes = n;
    for (uint32_t i = 0; i < n; i++) {
        if (describe(reader, kind, i, &rank))
            s->ranks[s->n_ranks++] = rank;
    }
    qsort(s->ranks, s->n_ranks, sizeof(*s->ranks), by_number);
    s->n_ranks = drop_duplicates(s->ranks, s->n_ranks);
    for (uint32_t i = 0; i < n; i++) {
        const struct rln__rank *found =
            describe(reader, kind, i, &rank)
                ? bsearch(&rank, s->ranks, s->n_ranks, sizeof(rank), compare_numbers)
                : NULL;

        s->rank_of[i] = found ? (uint32_t)(found - s->ranks) : UINT32_MAX;
    }
    return 0;
}

int rln__rank_sum_begin_with(struct rln__rank_sum *s, enum rln__rank_kind kind,
                             struct rln__rank *ranks, size_t n)
{
    s->kind = kind;
    s->ranks = ranks;
    s->n_ranks = n;
    s->rank_of = rln__alloc(n + 1, sizeof(*s->rank_of));
    if (!s->rank_of)
        return -1;
    s->n_processes = n;
    for (uint32_t i = 0; i < n; i++)
        s->rank_of[i] = i;
    return 0;
}

/* --- Adding up -------------------------------------------------------------------- */

static uint64_t key_of(uint32_t name, size_t rank)
{
    return (uint64_t)name << 32 | rank;
}

static struct rln__rank_share *share_of(struct rln__rank_sum *s, uint32_t name,
                                        uint32_t rank)
{
    const uint64_t key = key_of(name, rank);
    const uint64_t found = rln__map_get(&s->by_name, key);
    struct rln__rank_share *shares;

    if (found)
        return &s->shares[found - 1];
    shares =
        rln__grow(s->shares, &s->shares_capacity, s->n_shares + 1, sizeof(*shares));
    if (!shares)
        return NULL;
    s->shares = shares;
    shares[s->n_shares++] = (struct rln__rank_share){0, 0};
    if (rln__map_put(&s->by_name, key, s->n_shares))
        return NULL;
    return &shares[s->n_shares - 1];
}

static uint32_t rank_of(const struct rln__rank_sum *s, uint32_t process)
{
    return process < s->n_processes ? s->rank_of[process] : UINT32_MAX;
}

int rln__rank_sum_put(struct rln__rank_sum *s, uint32_t name, uint32_t process,
                      uint64_t n_ranges, uint64_t ns)
{
    const uint32_t rank = rank_of(s, process);
    struct rln__rank_share *share;

    if (rank == UINT32_MAX)
        return 0;
    share = share_of(s, name, rank);
    if (!share)
        return -1;
    share->n_ranges += n_ranges;
    share->total_ns += ns;
    s->ranks[rank].n_ranges += n_ranges;
    return 0;
}

int rln__rank_sum_add(struct rln__rank_sum *s, const rln_range *r)
{
    const int64_t ns = rln__countable_ns(r);
    uint32_t name;

    if (r->style > RLN_RANGE_START_END || ns < 0 ||
        rank_of(s, r->process) == UINT32_MAX)
        return 0;
    return rln__range_names_number(&s->names, &r->attributes, &name) ||
                   rln__rank_sum_put(s, name, r->process, 1, (uint64_t)ns)
               ? -1
               : 0;
}

/* --- Rows ------------------------------------------------------------------------- */

struct rln__rank_item {
    struct rln__rank_row row;
    uint32_t name;
};

static int by_total(const void *a, const void *b)
{
    const struct rln__rank_row *x = a, *y = b;
    int order;

    if (x->total_ns != y->total_ns)
        return x->total_ns > y->total_ns ? -1 : 1;
    order = rln__compare_domains(x->is_default_domain, x->domain_name,
                                 y->is_default_domain, y->domain_name);
    return order ? order : rln__compare_text(x->message, y->message);
}

static struct rln__rank_share find_share(const struct rln__rank_sum *s, uint32_t name,
                                         size_t rank)
{
    const uint64_t found = rln__map_get(&s->by_name, key_of(name, rank));

    return found ? s->shares[found - 1] : (struct rln__rank_share){0, 0};
}

static struct rln__rank_row row_of(const struct rln__rank_sum *s, uint32_t name)
{
    const struct rln__range_name *n = &s->names.items[name];
    struct rln__rank_row row = {.is_default_domain = n->domain == 0,
                                .domain_name = n->domain_name,
                                .message = n->message,
                                .min_ns = UINT64_MAX};
    size_t n_counting = 0;

    for (size_t rank = 0; rank < s->n_ranks; rank++) {
        const struct rln__rank_share share = find_share(s, name, rank);

        if (!rln__rank_is_compared(&s->ranks[rank]))
            continue;
        n_counting++;
        row.n_ranks += share.n_ranges > 0;
        row.n_ranges += share.n_ranges;
        row.total_ns += share.total_ns;
        if (share.total_ns < row.min_ns) {
            row.min_ns = share.total_ns;
            row.least = rank;
        }
        if (share.total_ns > row.max_ns) {
            row.max_ns = share.total_ns;
            row.most = rank;
        }
    }
    row.mean_ns = (double)row.total_ns / (double)n_counting;
    row.imbalance = row.total_ns ? (double)row.max_ns / row.mean_ns - 1 : 0;
    return row;
}

int rln__rank_sum_end(struct rln__rank_sum *s)
{
    s->items = rln__alloc(s->names.n + 1, sizeof(*s->items));
    if (!s->items)
        return -1;
    for (uint32_t i = 0; i < s->names.n; i++) {
        s->items[s->n] = (struct rln__rank_item){row_of(s, i), i};
        s->n += s->items[s->n].row.n_ranges > 0; /* else none of them counts */
    }
    qsort(s->items, s->n, sizeof(*s->items), by_total);
    return 0;
}

void rln__rank_sum_clear(struct rln__rank_sum *s)
{
    rln__range_names_clear(&s->names);
    rln__map_clear(&s->by_name);
    rln__free(s->ranks);
    rln__free(s->rank_of);
    rln__free(s->shares);
    rln__free(s->items);
    memset(s, 0, sizeof(*s));
}

const struct rln__rank *rln__sums_rank(const struct rln__sums *s, size_t index)
{
    return index < s->ranks.n_ranks ? &s->ranks.ranks[index] : NULL;
}

const struct rln__rank_row *rln__sums_rank_row(const struct rln__sums *s, size_t index)
{
    return index < s->ranks.n ? &s->ranks.items[index].row : NULL;
}

struct rln__rank_share rln__sums_rank_share(const struct rln__sums *s, size_t row,
                                            size_t rank)
{
    return row < s->ranks.n ? find_share(&s->ranks, s->ranks.items[row].name, rank)
                            : (struct rln__rank_share){0, 0};
}

/* --- The report ------------------------------------------------------------------- */

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
    rln__report_put_cached_text(out);
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
    struct rln__sums *of_gpus;
    rln_status status;

    if (!source->argument) {
        fill(out, source->sums);
        return RLN_OK;
    }
    status = rln__gpu_ranks_new(source->reader, &of_gpus, source->err);
    if (status)
        return status;
    fill(out, of_gpus);
    rln__sums_free(of_gpus);
    return RLN_OK;
}

const struct rln__report_kind rln__report_rank_sum = {
    .about =
        {.name = "rank_sum",
         .title = "Rank Summary",
         .help = "time per range and rank: imbalance, and the slowest rank (:gpu: "
                 "the time of GPUs)",
         .subject = "ranges",
         .words = "gpu",
         .details =
             "Ranks are those of an MPI, Slurm or torchrun job; otherwise traces, or "
             "the processes of a single trace. A rank without the range has 0. "
             "Imbalance: the slowest rank's excess over the mean; Excess: the same as "
             "time. With more than eight ranks, tables show the three slowest and "
             "their excess; csv, tsv, json and markdown have all columns."},
    .build = build_ranks,
    RLN__COLUMNS(ranks),
    .needs = RLN__GPU_READS_LAUNCHES | RLN__NEEDS_PARTS,
    .sums = RLN__SUM_RANKS,
};
