/* SPDX-License-Identifier: Apache-2.0 */
#include "export/lanes.h"
#include "base/alloc.h"

#include <string.h>

/* A range to put; `number` is 0 if its end is known. */
struct coming {
    int64_t start_ns, end_ns;
    uint64_t number;
};

static int keep(struct rln__export_lane *lane, uint64_t number, size_t at)
{
    struct rln__lane_kept *kept =
        rln__append(&lane->kept, &lane->n_kept, &lane->kept_capacity, sizeof(*kept));

    if (!kept)
        return -1;
    *kept = (struct rln__lane_kept){number, at, 0};
    return 0;
}

/* 1 if it was put there, 0 if it does not fit, -1 when there is no memory. */
static int put(struct rln__export_lane *lane, const struct coming *range, int is_flat)
{
    int64_t *end_ns;

    if (range->start_ns < lane->newest_ns)
        return 0;
    while (lane->n && lane->ends_ns[lane->n - 1] <= range->start_ns)
        lane->n--;
    if (lane->n && (is_flat || lane->ends_ns[lane->n - 1] < range->end_ns))
        return 0;
    end_ns = rln__append(&lane->ends_ns, &lane->n, &lane->capacity, sizeof(*end_ns));
    if (!end_ns || (range->number && keep(lane, range->number, lane->n - 1)))
        return -1;
    *end_ns = range->end_ns;
    lane->newest_ns = range->start_ns;
    if (!range->number && lane->last_ns < range->end_ns)
        lane->last_ns = range->end_ns;
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
static uint32_t add_lane(struct rln__lane_group *g, const struct coming *range)
{
    struct rln__export_lane *lanes =
        rln__grow(g->lanes, &g->capacity, g->n + 1, sizeof(*lanes));

    if (!lanes)
        return UINT32_MAX;
    g->lanes = lanes;
    lanes[g->n] =
        (struct rln__export_lane){.newest_ns = INT64_MIN, .last_ns = INT64_MIN};
    return put(&lanes[g->n], range, 0) < 0 ? UINT32_MAX : (uint32_t)g->n++;
}

/* The first lane in which a range fits. */
static uint32_t find_lane(struct rln__lanes *l, struct rln__lane_group *g,
                          const struct coming *range)
{
    for (uint32_t i = 0; i < g->n; i++) {
        const int is_put = put(&g->lanes[i], range, l->is_flat);

        if (is_put)
            return is_put < 0 ? UINT32_MAX : i;
    }
    return add_lane(g, range);
}

uint32_t rln__lanes_assign(struct rln__lanes *l, const struct rln__key *key,
                           int64_t start_ns, int64_t end_ns, uint32_t *group)
{
    struct rln__lane_group *g = group_of(l, key, group);

    return g ? find_lane(l, g, &(struct coming){start_ns, end_ns, 0}) : UINT32_MAX;
}

int rln__lanes_keep(struct rln__lanes *l, const struct rln__key *key, int64_t start_ns,
                    uint64_t number)
{
    const struct coming range = {start_ns, INT64_MAX, number};
    uint32_t group;
    struct rln__lane_group *g = group_of(l, key, &group);

    return !g || find_lane(l, g, &range) == UINT32_MAX ? -1 : 0;
}

/* The index of a kept range, or of the first with a larger number. */
static size_t find_kept(const struct rln__export_lane *lane, uint64_t number)
{
    size_t low = 0, high = lane->n_kept;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (lane->kept[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void remove_range(struct rln__export_lane *lane, size_t kept)
{
    const size_t at = lane->kept[kept].at;

    lane->n--;
    memmove(&lane->ends_ns[at], &lane->ends_ns[at + 1],
            (lane->n - at) * sizeof(*lane->ends_ns));
    lane->n_kept--;
    memmove(&lane->kept[kept], &lane->kept[kept + 1],
            (lane->n_kept - kept) * sizeof(*lane->kept));
    for (size_t i = kept; i < lane->n_kept; i++)
        lane->kept[i].at--;
}

/* Whether the kept range ends in this lane. If not, its room is free again. One that is
 * never closed encloses all that began in it. */
static int settle(struct rln__export_lane *lane, uint64_t number, int64_t end_ns)
{
    const size_t i = find_kept(lane, number);

    if (i == lane->n_kept || lane->kept[i].number != number)
        return 0;
    if (i + 1 < lane->n_kept && end_ns != INT64_MAX) {
        remove_range(lane, i);
        return 0;
    }
    lane->ends_ns[lane->kept[i].at] = end_ns;
    lane->last_ns = end_ns > lane->last_ns ? end_ns : lane->last_ns;
    lane->kept[i].is_over = 1;
    while (lane->n_kept && lane->kept[lane->n_kept - 1].is_over)
        lane->n_kept--;
    return 1;
}

uint32_t rln__lanes_assign_late(struct rln__lanes *l, const struct rln__key *key,
                                uint64_t number, int64_t start_ns, int64_t end_ns,
                                uint32_t *group)
{
    const struct coming range = {start_ns, end_ns, 0};
    struct rln__lane_group *g = group_of(l, key, group);

    for (uint32_t i = 0; g && i < g->n; i++)
        if (settle(&g->lanes[i], number, end_ns))
            return i;
    for (uint32_t i = 0; g && i < g->n; i++) {
        const int is_put =
            g->lanes[i].last_ns <= start_ns ? put(&g->lanes[i], &range, 1) : 0;

        if (is_put)
            return is_put < 0 ? UINT32_MAX : i;
    }
    return g ? add_lane(g, &range) : UINT32_MAX;
}

void rln__lanes_clear(struct rln__lanes *l)
{
    for (size_t i = 0; i < l->n; i++) {
        for (size_t j = 0; j < l->groups[i].n; j++) {
            rln__free(l->groups[i].lanes[j].ends_ns);
            rln__free(l->groups[i].lanes[j].kept);
        }
        rln__free(l->groups[i].lanes);
    }
    rln__free(l->groups);
    rln__key_index_clear(&l->keys);
    memset(l, 0, sizeof(*l));
}
