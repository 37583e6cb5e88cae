/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_collectives.c - calls of NCCL and RCCL by name and size. The names are those
 * of the object's strings, so that equal ones are at one address. */
#include "base/alloc.h"
#include "base/fail.h"
#include "reduce/reduced_merge.h"
#include "reduce/reduced_put.h"
#include "reduce/reduced_ranks.h"
#include "reduce/reduced_take.h"
#include "reports/report_parts.h"

#include <stddef.h>

/* --- Of a trace ------------------------------------------------------------------- */

/* Adds a row whose name is of any object. */
static rln_status add(struct rln__collectives *all, struct rln__reduced *of,
                      uint32_t origin, const struct rln__collective_row *row,
                      rln_error *err)
{
    int failed = 0;
    const uint32_t name = rln__reduced_string(of, row->name, &failed);

    return failed
               ? rln__fail_nomem(err)
               : rln__collectives_add(all, origin, rln__strings_get(&of->strings, name),
                                      row->bytes, &row->sum, err);
}

static rln_status take_calls(void *sums, struct rln__reduced_reading *reading,
                             rln_error *err)
{
    struct rln__collectives all;
    rln_status status = rln__collectives_read(&all, reading->reader, err);

    if (status == RLN_ERR_FORMAT) {
        reading->n_gpu_unread++;
        rln__collectives_clear(&all);
        return RLN_OK;
    }
    for (size_t i = 0; i < all.n && !status; i++) {
        const struct rln__collective_row *row = &all.items[i];
        const uint32_t origin =
            rln__reduced_origin_of(reading->to, reading->reader, row->of);

        status = origin == UINT32_MAX ? rln__fail_nomem(err)
                                      : add(sums, reading->to, origin, row, err);
    }
    rln__collectives_clear(&all);
    return status;
}

static rln_status merge(void *into, const void *from,
                        struct rln__reduced_numbers *numbers, rln_error *err)
{
    const struct rln__collectives *all = from;
    rln_status status = RLN_OK;

    for (size_t i = 0; i < all->n && !status; i++) {
        const struct rln__collective_row *row = &all->items[i];

        status = add(into, numbers->into, numbers->origins[row->of], row, err);
    }
    return status;
}

static void clear(void *sums)
{
    rln__collectives_clear(sums);
}

/* --- The file --------------------------------------------------------------------- */

static int by_call(const void *a, const void *b)
{
    const struct rln__collective_row *x = a, *y = b;
    int order;

    if (x->of != y->of)
        return x->of < y->of ? -1 : 1;
    order = rln__compare_text(x->name, y->name); /* as strings are sorted */
    return order ? order : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

_Static_assert(offsetof(struct rln__collective_row, of) == 0,
               "rln__put_sorted() needs it");

static void put_all(void *sums, struct rln__reduced_orders *o, struct rln__buf *out)
{
    const struct rln__collectives *all = sums;
    struct rln__collective_row *rows =
        rln__put_sorted(o->origins, all->items, all->n, sizeof(*rows), by_call, out);
    uint32_t last = 0;
    int failed = 0;

    for (size_t i = 0; rows && i < all->n; i++) {
        const struct rln__collective *sum = &rows[i].sum;

        rln__put_number(out, rows[i].of - last);
        rln__put_number(out,
                        o->strings[rln__reduced_string(o->r, rows[i].name, &failed)]);
        rln__put_number(out, rows[i].bytes);
        rln__put_number(out, sum->n);
        rln__put_number(out, sum->total_ns);
        rln__put_number(out, sum->min_ns);
        rln__put_number(out, sum->max_ns - sum->min_ns);
        rln__put_number(out, sum->n_on_gpu);
        rln__put_number(out, sum->gpu_ns);
        last = rows[i].of;
    }
    rln__free(rows);
    out->has_failed |= failed;
}

static void take_sum(struct rln__reduced_cursor *c, struct rln__collective *sum)
{
    uint64_t range_ns;

    sum->n = rln__take_number(c);
    sum->total_ns = rln__take_number(c);
    sum->min_ns = rln__take_number(c);
    range_ns = rln__take_number(c);
    sum->n_on_gpu = rln__take_number(c);
    sum->gpu_ns = rln__take_number(c);
    if (__builtin_add_overflow(sum->min_ns, range_ns, &sum->max_ns) || !sum->n ||
        sum->max_ns > sum->total_ns || sum->n_on_gpu > sum->n ||
        (sum->gpu_ns && !sum->n_on_gpu))
        rln__take_fault(c, "sums that no calls have");
}

static void read_all(void *sums, struct rln__reduced_cursor *c)
{
    const size_t n = rln__take_count(c, 9);
    struct rln__collective_row last = {.of = 0};

    for (size_t i = 0; i < n && !rln__take_is_bad(c); i++) {
        struct rln__collective_row row = {.of = rln__take_origin(c, last.of)};
        const uint32_t name = rln__take_string(c);

        row.name = rln__strings_get(&c->r->strings, name);
        row.bytes = rln__take_number(c);
        take_sum(c, &row.sum);
        if (!name)
            rln__take_fault(c, "calls without a name");
        if (i)
            rln__take_order(c, by_call(&last, &row));
        if (!rln__take_is_bad(c))
            rln__take_status(c, rln__collectives_add(sums, row.of, row.name, row.bytes,
                                                     &row.sum, NULL));
        last = row;
    }
}

/* --- Reports ---------------------------------------------------------------------- */

/* Those of all origins together. */
static rln_status report(const void *sums, const struct rln__reduced_ranks *ranks,
                         struct rln__report_parts *parts, rln_error *err)
{
    const struct rln__collectives *all = sums;
    rln_status status = RLN_OK;

    (void)ranks;
    for (size_t i = 0; i < all->n && !status; i++) {
        const struct rln__collective_row *row = &all->items[i];

        status = rln__collectives_add(&parts->collectives, 0, row->name, row->bytes,
                                      &row->sum, err);
    }
    return status;
}

const struct rln__reduced_kind rln__reduced_collectives_kind = {
    .size = sizeof(struct rln__collectives),
    .take = take_calls,
    .merge = merge,
    .put = put_all,
    .read = read_all,
    .report = report,
    .clear = clear,
};
