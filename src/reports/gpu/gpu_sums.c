/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/gpu/gpu_sums.h"
#include "base/alloc.h"
#include "base/fail.h"

#include <stdlib.h>
#include <string.h>

struct adding {
    struct rln__gpu_work work;
    struct rln__gpu_sums *sums;
    struct rln__range_prefix *prefix; /* borrowed; or NULL */
    /* attributes, kind -> index of the row + 1; if more than these select the row, it
     * is not used */
    struct rln__map row_of;
    struct rln__key_index by_name; /* {name, kind; shape} */
    enum rln__gpu_value value;
};

rln_text rln__gpu_call_name(rln_text name)
{
    const size_t n = strlen("_v3020");

    if (name.length > n && memcmp(name.bytes + name.length - n, "_v", 2) == 0)
        name.length -= n;
    return name;
}

void rln__report_put_dimensions(rln_report *out, const uint32_t *sizes)
{
    rln__buf_format(rln__report_text(out), "%4u %4u %4u", (unsigned)sizes[0],
                    (unsigned)sizes[1], (unsigned)sizes[2]);
    rln__report_put_cached_text(out);
}

static uint64_t bytes_of(const struct rln__gpu_work *work)
{
    struct rln__gpu_copy copy;
    struct rln__gpu_set set;

    if (work->batch->kind == RLN__GPU_COPY) {
        rln__gpu_work_element(work, &copy, sizeof(copy));
        return copy.bytes;
    }
    rln__gpu_work_element(work, &set, sizeof(set));
    return set.bytes;
}

static uint64_t value_of(const struct adding *a)
{
    const struct rln__span *span = &a->work.filter.reader->span;
    const struct rln__gpu_event *e = a->work.event;

    if (a->value == RLN__GPU_BYTES)
        return bytes_of(&a->work);
    return (uint64_t)(rln__span_clip(span, e->end_ns) -
                      rln__span_clip(span, e->start_ns));
}

static int has_prefix(const struct adding *a)
{
    return a->prefix && a->work.batch->kind == RLN__GPU_KERNEL;
}

static int has_shape(const struct adding *a)
{
    return a->value == RLN__GPU_DURATION_BY_SHAPE &&
           a->work.batch->kind == RLN__GPU_KERNEL;
}

/* Several calls may have one name, without their versions. UINT32_MAX when there is no
 * memory. */
static uint32_t row_by_name(struct adding *a)
{
    struct rln__gpu_sums *s = a->sums;
    const enum rln__gpu_kind kind = a->work.batch->kind;
    rln_text name = rln__gpu_work_text(&a->work);
    struct rln__kernel_shape shape = {.grid = {0}};
    struct rln__gpu_sum *row;
    struct rln__key key;
    uint32_t text, number;

    if (kind == RLN__GPU_CALL)
        name = rln__gpu_call_name(name);
    if (has_prefix(a) && rln__range_prefix_add(a->prefix, a->work.batch->process,
                                               a->work.event->correlation, &name))
        return UINT32_MAX;
    text = rln__strings_add(&s->names, name.length ? name.bytes : "", name.length);
    if (has_shape(a))
        shape = rln__gpu_work_shape(&a->work);
    key = (struct rln__key){{(uint64_t)text << 32 | kind}};
    memcpy(&key.words[1], &shape, sizeof(shape));
    number = text ? rln__key_index_number(&a->by_name, &key) : UINT32_MAX;
    row = rln__key_index_item(&s->rows, &s->n, &s->capacity, number, sizeof(*row));
    if (!row)
        return UINT32_MAX;
    row->name = rln__strings_get(&s->names, text);
    row->kind = kind;
    row->shape = shape;
    return number;
}

/* Adds the last event. 0, or -1 when there is no memory. */
static int add(struct adding *a)
{
    const uint64_t key = (uint64_t)a->work.name << 8 | (unsigned)a->work.batch->kind;
    const uint64_t known =
        has_prefix(a) || has_shape(a) ? 0 : rln__map_get(&a->row_of, key);
    const uint32_t row = known ? (uint32_t)(known - 1) : row_by_name(a);
    const uint64_t value = value_of(a);

    if (row == UINT32_MAX || (!known && rln__map_put(&a->row_of, key, row + 1)))
        return -1;
    a->sums->total += value;
    return rln__tally_add(&a->sums->rows[row].tally, value);
}

static int compare_shapes(const struct rln__kernel_shape *x,
                          const struct rln__kernel_shape *y)
{
    for (size_t i = 0; i < 3; i++) {
        if (x->grid[i] != y->grid[i])
            return x->grid[i] < y->grid[i] ? -1 : 1;
    }
    for (size_t i = 0; i < 3; i++) {
        if (x->block[i] != y->block[i])
            return x->block[i] < y->block[i] ? -1 : 1;
    }
    return 0;
}

static int by_total(const void *a, const void *b)
{
    const struct rln__gpu_sum *x = a, *y = b;
    int order;

    if (x->tally.total != y->tally.total)
        return x->tally.total > y->tally.total ? -1 : 1;
    if (x->tally.n != y->tally.n)
        return x->tally.n < y->tally.n ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    order = compare_shapes(&x->shape, &y->shape);
    if (order)
        return order;
    return rln__compare_text(x->name, y->name);
}

static rln_status add_all(struct adding *a, rln_error *err)
{
    struct rln__gpu_sums *s = a->sums;
    int failed = 0;
    rln_status status;

    while (!(status = rln__gpu_work_next(&a->work, err))) {
        if (add(a))
            return rln__fail_nomem(err);
    }
    for (size_t i = 0; i < s->n && !failed; i++)
        failed = rln__tally_end(&s->rows[i].tally);
    if (s->n)
        qsort(s->rows, s->n, sizeof(*s->rows), by_total);
    return status != RLN_END ? status : failed ? rln__fail_nomem(err) : RLN_OK;
}

rln_status rln__gpu_sums_read(struct rln__gpu_sums *s, rln_reader *reader,
                              const struct rln__gpu_choice *choice,
                              struct rln__range_prefix *prefix,
                              enum rln__gpu_value value, rln_error *err)
{
    struct adding a = {.sums = s, .prefix = prefix, .value = value};
    rln_status status = rln__gpu_work_init(&a.work, reader, choice, err);

    memset(s, 0, sizeof(*s));
    if (status)
        return status;
    status = add_all(&a, err);
    rln__gpu_work_clear(&a.work);
    rln__map_clear(&a.row_of);
    rln__key_index_clear(&a.by_name);
    if (status)
        rln__gpu_sums_clear(s);
    return status;
}

void rln__gpu_sums_clear(struct rln__gpu_sums *s)
{
    for (size_t i = 0; i < s->n; i++)
        rln__tally_clear(&s->rows[i].tally);
    rln__free(s->rows);
    rln__strings_clear(&s->names);
    memset(s, 0, sizeof(*s));
}
