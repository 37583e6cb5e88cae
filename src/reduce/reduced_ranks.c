/* SPDX-License-Identifier: Apache-2.0 */
#include "reduce/reduced_ranks.h"
#include "base/alloc.h"

#include <stdlib.h>

static int by_number(const void *a, const void *b)
{
    const struct rln__rank *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

static void add_rank(struct rln__reduced_ranks *ranks, uint32_t number, size_t part)
{
    ranks->items[ranks->n++] = (struct rln__rank){
        .kind = ranks->kind, .number = number, .part = (uint32_t)part};
}

static size_t count_all_ranks(const struct rln__reduced *r)
{
    size_t n = 0;

    for (size_t i = 0; i < r->n_traces; i++)
        for (size_t k = 0; k < r->traces[i].n_parts; k++)
            n += r->traces[i].parts[k].n_ranks;
    return n;
}

/* Those of the job, or the parts. */
static void add_parts(struct rln__reduced_ranks *ranks, const struct rln__reduced *r)
{
    size_t index = 0;

    for (size_t i = 0; i < r->n_traces; i++) {
        for (size_t k = 0; k < r->traces[i].n_parts; k++, index++) {
            const struct rln__reduced_part *part = &r->traces[i].parts[k];

            for (size_t m = 0; m < part->n_ranks && ranks->kind == RLN__RANK_OF_JOB;
                 m++)
                add_rank(ranks, part->ranks[m], index);
            if (ranks->kind == RLN__RANK_OF_TRACE && part->has_processes)
                add_rank(ranks, (uint32_t)index, index);
        }
    }
}

static void add_processes(struct rln__reduced_ranks *ranks,
                          const struct rln__reduced *r)
{
    for (size_t i = 0; i < r->origins.n; i++)
        add_rank(ranks, (uint32_t)r->origins.entries[i].key.words[2], 0);
}

static int number_parts(struct rln__reduced_ranks *ranks, const struct rln__reduced *r)
{
    for (size_t i = 0; i < r->n_traces; i++) {
        for (size_t k = 0; k < r->traces[i].n_parts; k++) {
            if (rln__map_put(&ranks->parts, r->traces[i].parts[k].id, ++ranks->n_parts))
                return -1;
        }
    }
    return 0;
}

/* As rln__rank_sum_begin() does for traces. */
int rln__reduced_ranks_find(const struct rln__reduced *r,
                            struct rln__reduced_ranks *ranks)
{
    const size_t n_ranks = count_all_ranks(r);
    size_t n_kept = 0;

    *ranks = (struct rln__reduced_ranks){.of = r};
    if (number_parts(ranks, r))
        return -1;
    ranks->kind = n_ranks              ? RLN__RANK_OF_JOB
                  : ranks->n_parts > 1 ? RLN__RANK_OF_TRACE
                                       : RLN__RANK_OF_PROCESS;
    ranks->items =
        rln__alloc(n_ranks + ranks->n_parts + r->origins.n + 1, sizeof(*ranks->items));
    if (!ranks->items)
        return -1;
    if (ranks->kind == RLN__RANK_OF_PROCESS)
        add_processes(ranks, r);
    else
        add_parts(ranks, r);
    if (ranks->n)
        qsort(ranks->items, ranks->n, sizeof(*ranks->items), by_number);
    for (size_t i = 0; i < ranks->n; i++) {
        if (!n_kept || ranks->items[n_kept - 1].number != ranks->items[i].number)
            ranks->items[n_kept++] = ranks->items[i];
    }
    ranks->n = n_kept;
    for (size_t i = 0; i < n_kept; i++) {
        if (rln__map_put(&ranks->by_number, ranks->items[i].number, i + 1))
            return -1;
    }
    return 0;
}

uint32_t rln__reduced_rank_of(const struct rln__reduced_ranks *ranks, uint32_t index)
{
    const uint64_t *origin = ranks->of->origins.entries[index].key.words;
    const int is_rank = origin[0] == RLN__ORIGIN_RANK;
    uint64_t number = origin[1];

    if (is_rank != (ranks->kind == RLN__RANK_OF_JOB))
        return UINT32_MAX;
    if (ranks->kind == RLN__RANK_OF_TRACE)
        number = rln__map_get(&ranks->parts, origin[1]) - 1;
    else if (ranks->kind == RLN__RANK_OF_PROCESS)
        number = origin[2];
    return (uint32_t)rln__map_get(&ranks->by_number, number) - 1;
}

void rln__reduced_ranks_clear(struct rln__reduced_ranks *ranks)
{
    rln__free(ranks->items);
    rln__map_clear(&ranks->by_number);
    rln__map_clear(&ranks->parts);
}
