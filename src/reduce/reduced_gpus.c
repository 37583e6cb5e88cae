/* SPDX-License-Identifier: Apache-2.0 */
#include "reduce/reduced_gpus.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "reduce/reduced_put.h"

#include <stdlib.h>
#include <string.h>

/* --- Of a trace ------------------------------------------------------------------- */

static rln_status read_uses(struct rln__reduced *to, rln_reader *reader,
                            uint64_t *n_unread, rln_error *err)
{
    struct rln__gpu_rows rows;
    rln_status status = rln__gpu_rows_read(&rows, reader, err);

    if (status == RLN_ERR_FORMAT) {
        ++*n_unread;
        status = RLN_OK;
    }
    for (size_t i = 0; i < rows.n && !status; i++) {
        const struct rln__gpu_row *row = &rows.items[i];
        const uint32_t origin = rln__reduced_origin_of(to, reader, row->of);

        status = origin == UINT32_MAX ? rln__fail_nomem(err)
                                      : rln__gpu_rows_add(&to->gpus, origin,
                                                          row->device, &row->use, err);
    }
    rln__gpu_rows_clear(&rows);
    return status;
}

static rln_status read_collectives(struct rln__reduced *to, rln_reader *reader,
                                   uint64_t *n_unread, rln_error *err)
{
    struct rln__collectives all;
    rln_status status = rln__collectives_read(&all, reader, err);

    if (status == RLN_ERR_FORMAT) {
        ++*n_unread;
        rln__collectives_clear(&all);
        return RLN_OK;
    }
    for (size_t i = 0; i < all.n && !status; i++) {
        const struct rln__collective_row *row = &all.items[i];
        const uint32_t origin = rln__reduced_origin_of(to, reader, row->of);

        status = origin == UINT32_MAX
                     ? rln__fail_nomem(err)
                     : rln__reduced_add_collective(to, origin, row, err);
    }
    rln__collectives_clear(&all);
    return status;
}

rln_status rln__reduced_read_gpus(struct rln__reduced *to, rln_reader *reader,
                                  uint64_t *n_unread, rln_error *err)
{
    const rln_status status = read_uses(to, reader, n_unread, err);

    return status ? status : read_collectives(to, reader, n_unread, err);
}

/* --- Writing ---------------------------------------------------------------------- */

static int by_gpu(const void *a, const void *b)
{
    const struct rln__gpu_row *x = a, *y = b;

    if (x->of != y->of)
        return x->of < y->of ? -1 : 1;
    return (x->device > y->device) - (x->device < y->device);
}

void rln__reduced_put_gpus(const struct rln__reduced *r, const uint32_t *origins,
                           struct rln__buf *out)
{
    const size_t n = r->gpus.n;
    struct rln__gpu_row *rows = rln__alloc(n + 1, sizeof(*rows));
    uint32_t last = 0;

    out->has_failed |= !rows;
    for (size_t i = 0; rows && i < n; i++) {
        rows[i] = r->gpus.items[i];
        rows[i].of = origins[rows[i].of];
    }
    if (rows && n)
        qsort(rows, n, sizeof(*rows), by_gpu);
    rln__put_number(out, n);
    for (size_t i = 0; rows && i < n; i++) {
        rln__put_number(out, rows[i].of - last);
        rln__put_number(out, rows[i].device);
        for (unsigned state = 0; state < RLN__N_GPU_STATES; state++)
            rln__put_number(out, rows[i].use.ns[state]);
        last = rows[i].of;
    }
    rln__free(rows);
}

static int by_call(const void *a, const void *b)
{
    const struct rln__collective_row *x = a, *y = b;
    int order;

    if (x->of != y->of)
        return x->of < y->of ? -1 : 1;
    order = rln__compare_text(x->name, y->name); /* as strings are sorted */
    return order ? order : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

void rln__reduced_put_collectives(struct rln__reduced *r, const uint32_t *origins,
                                  const uint32_t *strings, struct rln__buf *out)
{
    const size_t n = r->collectives.n;
    struct rln__collective_row *rows = rln__alloc(n + 1, sizeof(*rows));
    uint32_t last = 0;
    int failed = !rows;

    for (size_t i = 0; rows && i < n; i++) {
        rows[i] = r->collectives.items[i];
        rows[i].of = origins[rows[i].of];
    }
    if (rows && n)
        qsort(rows, n, sizeof(*rows), by_call);
    rln__put_number(out, n);
    for (size_t i = 0; rows && i < n; i++) {
        const struct rln__collective *sum = &rows[i].sum;

        rln__put_number(out, rows[i].of - last);
        rln__put_number(out, strings[rln__reduced_string(r, rows[i].name, &failed)]);
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

/* --- Reading ---------------------------------------------------------------------- */

void rln__reduced_take_gpus(struct rln__reduced_cursor *c)
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
                c, rln__gpu_rows_add(&c->r->gpus, row.of, row.device, &row.use, NULL));
        last = row;
    }
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

void rln__reduced_take_collectives(struct rln__reduced_cursor *c)
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
            rln__take_status(c,
                             rln__collectives_add(&c->r->collectives, row.of, row.name,
                                                  row.bytes, &row.sum, NULL));
        last = row;
    }
}
