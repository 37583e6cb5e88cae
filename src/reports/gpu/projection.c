/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/gpu/projection.h"
#include "base/alloc.h"
#include "base/fail.h"

#include <stdlib.h>
#include <string.h>

/* What one launch of a CUDA graph ran of the nodes that were created in a range. */
struct replay {
    int64_t first_op_ns, last_op_ns;
    uint32_t correlation, n_ops;
    uint32_t next; /* of the range: index + 1 */
};

struct projecting {
    struct rln__key_index launches; /* {range, correlation} */
    struct replay *replays;         /* owned; by the number of the launch */
    size_t n, capacity;
    /* Called for each projection of a range. 0, or -1 when there is no memory. */
    int (*put)(struct projecting *, const struct rln__gpu_range *, int is_first);
    void *out;                  /* borrowed, what put() fills */
    struct rln__key_index rows; /* its own: {name, style} */
};

static int add_to_replay(struct projecting *p, const struct rln__gpu_op *op,
                         struct rln__gpu_range *r)
{
    const struct rln__key key = {{r->number, op->correlation}};
    const uint32_t number = rln__key_index_number(&p->launches, &key);
    struct replay *replay =
        rln__key_index_item(&p->replays, &p->n, &p->capacity, number, sizeof(*replay));

    if (!replay)
        return -1;
    if (!replay->n_ops) {
        *replay = (struct replay){op->start_ns, op->end_ns, op->correlation, 0,
                                  r->visitor_data};
        r->visitor_data = number + 1;
    }
    if (op->start_ns < replay->first_op_ns)
        replay->first_op_ns = op->start_ns;
    if (op->end_ns > replay->last_op_ns)
        replay->last_op_ns = op->end_ns;
    replay->n_ops++;
    return 0;
}

/* The operations of one call, such as the nodes of a graph, count once; they come in
 * sequence. */
static int add_op(void *context, const struct rln__gpu_op *op, struct rln__gpu_range *r)
{
    if (!r)
        return 0;
    if (op->is_captured)
        return add_to_replay(context, op, r);
    if (!r->n_ops || op->start_ns < r->first_op_ns)
        r->first_op_ns = op->start_ns;
    if (!r->n_ops || op->end_ns > r->last_op_ns)
        r->last_op_ns = op->end_ns;
    if (!r->n_ops || op->correlation != r->last_correlation)
        r->n_ops++;
    r->last_correlation = op->correlation;
    return 0;
}

static int put_all(struct projecting *p, const struct rln__gpu_range *r)
{
    int failed = r->n_ops ? p->put(p, r, 1) : 0;

    for (uint32_t i = r->visitor_data; i && !failed; i = p->replays[i - 1].next) {
        const struct replay *replay = &p->replays[i - 1];
        struct rln__gpu_range as_replayed = *r;

        as_replayed.first_op_ns = replay->first_op_ns;
        as_replayed.last_op_ns = replay->last_op_ns;
        as_replayed.last_correlation = replay->correlation;
        as_replayed.n_ops = replay->n_ops;
        failed = p->put(p, &as_replayed, !r->n_ops && i == r->visitor_data);
    }
    return failed;
}

static rln_status project(struct projecting *p, rln_reader *reader, unsigned rules,
                          struct rln__range_names *names,
                          int (*end)(void *, const struct rln__gpu_range *),
                          rln_error *err)
{
    const struct rln__gpu_choice operations = {.kinds = RLN__GPU_OPERATIONS,
                                               .rules = rules};
    const struct rln__gpu_visitor visitor = {p, add_op, end};
    const rln_status status =
        rln__gpu_ranges_visit(reader, &operations, names, &visitor, err);

    rln__key_index_clear(&p->launches);
    rln__key_index_clear(&p->rows);
    rln__free(p->replays);
    return status;
}

/* --- By name ---------------------------------------------------------------------- */

static int add_up(struct projecting *p, const struct rln__gpu_range *r, int is_first)
{
    struct rln__gpu_proj *proj = p->out;
    const struct rln__key key = {{r->name, r->style}};
    struct rln__gpu_proj_row *row =
        rln__key_index_item(&proj->rows, &proj->n_rows, &proj->capacity,
                            rln__key_index_number(&p->rows, &key), sizeof(*row));

    if (!row)
        return -1;
    row->name = r->name;
    row->style = r->style;
    row->range_ns += is_first ? (uint64_t)(r->end_ns - r->start_ns) : 0;
    row->n_ops += r->n_ops;
    row->levels += r->level;
    row->n_children += r->n_children;
    return rln__tally_add(&row->projected_ns,
                          (uint64_t)(r->last_op_ns - r->first_op_ns));
}

static int end_sum(void *context, const struct rln__gpu_range *r)
{
    return put_all(context, r);
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

rln_status rln__gpu_proj_find(rln_reader *reader, unsigned rules,
                              struct rln__gpu_proj *out, rln_error *err)
{
    struct projecting p = {.put = add_up, .out = out};
    rln_status status;

    memset(out, 0, sizeof(*out));
    status = project(&p, reader, rules, &out->names, end_sum, err);
    for (size_t i = 0; i < out->n_rows && !status; i++) {
        if (rln__tally_end(&out->rows[i].projected_ns))
            status = rln__fail_nomem(err);
    }
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
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->last_correlation > y->last_correlation) -
           (x->last_correlation < y->last_correlation);
}

static int add_to_list(struct projecting *p, const struct rln__gpu_range *r,
                       int is_first)
{
    struct rln__gpu_proj_list *list = p->out;

    (void)is_first;
    return rln__sorter_add(&list->projected, r, NULL) ? -1 : 0;
}

static int end_listed(void *context, const struct rln__gpu_range *r)
{
    struct projecting *p = context;
    struct rln__gpu_proj_list *list = p->out;
    uint32_t *parents = rln__grow(list->parents, &list->capacity, (size_t)r->number + 1,
                                  sizeof(*parents));

    if (!parents)
        return -1;
    list->parents = parents;
    parents[r->number] = r->parent;
    if (r->number >= list->n_parents)
        list->n_parents = (size_t)r->number + 1;
    return put_all(p, r);
}

rln_status rln__gpu_proj_list(rln_reader *reader, unsigned rules,
                              struct rln__gpu_proj_list *out, rln_error *err)
{
    struct projecting p = {.put = add_to_list, .out = out};
    rln_status status;

    *out = (struct rln__gpu_proj_list){
        .projected = {.item_bytes = sizeof(struct rln__gpu_range),
                      .compare = by_projection}};
    status = project(&p, reader, rules, &out->names, end_listed, err);
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
