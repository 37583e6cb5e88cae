/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_paths_kind.c - paths as a kind of sums. */
#include "base/alloc.h"
#include "base/fail.h"
#include "reduce/reduced_merge.h"
#include "reduce/reduced_paths_file.h"
#include "reduce/reduced_paths_reports.h"
#include "reduce/reduced_paths_trace.h"

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
        struct rln__reduced_whole *whole = &into->wholes[paths[i]];

        if (rln__duration_histogram_merge(&whole->durations,
                                          &from->wholes[i].durations) ||
            rln__reduced_cpu_merge(&whole->cpu, &from->wholes[i].cpu))
            status = rln__fail_nomem(err);
    }
    rln__free(paths);
    return status;
}

static void clear(void *sums)
{
    struct rln__reduced_paths *p = sums;

    for (size_t i = 0; i < p->n_wholes; i++) {
        rln__duration_histogram_clear(&p->wholes[i].durations);
        rln__reduced_cpu_clear(&p->wholes[i].cpu);
    }
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
