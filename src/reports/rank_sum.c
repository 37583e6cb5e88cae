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
    struct rln__rank_share *share;

    if (found)
        return &s->shares[found - 1];
    share = rln__append(&s->shares, &s->n_shares, &s->shares_capacity, sizeof(*share));
    if (!share)
        return NULL;
    *share = (struct rln__rank_share){0, 0};
    if (rln__map_put(&s->by_name, key, s->n_shares))
        return NULL;
    return share;
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
