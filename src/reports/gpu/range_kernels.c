/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/gpu/range_kernels.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

struct search {
    struct rln__gpu_kern *kern;
    struct rln__key_index rows; /* {name, style; process; tid; kernel} */
    rln_reader *reader;         /* borrowed */
    /* {range, row} of open ranges -> 1 + the row that was seen before it there, + 1 */
    struct rln__map seen;
};

static uint64_t seen_key(const struct rln__gpu_range *range, uint32_t row)
{
    return (uint64_t)range->number << 32 | row;
}

/* Whether it is the first kernel of a row in a range; -1: no memory. */
static int is_first(struct search *s, struct rln__gpu_range *range, uint32_t row)
{
    const uint64_t key = seen_key(range, row);

    if (rln__map_get(&s->seen, key))
        return 0;
    if (rln__map_put(&s->seen, key, (uint64_t)range->visitor_data + 1))
        return -1;
    range->visitor_data = row + 1;
    return 1;
}

static int forget(void *context, const struct rln__gpu_range *range)
{
    struct search *s = context;
    uint64_t row = range->visitor_data;

    while (row)
        row = rln__map_remove(&s->seen, seen_key(range, (uint32_t)row - 1)) - 1;
    return 0;
}

static int add_kernel(void *context, const struct rln__gpu_op *op,
                      struct rln__gpu_range *range)
{
    struct search *s = context;
    struct rln__gpu_kern *k = s->kern;
    const struct rln__names *names = &s->reader->names;
    const uint32_t kernel = names->attrs[op->name].message;
    const uint64_t name =
        range ? (uint64_t)range->name << 8 | range->style : UINT64_MAX;
    const struct rln__key key = {{name, op->process, op->tid, kernel}};
    const uint32_t number = rln__key_index_number(&s->rows, &key);
    struct rln__gpu_kern_row *row =
        rln__key_index_item(&k->rows, &k->n_rows, &k->capacity, number, sizeof(*row));

    if (!row)
        return -1;
    row->name = range ? range->name : RLN__NO_RANGE;
    row->style = range ? range->style : (rln_range_style)0;
    row->pid = names->processes[op->process].record.pid;
    row->tid = op->tid;
    row->kernel = rln__strings_get(&names->strings, kernel);
    if (range) {
        const int first = is_first(s, range, number);

        if (first < 0)
            return -1;
        row->n_ranges += (unsigned)first;
    }
    return rln__tally_add(&row->ns, (uint64_t)(op->end_ns - op->start_ns));
}

/* --- In nsys's order -------------------------------------------------------------- */

struct sortable {
    struct rln__gpu_kern_row row;
    rln_text domain_name, message;
};

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_range(const void *a, const void *b)
{
    const struct sortable *x = a, *y = b;
    int order = (x->row.name != RLN__NO_RANGE) - (y->row.name != RLN__NO_RANGE);

    if (!order)
        order = rln__compare_text(x->domain_name, y->domain_name);
    if (!order)
        order = rln__compare_text(x->message, y->message);
    if (!order)
        order = compare(x->row.pid, y->row.pid);
    if (!order)
        order = compare(x->row.tid, y->row.tid);
    if (!order)
        order = compare(y->row.ns.total, x->row.ns.total);
    if (!order)
        order = rln__compare_text(x->row.kernel, y->row.kernel);
    return order ? order : compare(x->row.style, y->row.style);
}

static int sort(struct rln__gpu_kern *k)
{
    struct sortable *all = rln__alloc(k->n_rows + 1, sizeof(*all)); /* owned */

    if (!all)
        return -1;
    for (size_t i = 0; i < k->n_rows; i++) {
        const struct rln__gpu_kern_row *row = &k->rows[i];

        all[i].row = *row;
        if (row->name == RLN__NO_RANGE)
            continue;
        all[i].domain_name = k->names.items[row->name].domain_name;
        all[i].message = k->names.items[row->name].message;
    }
    if (k->n_rows)
        qsort(all, k->n_rows, sizeof(*all), by_range);
    for (size_t i = 0; i < k->n_rows; i++)
        k->rows[i] = all[i].row;
    rln__free(all);
    return 0;
}

rln_status rln__gpu_kern_find(rln_reader *reader, enum rln__kernel_name name,
                              unsigned rules, struct rln__gpu_kern *out, rln_error *err)
{
    const struct rln__gpu_choice kernels = {
        .kinds = RLN__GPU_KERNELS, .form = name, .rules = rules};
    struct search s = {.kern = out, .reader = reader};
    const struct rln__gpu_visitor visitor = {&s, add_kernel, forget};
    int failed = 0;
    rln_status status;

    memset(out, 0, sizeof(*out));
    status = rln__gpu_ranges_visit(reader, &kernels, &out->names, &visitor, err);
    for (size_t i = 0; i < out->n_rows && !status && !failed; i++)
        failed = rln__tally_end(&out->rows[i].ns);
    rln__key_index_clear(&s.rows);
    rln__map_clear(&s.seen);
    if (!status && (failed || sort(out)))
        status = rln__fail_nomem(err);
    if (status)
        rln__gpu_kern_clear(out);
    return status;
}

void rln__gpu_kern_clear(struct rln__gpu_kern *k)
{
    rln__range_names_clear(&k->names);
    for (size_t i = 0; i < k->n_rows; i++)
        rln__tally_clear(&k->rows[i].ns);
    rln__free(k->rows);
    memset(k, 0, sizeof(*k));
}
