/* SPDX-License-Identifier: Apache-2.0 */
#include "record/during/last_switches.h"

#include "format/layout.h"

#define KIND_BITS 4

static unsigned kind_of(uint64_t value)
{
    return (unsigned)value & ((1u << KIND_BITS) - 1);
}

static uint64_t ticks_of(uint64_t value)
{
    return value >> KIND_BITS;
}

/* Rings are read one after the other: one that was read before may have had a later switch. */
static void note_switch(struct rln__last_switches *last, uint32_t tid, unsigned kind,
                        uint64_t ticks)
{
    if (ticks < ticks_of(rln__map_get(&last->by_tid, tid)))
        return;
    (void)rln__map_put(&last->by_tid, tid, ticks << KIND_BITS | kind);
    last->has_ended |= kind == RLN__SWITCH_ENDED;
}

void rln__last_switches_note(struct rln__last_switches *last,
                             const struct rln__ring_record *record, uint64_t ticks)
{
    if (record->kind == RLN__SUB_BORN)
        note_switch(last, record->tid, RLN__SWITCH_PREEMPTED, ticks);
    else if (record->kind != RLN__SUB_SWITCHES_LOST)
        note_switch(last, record->tid, record->kind, ticks);
    else if (record->tid)
        (void)rln__map_remove(&last->by_tid, record->tid);
    else if (ticks > last->lost_until)
        last->lost_until = ticks;
}

void rln__last_switches_forget_ended(struct rln__last_switches *last)
{
    const struct rln__map *map = &last->by_tid;

    for (size_t i = 0; last->has_ended && map->slots && i <= map->mask; i++)
        while (kind_of(map->slots[i].value) == RLN__SWITCH_ENDED)
            (void)rln__map_remove(&last->by_tid,
                                  map->slots[i].key); /* may move one here */
    last->has_ended = false;
}

bool rln__last_switches_next(const struct rln__last_switches *last, size_t *at,
                             struct rln__last_switch *out)
{
    const struct rln__map *map = &last->by_tid;

    for (; map->slots && *at <= map->mask; (*at)++) {
        const struct rln__slot *slot = &map->slots[*at];

        *out = (struct rln__last_switch){ticks_of(slot->value), kind_of(slot->value),
                                         (uint32_t)slot->key};
        if (!slot->value || out->ticks < last->lost_until)
            continue;
        (*at)++;
        return true;
    }
    return false;
}

void rln__last_switches_clear(struct rln__last_switches *last)
{
    rln__map_clear(&last->by_tid);
}
