/* SPDX-License-Identifier: Apache-2.0 */
/* lanes.h - puts whole ranges that overlap on tracks where they nest.
 *
 *   lane 0   [--------------]  [----]
 *               [---]
 *   lane 1            [----------]       crosses the first, so it gets another
 *
 * Ranges come in the order of beginnings. A group has lanes of its own. Operations of
 * one stream do not call each other: where lanes are flat, none encloses another.
 *
 *   lane 0   [--------------]  [----]
 *   lane 1      [---] [----------]
 */
#ifndef RLN_EXPORT_LANES_H
#define RLN_EXPORT_LANES_H

#include "base/key_index.h"

struct rln__export_lane {
    int64_t *ends; /* owned: of the ranges that enclose the next one */
    size_t n, capacity;
};

struct rln__lane_group {
    struct rln__export_lane *lanes; /* owned */
    size_t n, capacity;
};

struct rln__lanes {
    struct rln__key_index keys;
    struct rln__lane_group *groups; /* owned; by number of the key */
    size_t n, capacity;
    int is_flat;
};

/* The lane of a range in the group of `key`: the first in which it fits. `*group` is
 * the number of the group. UINT32_MAX when there is no memory. */
uint32_t rln__lanes_place(struct rln__lanes *lanes, const struct rln__key *key,
                          int64_t start_ns, int64_t end_ns, uint32_t *group);
void rln__lanes_clear(struct rln__lanes *lanes);

#endif
