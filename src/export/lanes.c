/* SPDX-License-Identifier: Apache-2.0 */
#include "export/lanes.h"
#include "base/alloc.h"

#include <string.h>

/* 1 if it was put there, 0 if it does not fit, -1 when there is no memory. */
static int put(struct rln__export_lane *lane, int64_t start_ns, int64_t end_ns,
               int is_flat)
{
    int64_t *ends;

    while (lane->n && lane->ends[lane->n - 1] <= start_ns)
        lane->n--;
    if (lane->n && (is_flat || lane->ends[lane->n - 1] < end_ns))
        return 0;
    ends = rln__grow(lane->ends, &lane->capacity, lane->n + 1, sizeof(*ends));
    if (!ends)
        return -1;
    lane->ends = ends;
    ends[lane->n++] = end_ns;
    return 1;
}

static struct rln__lane_group *group_of(struct rln__lanes *l,
                                        const struct rln__key *key, uint32_t *number)
{
    *number = rln__key_index_number(&l->keys, key);
    return rln__key_index_item(&l->groups, &l->n, &l->capacity, *number,
                               sizeof(*l->groups));
}

uint32_t rln__lanes_place(struct rln__lanes *l, const struct rln__key *key,
                          int64_t start_ns, int64_t end_ns, uint32_t *group)
{
    struct rln__lane_group *g = group_of(l, key, group);
    struct rln__export_lane *lanes;

    if (!g)
        return UINT32_MAX;
    for (uint32_t i = 0; i < g->n; i++) {
        const int is_put = put(&g->lanes[i], start_ns, end_ns, l->is_flat);

        if (is_put)
            return is_put < 0 ? UINT32_MAX : i;
    }
    lanes = rln__grow(g->lanes, &g->capacity, g->n + 1, sizeof(*lanes));
    if (!lanes)
        return UINT32_MAX;
    g->lanes = lanes;
    memset(&lanes[g->n], 0, sizeof(*lanes));
    return put(&lanes[g->n], start_ns, end_ns, l->is_flat) < 0 ? UINT32_MAX
                                                               : (uint32_t)g->n++;
}

void rln__lanes_clear(struct rln__lanes *l)
{
    for (size_t i = 0; i < l->n; i++) {
        for (size_t j = 0; j < l->groups[i].n; j++)
            rln__free(l->groups[i].lanes[j].ends);
        rln__free(l->groups[i].lanes);
    }
    rln__free(l->groups);
    rln__key_index_clear(&l->keys);
    memset(l, 0, sizeof(*l));
}
