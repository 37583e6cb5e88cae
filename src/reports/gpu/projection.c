/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/gpu/projection.h"
#include "base/alloc.h"
#include "base/fail.h"

#include <stdlib.h>
#include <string.h>

/* The operations of one call, such as the nodes of a graph, count once; they come in
 * sequence. */
static int add_op(void *context, const struct rln__gpu_op *op, struct rln__gpu_range *r)
{
    (void)context;
    if (!r)
        return 0;
    if (!r->n_ops || op->start_ns < r->first_op_ns)
        r->first_op_ns = op->start_ns;
    if (!r->n_ops || op->end_ns > r->last_op_ns)
        r->last_op_ns = op->end_ns;
    if (!r->n_ops || op->correlation != r->last_correlation)
        r->n_ops++;
    r->last_correlation = op->correlation;
    return 0;
}

/* --- In the order of the GPU ------------------------------------------------------ */

struct placed {
    int64_t start_ns, end_ns;
    uint32_t index;
};

static int by_projection(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->end_ns != y->end_ns)
        return x->end_ns > y->end_ns ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static int order(struct rln__gpu_proj *p)
{
    const struct rln__gpu_ranges *g = &p->ranges;
    struct placed *placed = rln__alloc(g->n + 1, sizeof(*placed)); /* owned */

    p->projected = rln__alloc(g->n + 1, sizeof(*p->projected));
    for (uint32_t i = 0; i < g->n && placed; i++) {
        const struct rln__gpu_range *r = &g->all[i];

        if (r->n_ops)
            placed[p->n++] = (struct placed){r->first_op_ns, r->last_op_ns, i};
    }
    if (p->n)
        qsort(placed, p->n, sizeof(*placed), by_projection);
    for (size_t i = 0; i < p->n && p->projected; i++)
        p->projected[i] = placed[i].index;
    rln__free(placed);
    return placed && p->projected ? 0 : -1;
}

/* --- By name ---------------------------------------------------------------------- */

static int add_range(struct rln__gpu_proj *p, struct rln__key_index *numbers,
                     const struct rln__gpu_range *r)
{
    const struct rln__key key = {{r->name, r->style}};
    const uint32_t number = rln__key_index_number(numbers, &key);
    struct rln__gpu_proj_row *row =
        rln__key_index_item(&p->rows, &p->n_rows, &p->capacity, number, sizeof(*row));

    if (!row)
        return -1;
    row->name = r->name;
    row->style = r->style;
    row->range_ns += (uint64_t)(r->end_ns - r->start_ns);
    row->n_ops += r->n_ops;
    row->levels += r->level;
    row->n_children += r->n_children;
    return rln__tally_add(&row->projected_ns,
                          (uint64_t)(r->last_op_ns - r->first_op_ns));
}

static int by_total(const void *a, const void *b)
{
    const struct rln__gpu_proj_row *x = a, *y = b;

    if (x->projected_ns.total != y->projected_ns.total)
        return x->projected_ns.total > y->projected_ns.total ? -1 : 1;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    return (x->style > y->style) - (x->style < y->style);
}

static int add_up(struct rln__gpu_proj *p)
{
    struct rln__key_index numbers = {.n = 0}; /* {name, style} */
    int failed = 0;

    for (size_t i = 0; i < p->n && !failed; i++)
        failed = add_range(p, &numbers, &p->ranges.all[p->projected[i]]);
    for (size_t i = 0; i < p->n_rows && !failed; i++)
        failed = rln__tally_end(&p->rows[i].projected_ns);
    rln__key_index_clear(&numbers);
    if (!failed && p->n_rows)
        qsort(p->rows, p->n_rows, sizeof(*p->rows), by_total);
    return failed;
}

rln_status rln__gpu_proj_find(rln_reader *reader, struct rln__gpu_proj *out,
                              rln_error *err)
{
    static const struct rln__gpu_choice all = {.kinds = RLN__GPU_OPERATIONS};
    rln_status status;

    memset(out, 0, sizeof(*out));
    status = rln__gpu_ranges_read(&out->ranges, reader, err);
    if (!status)
        status = rln__gpu_ranges_visit(&out->ranges, &all, add_op, NULL, err);
    if (!status && (order(out) || add_up(out)))
        status = rln__fail_nomem(err);
    if (status)
        rln__gpu_proj_clear(out);
    return status;
}

void rln__gpu_proj_clear(struct rln__gpu_proj *p)
{
    rln__gpu_ranges_clear(&p->ranges);
    for (size_t i = 0; i < p->n_rows; i++)
        rln__tally_clear(&p->rows[i].projected_ns);
    rln__free(p->projected);
    rln__free(p->rows);
    memset(p, 0, sizeof(*p));
}
