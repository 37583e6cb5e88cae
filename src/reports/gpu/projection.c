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

static const struct rln__gpu_choice operations = {.kinds = RLN__GPU_OPERATIONS};

/* --- By name ---------------------------------------------------------------------- */

struct sums {
    struct rln__gpu_proj *proj;
    struct rln__key_index numbers; /* {name, style} */
};

static int add_up(void *context, const struct rln__gpu_range *r)
{
    struct sums *s = context;
    struct rln__gpu_proj *p = s->proj;
    const struct rln__key key = {{r->name, r->style}};
    struct rln__gpu_proj_row *row;

    if (!r->n_ops)
        return 0;
    row = rln__key_index_item(&p->rows, &p->n_rows, &p->capacity,
                              rln__key_index_number(&s->numbers, &key), sizeof(*row));
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

rln_status rln__gpu_proj_find(rln_reader *reader, struct rln__gpu_proj *out,
                              rln_error *err)
{
    struct sums sums = {.proj = out};
    const struct rln__gpu_visitor visitor = {&sums, add_op, add_up};
    rln_status status;

    memset(out, 0, sizeof(*out));
    status = rln__gpu_ranges_visit(reader, &operations, &out->names, &visitor, err);
    for (size_t i = 0; i < out->n_rows && !status; i++) {
        if (rln__tally_end(&out->rows[i].projected_ns))
            status = rln__fail_nomem(err);
    }
    rln__key_index_clear(&sums.numbers);
    if (status)
        rln__gpu_proj_clear(out);
    else if (out->n_rows)
        qsort(out->rows, out->n_rows, sizeof(*out->rows), by_total);
    return status;
}

void rln__gpu_proj_clear(struct rln__gpu_proj *p)
{
    for (size_t i = 0; i < p->n_rows; i++)
        rln__tally_clear(&p->rows[i].projected_ns);
    rln__range_names_clear(&p->names);
    rln__free(p->rows);
    memset(p, 0, sizeof(*p));
}

/* --- In the order of the GPU ------------------------------------------------------ */

static int by_projection(const void *a, const void *b)
{
    const struct rln__gpu_range *x = a, *y = b;

    if (x->first_op_ns != y->first_op_ns)
        return x->first_op_ns < y->first_op_ns ? -1 : 1;
    if (x->last_op_ns != y->last_op_ns)
        return x->last_op_ns > y->last_op_ns ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int add_to_list(void *context, const struct rln__gpu_range *r)
{
    struct rln__gpu_proj_list *list = context;
    uint32_t *parents = rln__grow(list->parents, &list->capacity, (size_t)r->number + 1,
                                  sizeof(*parents));

    if (!parents)
        return -1;
    list->parents = parents;
    parents[r->number] = r->parent;
    if (r->number >= list->n_parents)
        list->n_parents = (size_t)r->number + 1;
    return r->n_ops && rln__sorter_add(&list->projected, r, NULL);
}

rln_status rln__gpu_proj_list(rln_reader *reader, struct rln__gpu_proj_list *out,
                              rln_error *err)
{
    const struct rln__gpu_visitor visitor = {out, add_op, add_to_list};
    rln_status status;

    *out = (struct rln__gpu_proj_list){
        .projected = {.item_bytes = sizeof(struct rln__gpu_range),
                      .compare = by_projection}};
    status = rln__gpu_ranges_visit(reader, &operations, &out->names, &visitor, err);
    if (!status)
        status = rln__sorter_end(&out->projected, err);
    if (status)
        rln__gpu_proj_list_clear(out);
    return status;
}

void rln__gpu_proj_list_clear(struct rln__gpu_proj_list *list)
{
    rln__range_names_clear(&list->names);
    rln__sorter_clear(&list->projected);
    rln__free(list->parents);
    *list = (struct rln__gpu_proj_list){.parents = NULL};
}
