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
    struct rln__reduced_row *rows;

    if (rln__reduced_row_add(&p->wholes[row->path].sum, row))
        return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                         "cannot add sums: they exceed 64 bits");
    if (found) /* as part of the whole, it fits */
        return rln__reduced_row_add(&p->rows[found - 1], row) ? RLN_ERR_ARGUMENT
                                                              : RLN_OK;
    rows = rln__grow(p->rows, &p->rows_capacity, p->n_rows + 1, sizeof(*rows));
    if (!rows)
        return rln__fail_nomem(err);
    p->rows = rows;
    rows[p->n_rows++] = *row;
    return rln__map_put(&p->rows_by_key, key, p->n_rows) ? rln__fail_nomem(err)
                                                         : RLN_OK;
}

/* --- The kind --------------------------------------------------------------------- */

/* A parent has a lower number than its children. */
static int number_paths(struct rln__reduced_paths *into,
                        const struct rln__reduced_paths *from,
                        struct rln__reduced_numbers *n, uint32_t *paths)
{
    for (uint32_t i = 0; i < from->keys.n && !n->failed; i++) {
        const uint64_t *words = from->keys.entries[i].key.words;
        const uint32_t parent = rln__reduced_parent(from, i);

        paths[i] = rln__reduced_path(
            into, parent == UINT32_MAX ? parent : paths[parent], (uint32_t)words[1],
            rln__reduced_string_of(n, (uint32_t)words[2]),
            rln__reduced_string_of(n, (uint32_t)words[3]));
        n->failed |= paths[i] == UINT32_MAX;
    }
    return n->failed;
}

static rln_status merge(void *to, const void *of, struct rln__reduced_numbers *numbers,
                        rln_error *err)
{
    struct rln__reduced_paths *into = to;
    const struct rln__reduced_paths *from = of;
    uint32_t *paths = rln__alloc(from->keys.n + 1, sizeof(*paths));
    rln_status status = !paths || number_paths(into, from, numbers, paths)
                            ? rln__fail_nomem(err)
                            : RLN_OK;

    for (size_t i = 0; i < from->n_rows && !status; i++) {
        struct rln__reduced_row row = from->rows[i];

        row.path = paths[row.path];
        row.origin = numbers->origins[row.origin];
        status = rln__reduced_add_row(into, &row, err);
    }
    for (size_t i = 0; i < from->keys.n && !status; i++) {
        if (rln__duration_histogram_merge(&into->wholes[paths[i]].durations,
                                          &from->wholes[i].durations))
            status = rln__fail_nomem(err);
    }
    rln__free(paths);
    return status;
}

static void clear(void *sums)
{
    struct rln__reduced_paths *p = sums;

    for (size_t i = 0; i < p->n_wholes; i++)
        rln__duration_histogram_clear(&p->wholes[i].durations);
    rln__key_index_clear(&p->keys);
    rln__free(p->wholes);
    rln__free(p->rows);
    rln__map_clear(&p->rows_by_key);
    rln__path_reading_free(p->reading);
}

const struct rln__reduced_kind rln__reduced_paths_kind = {
    .size = sizeof(struct rln__reduced_paths),
    .add = rln__reduced_paths_add,
    .take = rln__reduced_paths_take,
    .merge = merge,
    .put = rln__reduced_paths_put,
    .read = rln__reduced_paths_read,
    .report = rln__reduced_paths_report,
    .clear = clear,
};
