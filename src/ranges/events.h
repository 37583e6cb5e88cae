/* SPDX-License-Identifier: Apache-2.0 */
/* events.h - declarations shared by the iterations over events and ranges. */
#ifndef RLN_RANGES_EVENTS_H
#define RLN_RANGES_EVENTS_H

#include "rangeline/model.h"
#include "ranges/locks.h"
#include "ranges/pair.h"
#include "trace/decode/deferred_events.h"
#include "trace/decode/event_payloads.h"
#include "trace/open/load.h"

/* Whether a program recorded the event at that time; rln_totals.n_events counts
 * these. */
static inline int rln__is_program_event(rln_event_type type)
{
    return type <= RLN_EVENT_END ||
           (type >= RLN_EVENT_SAMPLE && type <= RLN_EVENT_SYNC_RELEASING) ||
           type == RLN_EVENT_MEMORY;
}

/* Whether it is GPU work or a call: an event with an end of its own. */
static inline int rln__is_gpu_event(rln_event_type type)
{
    return type == RLN_EVENT_GPU || type == RLN_EVENT_CALL;
}

/* The range that the last event closed, or NULL, and the ranges that are still open:
 * those of deferred events, too, with lanes in place of threads. */
const struct rln__open *rln__events_closed(const rln_events *events);
const struct rln__pairing *rln__events_pairing(const rln_events *events);

/* After the last event: the number of ranges left open, which are now the first ones of
 * the pool, in the order of their begins; and when one of them ends. */
size_t rln__events_end_all(rln_events *events);
int64_t rln__events_end_of(const rln_events *events, const struct rln__open *open);

/* The range that the last event began, and the thread's newest range before it; NULL if
 * there was none. */
const struct rln__open *rln__events_begun(const rln_events *events,
                                          const struct rln__open **older);

/* Yields all events from now on, whatever window is selected. */
void rln__events_ignore_window(rln_events *events);

/* The share of chunks that have been begun, 0 to 1. */
double rln__events_progress(const rln_events *events);

/* The end of a range that a process began at `start_ns` and left open: the last event
 * of its trace, in any window. */
int64_t rln__events_end_of_open(const rln_events *events, uint32_t process,
                                int64_t start_ns);

/* The selected window, or the whole trace. */
const struct rln__span *rln__events_span(const rln_events *events);

/* The process, thread and tid of a range's begin. */
struct rln__event_origin rln__events_origin(rln_events *events,
                                            const struct rln__open *range);

/* The records with the payloads of a range's begin (`*out` is unchanged if it has
 * none), and of the last event. */
void rln__events_begin_address(const rln_events *events, const struct rln__open *range,
                               struct rln__record_address *out);
const struct rln__record_address *rln__events_address(const rln_events *events);

/* Like rln__events_closed() and rln__events_pairing(), for synchronization objects. */
const struct rln__sync_open *rln__events_unlocked(const rln_events *events);
struct rln__syncs *rln__events_syncs(rln_events *events);

/* Identifies a range among all that begin in the same iteration, by its `order`; never
 * 0. */
static inline uint64_t rln__range_key(uint64_t order)
{
    return order + 1;
}

/* --- Ranges ----------------------------------------------------------------------- */

/* One step of an iteration over ranges. */
struct rln__step {
    const rln_event *event; /* NULL after the last */
    const rln_range *range; /* that it ends; after the last, one left open; or NULL */
    uint64_t key; /* of the range it begins or ends; 0: neither, or begin unknown */
    /* The range's index among the open ones: a small number that no two ranges open at
     * the same time share. */
    size_t slot;
};

/* A range as it counts: clipped to the time that is read. */
static inline rln_range rln__range_inside(const rln_reader *reader,
                                          const rln_range *range)
{
    rln_range inside = *range;

    inside.start_ns = rln__span_clip(&reader->span, range->start_ns);
    inside.end_ns = rln__span_clip(&reader->span, range->end_ns);
    return inside;
}

/* Like rln_events_open(), rln_events_next() and rln_events_close(), but whatever the
 * filter is. */
rln_status rln__events_open_all(rln_reader *reader, rln_events **out, rln_error *err);
rln_status rln__events_next_all(rln_events *events, const rln_event **out,
                                rln_error *err);
void rln__events_close_all(rln_events *events);

#endif
