/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/rank_steps.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/events.h"
#include "reports/countable_ns.h"
#include "reports/report_parts.h"
#include "reports/sums.h"

#include <stdlib.h>

static int add_step(struct rln__rank_steps *steps, const struct rln__rank_sum *ranks,
                    const rln_range *r)
{
    const int64_t ns = rln__countable_ns(r);
    const uint32_t rank =
        r->process < ranks->n_processes ? ranks->rank_of[r->process] : UINT32_MAX;
    struct rln__rank_step *item;

    if (r->style > RLN_RANGE_START_END || ns < 0 || rank == UINT32_MAX)
        return 0;
    item = rln__append(&steps->items, &steps->n, &steps->capacity, sizeof(*item));
    if (!item)
        return -1;
    *item =
        (struct rln__rank_step){r->start_ns, (uint64_t)ns, ranks->ranks[rank].number};
    return 0;
}

static rln_status read_steps(const struct rln__report_source *source,
                             struct rln__rank_steps *steps)
{
    struct rln__rank_sum ranks = {0};
    const rln_range *range;
    rln_ranges *ranges;
    rln_status status = rln_ranges_open(source->reader, &ranges, source->err);

    if (status)
        return status;
    if (rln__rank_sum_begin(&ranks, source->reader))
        status = rln__fail_nomem(source->err);
    steps->kind = ranks.kind;
    while (!status && !(status = rln_ranges_next(ranges, &range, source->err))) {
        const rln_range inside = rln__range_inside(source->reader, range);

        if (source->argument &&
            rln__is_named(source->argument, range->attributes.domain_name,
                          range->attributes.message) &&
            add_step(steps, &ranks, &inside))
            status = rln__fail_nomem(source->err);
    }
    rln_ranges_close(ranges);
    rln__rank_sum_clear(&ranks);
    return status == RLN_END ? RLN_OK : status;
}

void rln__rank_steps_clear(struct rln__rank_steps *steps)
{
    rln__free(steps->items);
    rln__free(steps->name);
    *steps = (struct rln__rank_steps){0};
}

static int by_rank(const void *a, const void *b)
{
    const struct rln__rank_step *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->ns > y->ns) - (x->ns < y->ns);
}

rln_status rln__rank_steps_find(const struct rln__report_source *source,
                                struct rln__rank_steps *own,
                                struct rln__rank_steps **out)
{
    const rln_status status = source->parts ? RLN_OK : read_steps(source, own);

    *out = source->parts ? &source->parts->steps : own;
    if (!status && (*out)->n)
        qsort((*out)->items, (*out)->n, sizeof(*(*out)->items), by_rank);
    return status;
}
