/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_threads.h"

#include "base/alloc.h"
#include "timeline/lod_rows.h"

#include <string.h>

struct rln__lod_thread *rln__lod_add_thread(struct rln__lod *lod, uint32_t index)
{
    struct rln__lod_thread *threads;
    const size_t n = lod->n_threads;

    threads = rln__grow(lod->threads, &lod->threads_capacity, (size_t)index + 1,
                        sizeof(*threads));
    if (!threads)
        return NULL;
    memset(threads + n, 0, ((size_t)index + 1 - n) * sizeof(*threads));
    for (size_t i = n; i <= index; i++) {
        threads[i].thread = (uint32_t)i;
        threads[i].lane = RLN__NONE;
    }
    lod->threads = threads;
    lod->n_threads = (size_t)index + 1;
    return &threads[index];
}

uint32_t rln__lod_add_row_of_level(struct rln__lod *lod, uint32_t index, uint32_t at)
{
    struct rln__lod_thread *t = rln__lod_thread_at(lod, index);
    struct rln__lod_row_key key;
    uint32_t row;

    if (!t)
        return RLN__NONE;
    if (at >= t->n_rows) {
        const uint32_t n = (at | 7) + 1;
        uint32_t *rows = rln__resize(t->rows, n, sizeof(*rows));

        if (!rows)
            return RLN__NONE;
        memset(rows + t->n_rows, 0, (n - t->n_rows) * sizeof(*rows));
        t->rows = rows;
        t->n_rows = n;
    }
    key = (struct rln__lod_row_key){t->thread, t->lane, at, t->scope};
    row = rln__lod_row(lod, RLN__LOD_PUSHED, &key);
    t->rows[at] = row == RLN__NONE ? 0 : row + 1;
    /* Operations of a stream that overlap are not inside each other. */
    if (at && t->rows[at] && t->rows[at - 1] && t->rows[at - 1] != t->rows[at] &&
        !lod->rows[row].is_stream)
        lod->rows[row].above = t->rows[at - 1] - 1;
    return row;
}
