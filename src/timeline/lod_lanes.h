/* SPDX-License-Identifier: Apache-2.0 */
/* lod_lanes.h - the lanes of start/end ranges, while an index is built: each lane has
 * one range at a time, and knows in which other lane that was begun.
 *
 *   lane 0    |------ request -----|         self time of request: all but what
 *   lane 1       |-- auth --|                the lanes begun in it cover
 *   lane 2           |-- load --|
 */
#ifndef RLN_TIMELINE_LOD_LANES_H
#define RLN_TIMELINE_LOD_LANES_H

#include "timeline/lod_threads.h"

struct rln__lod_lane {
    int64_t free_ns; /* when its last range ended, or one in a lane of it */
    uint32_t n_open; /* of those whose end is not known yet */
    uint32_t outer;  /* the lane that it belongs to; RLN__NONE: to none */
    int is_of_waits; /* of a GPU */
    /* Of the range that is open: */
    uint32_t like; /* the first attributes with its name; RLN__NONE: none is open */
    uint32_t is_nested; /* in another one of its name */
    uint32_t n_inside;  /* open ranges of lanes begun in it */
    int64_t inside_from_ns, inside_to_ns;
    uint64_t inside_ns; /* that such ranges have covered */
};

/* The first free lane of those that belong to `outer`, or of those of waits; the last
 * one is shared, and belongs to none. RLN__NONE when there is no memory. */
uint32_t rln__lod_take_lane(struct rln__lod *lod, uint32_t index, int64_t t_ns,
                            uint32_t outer, int is_wait);

/* A range begins in a lane that was taken for it. */
void rln__lod_begin_in_lane(struct rln__lod_thread *t, uint32_t lane, uint32_t like,
                            int64_t t_ns);

/* It ends, and `*inside_ns` of it others covered that were begun in it. */
void rln__lod_end_in_lane(struct rln__lod_thread *t, uint32_t lane, int64_t end_ns,
                          uint64_t *inside_ns);

/* The first row of a stream in which nothing ends after `start_ns`, and in which now
 * something ends at `end_ns`. Waits have rows of their own. RLN__NONE when there is no
 * memory. */
uint32_t rln__lod_row_for(struct rln__lod *lod, uint32_t thread, int64_t start_ns,
                          int64_t end_ns, int is_wait);

#endif
