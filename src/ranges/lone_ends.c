/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/lone_ends.h"

#include "base/alloc.h"
#include "ranges/events.h"

static uint64_t id_of(const struct rln__lone_end *end)
{
    return rln__range_id(end->merged.part, end->item.value);
}

int rln__lone_ends_wait(struct rln__lone_ends *lone, const struct rln__merged *end)
{
    struct rln__lone_end *item =
        rln__append(&lone->items, &lone->n, &lone->capacity, sizeof(*item));
    uint64_t id;

    if (!item)
        return -1;
    *item = (struct rln__lone_end){*end, *end->item, 0};
    id = id_of(item);
    return rln__map_get(&lone->by_id, id) ? 0 : rln__map_put(&lone->by_id, id, lone->n);
}

/* A start that comes later does not end here. */
static void forget_id(struct rln__lone_ends *lone, const struct rln__lone_end *end)
{
    const uint64_t id = id_of(end);

    if (rln__map_get(&lone->by_id, id) == (uint64_t)(end - lone->items) + 1)
        (void)rln__map_remove(&lone->by_id, id);
}

/* An end that no longer waits: its start has come, or time has passed it. */
static const struct rln__merged *take(struct rln__lone_ends *lone)
{
    struct rln__lone_end *end;

    while (lone->first < lone->n && lone->items[lone->first].is_taken)
        lone->first++;
    if (lone->first == lone->n) {
        lone->n = lone->first = 0;
        if (lone->by_id.n)
            rln__map_clear(&lone->by_id);
        return NULL;
    }
    end = &lone->items[lone->started ? lone->started - 1 : lone->first];
    if (!lone->started && lone->next_status == RLN_OK &&
        lone->next.t_ns <= end->merged.t_ns)
        return NULL;
    if (!lone->started)
        forget_id(lone, end);
    lone->started = 0;
    end->is_taken = 1;
    lone->last = *end;
    lone->last.merged.item = &lone->last.item;
    return &lone->last.merged;
}

rln_status rln__lone_ends_next(struct rln__lone_ends *lone, struct rln__merge *merge,
                               struct rln__merged *out, rln_error *err)
{
    const struct rln__merged *end;

    if (!lone->has_next)
        lone->next_status = rln__merge_next(merge, &lone->next, err);
    end =
        lone->next_status == RLN_OK || lone->next_status == RLN_END ? take(lone) : NULL;
    lone->is_last = end != NULL;
    lone->has_next = end != NULL;
    *out = end ? *end : lone->next;
    return end ? RLN_OK : lone->next_status;
}

void rln__lone_ends_clear(struct rln__lone_ends *lone)
{
    rln__free(lone->items);
    rln__map_clear(&lone->by_id);
}
