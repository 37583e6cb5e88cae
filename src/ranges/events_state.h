/* SPDX-License-Identifier: Apache-2.0 */
/* events_state.h - the state of an iteration over events; for events.c, event_fill.c
 * and ranges.c.
 *
 *   item --> is it plain? --yes--> events.c: members up to `n_lost` are written
 *                \
 *                 `------no---> everything is cleared, then event_fill.c or events.c
 *
 * A plain event is a mark, or begins or ends a range, and is described by its word and
 * attributes alone. Almost all are, so members that no plain event uses are cleared
 * only after an event that is not plain.
 */
#ifndef RLN_RANGES_EVENTS_STATE_H
#define RLN_RANGES_EVENTS_STATE_H

#include "ranges/counter_samples.h"
#include "ranges/engine.h"
#include "ranges/event_fill.h"
#include "ranges/heap_calls.h"
#include "ranges/lone_ends.h"
#include "trace/order/merge.h"

#include <string.h>

#define RLN__KNOWN_ATTRIBUTES 256u /* a power of two */

/* The attributes of `key`, with names: rln__events_attributes(). */
struct rln__known_attributes {
    uint64_t key; /* 0: unused */
    rln_attributes attributes;
};

/* A range that was open when a window opened. */
struct rln__resumed {
    uint32_t slot;
    uint32_t domain_id;
};

struct rln_events {
    rln_reader *reader; /* borrowed */
    /* Selects events; owned; NULL: all of them. */
    struct rln__range_prefilter *prefilter;
    struct rln__merge merge;
    struct rln__engine engine;
    const struct rln__merged *now; /* what is read; borrowed */
    rln_event event;
    int is_plain; /* `event` is: see above */
    /* The range that the last event closed, or NULL: no longer open, but in the pool.
     */
    const struct rln__open *closed;
    uint32_t slot;         /* of the range that the last event began or closed */
    struct rln__map begun; /* `order` of ranges with payloads -> where they begin */
    uint64_t closed_begin; /* its value for the range that the last event closed */
    struct rln__record_address address; /* of the last event */
    struct rln__event_payloads payloads;
    struct rln__counters counters;
    struct rln__memory_decoder memory;
    struct rln__syncs syncs;
    struct rln__sync_open
        unlocked; /* the wait or hold that the last event ended, if has_unlocked */
    int has_unlocked;
    struct rln__span span; /* yielded events */
    /* The ranges that a record `resumed` lists: one event each. */
    struct rln__resumed *resumed; /* owned */
    size_t n_resumed, next_resumed, resumed_capacity;
    struct rln__merged resuming; /* that record */
    struct rln__lone_ends lone;
    struct rln__known_attributes known[RLN__KNOWN_ATTRIBUTES];
};

/* rln__fill_attributes(), cached: most events have the attributes of a recent one. */
static inline const rln_attributes *rln__events_attributes(rln_events *e, uint32_t attr,
                                                           int has_value)
{
    const uint64_t key = ((uint64_t)attr << 1 | (has_value != 0)) + 1;
    struct rln__known_attributes *known = &e->known[key & (RLN__KNOWN_ATTRIBUTES - 1)];

    if (known->key != key) {
        rln__fill_attributes(e->reader, attr, has_value, &known->attributes);
        known->key = key;
    }
    return &known->attributes;
}

/* The deferred event that began a range; NULL if a call did. */
static inline const struct rln__deferred_event *
rln__events_deferred(const rln_events *e, const struct rln__open *open)
{
    return open->node ? &e->merge.deferred.events[open->node - 1] : NULL;
}

/* rln__events_origin() */
static inline struct rln__event_origin rln__events_began(rln_events *e,
                                                         const struct rln__open *open)
{
    const struct rln__deferred_event *deferred = rln__events_deferred(e, open);
    const struct rln__trace_thread *thread;

    if (deferred)
        return rln__deferred_origin(&e->merge.deferred, e->reader, deferred);
    thread = &e->reader->threads[open->thread];
    return (struct rln__event_origin){thread->process, open->thread, thread->tid};
}

/* --- event_fill.c: all of `e->event` but its time and thread is cleared ----------- */

#endif
