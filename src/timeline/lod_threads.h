/* SPDX-License-Identifier: Apache-2.0 */
/* lod_threads.h - which row of a thread a range goes into, while an index is built: that
 * of its level, or of the first lane that is free. */
#ifndef RLN_TIMELINE_LOD_THREADS_H
#define RLN_TIMELINE_LOD_THREADS_H

#include "timeline/lod.h"

/* A lane of start/end ranges. */
struct rln__lod_lane {
    int64_t free_ns; /* when its last range ended, or one in a lane of it */
    uint32_t n_open; /* of those whose end is not known yet */
    uint32_t outer;  /* the lane that it belongs to; RLN__NONE: to none */
    int is_of_waits; /* of a GPU */
};

struct rln__lod_thread {
    /* The thread's chunk: an event outside it is the first of another. */
    uint64_t chunk_offset, chunk_bytes;
    uint32_t segment; /* + 1; 0: none */
    uint32_t part;
    uint32_t *rows; /* owned: of levels, row + 1 */
    uint32_t n_rows;
    uint32_t marks;              /* row + 1 */
    struct rln__lod_lane *lanes; /* owned */
    uint32_t n_lanes;
    uint32_t thread, lane; /* its origin: see struct rln__lod_row_key */
    rln_text scope;
};

/* lod_threads.c, for the functions below */
struct rln__lod_thread *rln__lod_add_thread(struct rln__lod *lod, uint32_t index);
uint32_t rln__lod_add_row_of_level(struct rln__lod *lod, uint32_t index, uint32_t at);

/* NULL when there is no memory. */
RLN__INLINE struct rln__lod_thread *rln__lod_thread_at(struct rln__lod *lod,
                                                       uint32_t index)
{
    return index < lod->n_threads ? &lod->threads[index]
                                  : rln__lod_add_thread(lod, index);
}

/* The row of a level; RLN__NONE when there is no memory. */
RLN__INLINE uint32_t rln__lod_row_of_level(struct rln__lod *lod, uint32_t index,
                                           uint32_t level)
{
    const uint32_t at = level < RLN__LOD_LEVELS ? level : RLN__LOD_LEVELS;
    const struct rln__lod_thread *t =
        index < lod->n_threads ? &lod->threads[index] : NULL;

    return t && at < t->n_rows && t->rows[at]
               ? t->rows[at] - 1
               : rln__lod_add_row_of_level(lod, index, at);
}

/* The first free lane of those that belong to `outer`, or of those of waits; the last
 * one is shared. RLN__NONE when there is no memory. */
uint32_t rln__lod_take_lane(struct rln__lod *lod, uint32_t index, int64_t t_ns,
                            uint32_t outer, int is_wait);

/* The first row of a stream in which nothing ends after `start_ns`, and in which now
 * something ends at `end_ns`. Waits have rows of their own. RLN__NONE when there is no
 * memory. */
uint32_t rln__lod_row_for(struct rln__lod *lod, uint32_t thread, int64_t start_ns,
                          int64_t end_ns, int is_wait);

#endif
