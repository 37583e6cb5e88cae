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

uint32_t rln__lod_take_lane(struct rln__lod *lod, uint32_t index, int64_t t_ns,
                            uint32_t outer, int is_wait)
{
    struct rln__lod_thread *t = rln__lod_thread_at(lod, index);
    struct rln__lod_lane *lanes;

    if (!t)
        return RLN__NONE;
    for (uint32_t i = 0; i < t->n_lanes; i++) {
        const struct rln__lod_lane *lane = &t->lanes[i];

        if (i == RLN__LOD_LEVELS ||
            (lane->outer == outer && lane->is_of_waits == is_wait && !lane->n_open &&
             lane->free_ns <= t_ns))
            return i;
    }
    lanes = rln__resize(t->lanes, t->n_lanes + 1, sizeof(*lanes));
    if (!lanes)
        return RLN__NONE;
    t->lanes = lanes;
    lanes[t->n_lanes] = (struct rln__lod_lane){INT64_MIN, 0, outer, is_wait};
    return t->n_lanes++;
}

uint32_t rln__lod_row_for(struct rln__lod *lod, uint32_t thread, int64_t start_ns,
                          int64_t end_ns, int is_wait)
{
    const uint32_t lane = rln__lod_take_lane(lod, thread, start_ns, RLN__NONE, is_wait);
    struct rln__lod_lane *taken;
    uint32_t row;

    if (lane == RLN__NONE)
        return RLN__NONE;
    taken = &lod->threads[thread].lanes[lane];
    taken->free_ns = end_ns > taken->free_ns ? end_ns : taken->free_ns;
    row = rln__lod_row_of_level(lod, thread, lane);
    if (row != RLN__NONE && lod->rows[row].is_stream)
        lod->rows[row].is_of_waits = (uint8_t)is_wait;
    return row;
}
