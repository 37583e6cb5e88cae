/* SPDX-License-Identifier: Apache-2.0 */
/* lod_nested.h - which ranges are inside another one of their name, while an index is
 * built: functions that call themselves. Their time counts once.
 *
 *   level 0    fib |-----------------|   counts
 *   level 1      fib |------||----|      do not
 *
 * Of the thread that is read, how many ranges of each name are open is counted; when
 * another one's turn comes, its open ranges are counted again.
 */
#ifndef RLN_TIMELINE_LOD_NESTED_H
#define RLN_TIMELINE_LOD_NESTED_H

#include "timeline/lod_lanes.h"

/* lod_nested.c, for the functions below */
void rln__lod_count_open(struct rln__lod *lod, uint32_t thread);
int rln__lod_learn_like(struct rln__lod *lod, uint32_t attr);

/* The first attributes with the name of these; RLN__NONE: no memory. */
RLN__INLINE uint32_t rln__lod_like(struct rln__lod *lod, uint32_t attr)
{
    const struct rln__lod_nested *nested = &lod->nested;

    return (attr < nested->n && nested->counts[attr].like) ||
                   !rln__lod_learn_like(lod, attr)
               ? nested->counts[attr].like - 1
               : RLN__NONE;
}

/* Counts one more, and returns how many there were. */
static inline uint32_t rln__lod_count_one(struct rln__lod_nested *nested, uint32_t like)
{
    struct rln__lod_open_count *count = &nested->counts[like];
    const uint32_t before = count->turn == nested->turn ? count->n_open : 0;

    count->turn = nested->turn;
    count->n_open = before + 1;
    return before;
}

/* A push/pop range begins. 0, or -1: no memory. */
RLN__INLINE int rln__lod_begin_level(struct rln__lod *lod, uint32_t thread,
                                     uint32_t level, uint32_t attr)
{
    struct rln__lod_thread *t = &lod->threads[thread];
    struct rln__lod_nested *nested = &lod->nested;
    uint32_t like;

    if (lod->is_narrow)
        return 0;
    like = rln__lod_like(lod, attr);
    if (like == RLN__NONE)
        return -1;
    if (level >= t->levels_capacity) {
        uint32_t *levels = rln__grow(t->levels, &t->levels_capacity, (size_t)level + 1,
                                     sizeof(*levels));

        if (!levels)
            return -1;
        t->levels = levels;
    }
    if (nested->thread != thread)
        rln__lod_count_open(lod, thread);
    t->levels[level] = like << 1 | (rln__lod_count_one(nested, like) != 0);
    t->n_levels = level + 1;
    return 0;
}

/* It ends, or is left out by a filter: then it is around nothing. Returns whether it was
 * inside another one of its name. */
RLN__INLINE uint32_t rln__lod_end_level(struct rln__lod *lod, uint32_t thread,
                                        uint32_t level)
{
    struct rln__lod_thread *t = &lod->threads[thread];
    const uint32_t is = t->levels[level];

    if (is == RLN__NONE)
        return 0;
    t->levels[level] = RLN__NONE;
    while (t->n_levels && t->levels[t->n_levels - 1] == RLN__NONE)
        t->n_levels--;
    if (lod->nested.thread == thread)
        lod->nested.counts[is >> 1].n_open--;
    return is & 1;
}

#endif
