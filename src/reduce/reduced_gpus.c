/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_gpus.c - how long each GPU was in which state. */
#include "base/alloc.h"
#include "base/fail.h"
#include "reduce/reduced_merge.h"
#include "reduce/reduced_put.h"
#include "reduce/reduced_ranks.h"
#include "reduce/reduced_take.h"
#include "reports/report_parts.h"

#include <stddef.h>

/* --- Of a trace ------------------------------------------------------------------- */

static rln_status take_rows(void *sums, struct rln__reduced_reading *reading,
                            rln_error *err)
{
    struct rln__gpu_rows rows;
    rln_status status = rln__gpu_rows_read(&rows, reading->reader, err);

    if (status == RLN_ERR_FORMAT) {
        reading->n_gpu_unread++;
        status = RLN_OK;
    }
    for (size_t i = 0; i < rows.n && !status; i++) {
        const struct rln__gpu_row *row = &rows.items[i];
        const uint32_t origin =
            rln__reduced_origin_of(reading->to, reading->reader, row->of);

        status = origin == UINT32_MAX
                     ? rln__fail_nomem(err)
                     : rln__gpu_rows_add(sums, origin, row->device, &row->use, err);
    }
    rln__gpu_rows_clear(&rows);
    return status;
}

static rln_status merge(void *into, const void *from,
                        struct rln__reduced_numbers *numbers, rln_error *err)
{
    const struct rln__gpu_rows *rows = from;
    rln_status status = RLN_OK;

    for (size_t i = 0; i < rows->n && !status; i++) {
        const struct rln__gpu_row *row = &rows->items[i];

        status = rln__gpu_rows_add(into, numbers->origins[row->of], row->device,
                                   &row->use, err);
    }
    return status;
}

static void clear(void *sums)
{
    rln__gpu_rows_clear(sums);
}

/* --- The file --------------------------------------------------------------------- */

static int by_gpu(const void *a, const void *b)
{
    const struct rln__gpu_row *x = a, *y = b;

    if (x->of != y->of)
        return x->of < y->of ? -1 : 1;
    return (x->device > y->device) - (x->device < y->device);
}

_Static_assert(offsetof(struct rln__gpu_row, of) == 0, "rln__put_sorted() needs it");

static void put_all(void *sums, struct rln__reduced_orders *o, struct rln__buf *out)
{
    const struct rln__gpu_rows *all = sums;
    struct rln__gpu_row *rows =
        rln__put_sorted(o->origins, all->items, all->n, sizeof(*rows), by_gpu, out);
    uint32_t last = 0;

    for (size_t i = 0; rows && i < all->n; i++) {
        rln__put_number(out, rows[i].of - last);
        rln__put_number(out, rows[i].device);
        for (unsigned state = 0; state < RLN__N_GPU_STATES; state++)
            rln__put_number(out, rows[i].use.ns[state]);
        last = rows[i].of;
    }
    rln__free(rows);
}

static void read_all(void *sums, struct rln__reduced_cursor *c)
{
    const size_t n = rln__take_count(c, 2 + RLN__N_GPU_STATES);
    struct rln__gpu_row last = {.of = 0};

    for (size_t i = 0; i < n && !rln__take_is_bad(c); i++) {
        struct rln__gpu_row row = {.of = rln__take_origin(c, last.of)};
        uint64_t span_ns = 0;

        row.device = (uint32_t)rln__take_at_most(c, UINT32_MAX, "no such GPU");
        for (unsigned state = 0; state < RLN__N_GPU_STATES; state++) {
            row.use.ns[state] = rln__take_number(c);
            if (__builtin_add_overflow(span_ns, row.use.ns[state], &span_ns))
                rln__take_fault(c, "sums of more than 64 bits");
        }
        if (i)
            rln__take_order(c, by_gpu(&last, &row));
        if (!rln__take_is_bad(c))
            rln__take_status(
                c, rln__gpu_rows_add(sums, row.of, row.device, &row.use, NULL));
        last = row;
    }
}

/* --- Reports ---------------------------------------------------------------------- */

static rln_status report(const void *sums, const struct rln__reduced_ranks *ranks,
                         struct rln__report_parts *parts, rln_error *err)
{
    const struct rln__gpu_rows *rows = sums;
    rln_status status = RLN_OK;

    for (size_t i = 0; i < rows->n && !status; i++) {
        const struct rln__gpu_row *row = &rows->items[i];
        const uint32_t rank = rln__reduced_rank_of(ranks, row->of);

        if (rank != UINT32_MAX)
            status = rln__gpu_rows_add(&parts->gpus, ranks->items[rank].number,
                                       row->device, &row->use, err);
    }
    return status;
}

const struct rln__reduced_kind rln__reduced_gpus_kind = {
    .size = sizeof(struct rln__gpu_rows),
    .take = take_rows,
    .merge = merge,
    .put = put_all,
    .read = read_all,
    .report = report,
    .clear = clear,
};

int rln__reduced_has_gpu_work(const struct rln__reduced *r)
{
    const struct rln__gpu_rows *rows = rln__reduced_sums(r, &rln__reduced_gpus_kind);

    return rows->n > 0;
}
