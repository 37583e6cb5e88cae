/* SPDX-License-Identifier: Apache-2.0 */
#include "reduce/reduced_paths.h"
#include "base/alloc.h"
#include "base/fail.h"

uint32_t rln__reduced_path(struct rln__reduced_paths *p, uint32_t parent,
                           uint32_t style, uint32_t domain, uint32_t message)
{
    const struct rln__key key = {{(uint32_t)(parent + 1), style, domain, message}};
    const uint32_t path = rln__key_index_number(&p->keys, &key);

    return rln__key_index_item(&p->wholes, &p->n_wholes, &p->wholes_capacity, path,
                               sizeof(*p->wholes))
               ? path
               : UINT32_MAX;
}

int rln__reduced_row_add(struct rln__reduced_row *a, const struct rln__reduced_row *b)
{
    if (!a->n) {
        const uint32_t path = a->path, origin = a->origin;

        *a = *b;
        a->path = path;
        a->origin = origin;
        return 0;
    }
    if (__builtin_add_overflow(a->n, b->n, &a->n) ||
        __builtin_add_overflow(a->n_open, b->n_open, &a->n_open) ||
        __builtin_add_overflow(a->total_ns, b->total_ns, &a->total_ns) ||
        __builtin_add_overflow(a->self_ns, b->self_ns, &a->self_ns) ||
        __builtin_add_overflow(a->on_processor_ns, b->on_processor_ns,
                               &a->on_processor_ns) ||
        __builtin_add_overflow(a->squares, b->squares, &a->squares))
        return -1;
    a->min_ns = b->min_ns < a->min_ns ? b->min_ns : a->min_ns;
    a->max_ns = b->max_ns > a->max_ns ? b->max_ns : a->max_ns;
    a->first_ns = b->first_ns < a->first_ns ? b->first_ns : a->first_ns;
    a->last_ns = b->last_ns > a->last_ns ? b->last_ns : a->last_ns;
    return 0;
}

rln_status rln__reduced_add_row(struct rln__reduced_paths *p,
                                const struct rln__reduced_row *row, rln_error *err)
{
    const uint64_t key = (uint64_t)row->path << 32 | row->origin;
    const uint64_t found = rln__map_get(&p->rows_by_key, key);
    struct rln__reduced_row *added;

    if (rln__reduced_row_add(&p->wholes[row->path].sum, row))
        return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                         "cannot add sums: they exceed 64 bits");
    if (found) /* as part of the whole, it fits */
        return rln__reduced_row_add(&p->rows[found - 1], row) ? RLN_ERR_ARGUMENT
                                                              : RLN_OK;
    added = rln__append(&p->rows, &p->n_rows, &p->rows_capacity, sizeof(*added));
    if (!added)
        return rln__fail_nomem(err);
    *added = *row;
    return rln__map_put(&p->rows_by_key, key, p->n_rows) ? rln__fail_nomem(err)
                                                         : RLN_OK;
}
