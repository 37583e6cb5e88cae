/* SPDX-License-Identifier: Apache-2.0 */
/* lanes.h - puts whole ranges that overlap on tracks where they nest.
 *
 *   lane 0   [--------------]  [----]
 *               [---]
 *   lane 1            [----------]       crosses the first, so it gets another
 *
 * Ranges come in the order of beginnings; one that does not gets a lane where all
 * others begin earlier. A group has lanes of its own. Operations of one stream do not
 * call each other: where lanes are flat, none encloses another.
 *
 *   lane 0   [--------------]  [----]
 *   lane 1      [---] [----------]
 *
 * A range whose end comes late has its room kept meanwhile. When it ends and one of
 * those that began in it has not, it crosses that one, and moves.
 *
 *   lane 0   [- kept          [---] [- also kept
 *                                      ^ end of the first: it moves to lane 1
 */
#ifndef RLN_EXPORT_LANES_H
#define RLN_EXPORT_LANES_H

#include "base/key_index.h"

/* A range that is kept room. */
struct rln__lane_kept {
    uint64_t number;
    size_t at; /* its index in the lane */
    int is_over;
};

struct rln__export_lane {
    int64_t *ends_ns; /* owned: of those that enclose the next one; kept: INT64_MAX */
    size_t n, capacity;
    struct rln__lane_kept *kept; /* owned; numbers and indexes rise */
    size_t n_kept, kept_capacity;
    int64_t newest_ns; /* the latest begin */
    int64_t last_ns;   /* the end of all */
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
uint32_t rln__lanes_assign(struct rln__lanes *lanes, const struct rln__key *key,
                           int64_t start_ns, int64_t end_ns, uint32_t *group);

/* Keeps room for a range whose end is not known yet; `number` is not 0, and larger than
 * those before. 0, or -1 when there is no memory. */
int rln__lanes_keep(struct rln__lanes *lanes, const struct rln__key *key,
                    int64_t start_ns, uint64_t number);
/* The lane of such a range. */
uint32_t rln__lanes_assign_late(struct rln__lanes *lanes, const struct rln__key *key,
                                uint64_t number, int64_t start_ns, int64_t end_ns,
                                uint32_t *group);
void rln__lanes_clear(struct rln__lanes *lanes);

#endif
