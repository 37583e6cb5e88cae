/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_lanes.h"

#include "base/alloc.h"
#include "timeline/lod_rows.h"

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
    lanes[t->n_lanes] = (struct rln__lod_lane){
        .free_ns = INT64_MIN,
        .outer = t->n_lanes == RLN__LOD_LEVELS ? RLN__NONE : outer,
        .is_of_waits = is_wait,
        .like = RLN__NONE};
    return t->n_lanes++;
}

/* Ranges inside may overlap. An end may be read before what else begins in the range, or
 * after the range has ended: then of another thread. */
void rln__lod_begin_in_lane(struct rln__lod_thread *t, uint32_t lane, uint32_t like,
                            int64_t t_ns)
{
    const uint32_t outer = t->lanes[lane].outer;

    t->lanes[lane].is_nested = 0;
    t->lanes[lane].n_open++;
    for (uint32_t i = outer; i != RLN__NONE; i = t->lanes[i].outer) {
        t->lanes[lane].is_nested |= t->lanes[i].like == like;
        t->lanes[i].n_open++;
    }
    t->lanes[lane].like = like;
    t->lanes[lane].n_inside = 0;
    t->lanes[lane].inside_to_ns = INT64_MIN;
    t->lanes[lane].inside_ns = 0;
    if (outer != RLN__NONE && t->lanes[outer].n_inside++ == 0)
        t->lanes[outer].inside_from_ns =
            t_ns > t->lanes[outer].inside_to_ns ? t_ns : t->lanes[outer].inside_to_ns;
}

/* Up to a time they have covered what they cover. */
static void cover(struct rln__lod_lane *lane, int64_t to_ns)
{
    if (to_ns > lane->inside_from_ns)
        lane->inside_ns += (uint64_t)(to_ns - lane->inside_from_ns);
}

void rln__lod_end_in_lane(struct rln__lod_thread *t, uint32_t lane, int64_t end_ns,
                          uint64_t *inside_ns)
{
    struct rln__lod_lane *const own = &t->lanes[lane];

    if (own->n_inside)
        cover(own, end_ns);
    else if (own->inside_to_ns > end_ns) /* the last one went on after it */
        own->inside_ns -= (uint64_t)(own->inside_to_ns - end_ns) < own->inside_ns
                              ? (uint64_t)(own->inside_to_ns - end_ns)
                              : own->inside_ns;
    *inside_ns = own->inside_ns;
    own->like = RLN__NONE;
    if (own->outer != RLN__NONE && t->lanes[own->outer].n_inside) {
        struct rln__lod_lane *const outer = &t->lanes[own->outer];

        if (end_ns > outer->inside_to_ns)
            outer->inside_to_ns = end_ns;
        if (--outer->n_inside == 0)
            cover(outer, outer->inside_to_ns);
    }
    for (uint32_t i = lane; i != RLN__NONE; i = t->lanes[i].outer) {
        t->lanes[i].n_open--;
        if (end_ns > t->lanes[i].free_ns)
            t->lanes[i].free_ns = end_ns;
    }
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
