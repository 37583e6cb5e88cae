/* SPDX-License-Identifier: Apache-2.0 */
/* lod_threads.h - which row of a thread a range goes into, while an index is built: that
 * of its level, or of the first lane that is free. */
#ifndef RLN_TIMELINE_LOD_THREADS_H
#define RLN_TIMELINE_LOD_THREADS_H

#include "timeline/lod.h"

#define RLN__LOD_CALL_LEVELS 3u /* of calls of CUDA in each other */

struct rln__lod_thread {
    /* The thread's chunk: an event outside it is the first of another. */
    uint64_t chunk_offset, chunk_bytes;
    uint32_t segment; /* + 1; 0: none */
    uint32_t part;
    uint32_t *rows; /* owned: of levels, row + 1 */
    uint32_t n_rows;
    uint32_t
        *levels; /* owned: by level, what is open (lod_nested.h); RLN__NONE: nothing */
    size_t levels_capacity;
    uint32_t n_levels;
    uint32_t marks;              /* row + 1 */
    struct rln__lod_lane *lanes; /* owned: lod_lanes.h */
    uint32_t n_lanes;
    int64_t calls_until_ns[RLN__LOD_CALL_LEVELS]; /* when the last one ends */
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

#endif
