/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/gpu/gpu_ranks.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/sorter.h"
#include "reports/gpu/gpu_busy.h"
#include "reports/gpu/gpu_ranges.h"
#include "reports/sums.h"

/* An operation, for one name of the ranges around its call. */
struct work {
    int64_t start_ns, end_ns;
    uint32_t name, process, gpu;
    uint32_t number; /* in the order in which they were found */
};

struct search {
    struct rln__rank_sum *ranks; /* borrowed */
    struct rln__gpu_busy busy;
    struct rln__key_index groups; /* {name, process} */
    struct rln__sorter work;      /* by start */
};

static int by_start(const void *a, const void *b)
{
    const struct work *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int add_op(void *context, const struct rln__gpu_op *op,
                  struct rln__gpu_range *range)
{
    struct search *s = context;
    struct work work = {.start_ns = op->start_ns,
                        .end_ns = op->end_ns,
                        .process = op->process,
                        .number = (uint32_t)s->work.n};

    if (!range)
        return 0;
    range->n_ops++;
    range->visitor_data = op->process;
    work.name = range->name;
    work.gpu = rln__gpu_busy_gpu(&s->busy, op);
    return work.gpu == UINT32_MAX || rln__sorter_add(&s->work, &work, NULL) ? -1 : 0;
}

static int count_range(void *context, const struct rln__gpu_range *range)
{
    struct search *s = context;

    return range->n_ops
               ? rln__rank_sum_put(s->ranks, range->name, range->visitor_data, 1, 0)
               : 0;
}

static int add_up(struct search *s)
{
    const struct work *w;

    while ((w = rln__sorter_next(&s->work))) {
        const struct rln__key key = {{w->name, w->process}};
        const uint32_t group = rln__key_index_number(&s->groups, &key);
        uint64_t ns = 0;

        if (group == UINT32_MAX ||
            rln__gpu_busy_add(&s->busy, group, w->gpu, w->start_ns, w->end_ns, &ns) ||
            rln__rank_sum_put(s->ranks, w->name, w->process, 0, ns))
            return -1;
    }
    return 0;
}

static rln_status read_all(struct search *s, rln_reader *reader, rln_error *err)
{
    static const struct rln__gpu_choice all = {.kinds = RLN__GPU_OPERATIONS};
    const struct rln__gpu_visitor visitor = {
        .context = s, .op = add_op, .end = count_range};
    rln_status status =
        rln__gpu_ranges_visit(reader, &all, &s->ranks->names, &visitor, err);

    if (!status)
        status = rln__sorter_end(&s->work, err);
    if (!status && (add_up(s) || rln__rank_sum_end(s->ranks)))
        status = rln__fail_nomem(err);
    return status;
}

rln_status rln__gpu_ranks_new(rln_reader *reader, struct rln__sums **out,
                              rln_error *err)
{
    struct rln__sums *sums = rln__alloc(1, sizeof(*sums));
    struct search s = {
        .work = {.item_bytes = sizeof(struct work), .compare = by_start}};
    rln_status status = RLN_OK;

    *out = NULL;
    if (!sums || rln__rank_sum_begin(&sums->ranks, reader))
        status = rln__fail_nomem(err);
    if (!status) {
        s.ranks = &sums->ranks;
        status = read_all(&s, reader, err);
    }
    rln__sorter_clear(&s.work);
    rln__gpu_busy_clear(&s.busy);
    rln__key_index_clear(&s.groups);
    if (status)
        rln__sums_free(sums);
    else
        *out = sums;
    return status;
}
