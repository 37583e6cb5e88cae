/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/gpu/gpu_use.h"
#include "base/alloc.h"
#include "base/busy_times.h"
#include "base/fail.h"
#include "base/sorter.h"
#include "reports/gpu/gpu_work.h"
#include "reports/gpu/nccl_kernel.h"

/* --- Sums ------------------------------------------------------------------------- */

uint64_t rln__gpu_use_span(const struct rln__gpu_use *use)
{
    return use->ns[0] + rln__gpu_use_with(use, RLN__N_GPU_STATES - 1);
}

uint64_t rln__gpu_use_with(const struct rln__gpu_use *use, unsigned bits)
{
    uint64_t ns = 0;

    for (unsigned state = 1; state < RLN__N_GPU_STATES; state++)
        ns += state & bits ? use->ns[state] : 0;
    return ns;
}

int rln__gpu_use_add(struct rln__gpu_use *a, const struct rln__gpu_use *b)
{
    uint64_t together;

    if (__builtin_add_overflow(rln__gpu_use_span(a), rln__gpu_use_span(b), &together))
        return -1;
    for (unsigned state = 0; state < RLN__N_GPU_STATES; state++)
        a->ns[state] += b->ns[state];
    return 0;
}

/* NULL when there is no memory. */
static struct rln__gpu_row *row_of(struct rln__gpu_rows *rows, uint32_t of,
                                   uint32_t device)
{
    const struct rln__key key = {{of, device}};
    struct rln__gpu_row *row = rln__key_index_item(
        &rows->items, &rows->n, &rows->capacity,
        rln__key_index_number(&rows->keys, &key), sizeof(*rows->items));

    if (row) {
        row->of = of;
        row->device = device;
    }
    return row;
}

rln_status rln__gpu_rows_add(struct rln__gpu_rows *rows, uint32_t of, uint32_t device,
                             const struct rln__gpu_use *use, rln_error *err)
{
    struct rln__gpu_row *row = row_of(rows, of, device);

    if (!row)
        return rln__fail_nomem(err);
    return rln__gpu_use_add(&row->use, use)
               ? rln__fail(err, RLN_ERR_FORMAT, 0,
                           "cannot add sums: they exceed 64 bits")
               : RLN_OK;
}

void rln__gpu_rows_clear(struct rln__gpu_rows *rows)
{
    rln__key_index_clear(&rows->keys);
    rln__free(rows->items);
    *rows = (struct rln__gpu_rows){.n = 0};
}

/* --- Of traces -------------------------------------------------------------------- */

/* Streams and parts are read one after the other, so operations come in no order. */
struct operation {
    int64_t start_ns, end_ns;
    size_t number; /* in the order in which they were read */
    uint32_t row;
    unsigned state;
};

static int by_row_and_start(const void *a, const void *b)
{
    const struct operation *x = a, *y = b;

    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static unsigned state_of(const struct rln__gpu_work *work)
{
    if (RLN__GPU_MEMORY & RLN__GPU_BIT(work->batch->kind))
        return RLN__GPU_COPIES;
    return work->batch->kind == RLN__GPU_KERNEL &&
                   rln__is_nccl_kernel(rln__gpu_work_text(work))
               ? RLN__GPU_COMMUNICATES
               : RLN__GPU_COMPUTES;
}

static rln_status collect(struct rln__gpu_work *work, struct rln__gpu_rows *rows,
                          struct rln__sorter *operations, rln_error *err)
{
    const struct rln__span *span = &work->predicate.reader->span;
    rln_status status;

    while (!(status = rln__gpu_work_next(work, err))) {
        const struct rln__gpu_event *e = work->event;
        union rln__gpu_element element;
        struct operation operation = {.start_ns = rln__span_clip(span, e->start_ns),
                                      .end_ns = rln__span_clip(span, e->end_ns),
                                      .number = operations->n,
                                      .state = state_of(work)};
        const struct rln__gpu_row *row;

        rln__gpu_work_element(work, &element, sizeof(element));
        row = row_of(rows, work->batch->process, element.kernel.at.device);
        if (!row)
            return rln__fail_nomem(err);
        operation.row = (uint32_t)(row - rows->items);
        status = rln__sorter_add(operations, &operation, err);
        if (status)
            return status;
    }
    return status == RLN_END ? rln__sorter_end(operations, err) : status;
}

/* A row that is added up. */
struct adding_up {
    struct rln__gpu_use *use;
    int64_t until_ns;
    uint8_t has_begun;
};

static int use(void *context, int64_t start_ns, int64_t end_ns, unsigned kinds)
{
    struct adding_up *u = context;

    if (u->has_begun)
        u->use->ns[0] += (uint64_t)start_ns - (uint64_t)u->until_ns;
    u->use->ns[kinds] += (uint64_t)end_ns - (uint64_t)start_ns;
    u->until_ns = end_ns;
    u->has_begun = 1;
    return 0;
}

static void add_up(struct rln__gpu_rows *rows, struct rln__sorter *operations)
{
    struct adding_up of_row = {.use = NULL};
    struct rln__busy_sweep sweep = {.take = use, .context = &of_row};
    const struct operation *o;

    while ((o = rln__sorter_next(operations))) {
        if (of_row.use != &rows->items[o->row].use) {
            (void)rln__busy_end(&sweep); /* cannot fail, as use() does not */
            of_row = (struct adding_up){.use = &rows->items[o->row].use};
        }
        (void)rln__busy_add(&sweep, o->start_ns, o->end_ns, o->state);
    }
    (void)rln__busy_end(&sweep);
}

rln_status rln__gpu_rows_read(struct rln__gpu_rows *rows, rln_reader *reader,
                              rln_error *err)
{
    static const struct rln__gpu_choice all = {.kinds = RLN__GPU_OPERATIONS,
                                               .is_filtered = 1};
    struct rln__sorter operations = {.item_bytes = sizeof(struct operation),
                                     .compare = by_row_and_start};
    struct rln__gpu_work work;
    rln_status status = rln__gpu_work_init(&work, reader, &all, err);

    *rows = (struct rln__gpu_rows){.n = 0};
    if (status)
        return status;
    status = collect(&work, rows, &operations, err);
    if (!status)
        add_up(rows, &operations);
    rln__gpu_work_clear(&work);
    rln__sorter_clear(&operations);
    return status;
}
