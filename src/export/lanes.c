/* SPDX-License-Identifier: Apache-2.0 */
#include "export/lanes.h"
#include "base/alloc.h"

#include <string.h>

/* 1 if it was put there, 0 if it does not fit, -1 when there is no memory. */
static int put(struct rln__export_lane *lane, int64_t start_ns,
               struct rln__lane_range range, int is_flat)
{
    struct rln__lane_range *added;

    if (start_ns < lane->newest_ns)
        return 0;
    while (lane->n && lane->ranges[lane->n - 1].end_ns <= start_ns)
        lane->n--;
    if (lane->n && (is_flat || lane->ranges[lane->n - 1].end_ns < range.end_ns))
        return 0;
    added = rln__append(&lane->ranges, &lane->n, &lane->capacity, sizeof(*added));
    if (!added)
        return -1;
    *added = range;
    lane->newest_ns = start_ns;
    if (!range.number && lane->last_ns < range.end_ns)
        lane->last_ns = range.end_ns;
    return 1;
}

static struct rln__lane_group *group_of(struct rln__lanes *l,
                                        const struct rln__key *key, uint32_t *number)
{
    *number = rln__key_index_number(&l->keys, key);
    return rln__key_index_item(&l->groups, &l->n, &l->capacity, *number,
                               sizeof(*l->groups));
}

/* UINT32_MAX when there is no memory. */
static uint32_t add_lane(struct rln__lane_group *g, int64_t start_ns,
                         struct rln__lane_range range)
{
    struct rln__export_lane *lanes =
        rln__grow(g->lanes, &g->capacity, g->n + 1, sizeof(*lanes));

    if (!lanes)
        return UINT32_MAX;
    g->lanes = lanes;
    lanes[g->n] =
        (struct rln__export_lane){.newest_ns = INT64_MIN, .last_ns = INT64_MIN};
    return put(&lanes[g->n], start_ns, range, 0) < 0 ? UINT32_MAX : (uint32_t)g->n++;
}

/* The first lane in which a range fits. */
static uint32_t find_lane(struct rln__lanes *l, struct rln__lane_group *g,
                          int64_t start_ns, struct rln__lane_range range)
{
    for (uint32_t i = 0; i < g->n; i++) {
        const int is_put = put(&g->lanes[i], start_ns, range, l->is_flat);

        if (is_put)
            return is_put < 0 ? UINT32_MAX : i;
    }
    return add_lane(g, start_ns, range);
}
uint32_t rln__lanes_assign(struct rln__lanes *l, const struct rln__key *key,
                           int64_t start_ns, int64_t end_ns, uint32_t *group)
{
    struct rln__lane_group *g = group_of(l, key, group);

    return g ? find_lane(l, g, start_ns, (struct rln__lane_range){end_ns, 0})
             : UINT32_MAX;
}

int rln__lanes_keep(struct rln__lanes *l, const struct rln__key *key, int64_t start_ns,
                    uint64_t number)
{
    uint32_t group;
    struct rln__lane_group *g = group_of(l, key, &group);

    return !g || find_lane(l, g, start_ns,
                           (struct rln__lane_range){INT64_MAX, number}) == UINT32_MAX
               ? -1
               : 0;
}

/* Whether the range at `at` encloses all that are still kept room above it. */
static int encloses(const struct rln__export_lane *lane, size_t at)
{
    for (size_t i = at + 1; i < lane->n; i++)
        if (lane->ranges[i].number)
            return 0;
    return 1;
}

/* Whether the kept range ends in this lane. If not, its room is free again. */
static int settle(struct rln__export_lane *lane, uint64_t number, int64_t end_ns)
{
    size_t at = 0;

    while (at < lane->n && lane->ranges[at].number != number)
        at++;
    if (at == lane->n)
        return 0;
    if (encloses(lane, at)) {
        lane->ranges[at] = (struct rln__lane_range){end_ns, 0};
        lane->last_ns = end_ns > lane->last_ns ? end_ns : lane->last_ns;
        return 1;
    }
    lane->n--;
    memmove(&lane->ranges[at], &lane->ranges[at + 1],
            (lane->n - at) * sizeof(*lane->ranges));
    return 0;
}

uint32_t rln__lanes_assign_late(struct rln__lanes *l, const struct rln__key *key,
                                uint64_t number, int64_t start_ns, int64_t end_ns,
                                uint32_t *group)
{
    const struct rln__lane_range range = {end_ns, 0};
    struct rln__lane_group *g = group_of(l, key, group);

    for (uint32_t i = 0; g && i < g->n; i++)
        if (settle(&g->lanes[i], number, end_ns))
            return i;
    for (uint32_t i = 0; g && i < g->n; i++) {
        const int is_put =
            g->lanes[i].last_ns <= start_ns ? put(&g->lanes[i], start_ns, range, 1) : 0;

        if (is_put)
            return is_put < 0 ? UINT32_MAX : i;
    }
    return g ? add_lane(g, start_ns, range) : UINT32_MAX;
}

void rln__lanes_clear(struct rln__lanes *l)
{
    for (size_t i = 0; i < l->n; i++) {
        for (size_t j = 0; j < l->groups[i].n; j++)
            rln__free(l->groups[i].lanes[j].ranges);
        rln__free(l->groups[i].lanes);
    }
    rln__free(l->groups);
    rln__key_index_clear(&l->keys);
    memset(l, 0, sizeof(*l));
}
