/* SPDX-License-Identifier: Apache-2.0 */
/* events.h - what the iterations over events and ranges share. */
#ifndef RLN_MODEL_EVENTS_H
#define RLN_MODEL_EVENTS_H

#include "model/event_payloads.h"
#include "model/load.h"
#include "model/locks.h"
#include "model/pair.h"
#include "model/past_events.h"
#include "rangeline/model.h"

/* Range ids of several parts are told apart by the part, above every possible offset.
 */
#define RLN__PART_SHIFT 48

static inline uint64_t rln__range_id(uint32_t part, uint64_t id)
{
    return id ^ ((uint64_t)part << RLN__PART_SHIFT);
}

/* The id of the range that a START begins. */
static inline uint64_t rln__start_id(const rln_reader *reader, uint32_t part,
                                     const struct rln__item *start)
{
    const struct rln__part *p = &reader->layout.parts[part];

    return rln__range_id(part, p->super.newest.buffer_bytes
                                   ? rln__newest_start_id(reader, part, start)
                                   : (start->offset - p->offset) / 8);
}

/* What a program said at that time: what rln_totals.n_events counts. */
static inline int rln__is_said(rln_event_type type)
{
    return type <= RLN_EVENT_END ||
           (type >= RLN_EVENT_SAMPLE && type <= RLN_EVENT_SYNC_RELEASING) ||
           type == RLN_EVENT_MEMORY;
}

void rln__fill_attributes(const rln_reader *reader, uint32_t attr, int has_value,
                          rln_attributes *out);

/* The iteration's own view of the last event: the range that it closed, and what is
 * still open. */
const struct rln__open *rln__events_closed(const rln_events *events);
struct rln__pairing *rln__events_pairing(rln_events *events);

/* The range that the last event began, and what was the newest on its stack before;
 * NULL if that was empty. */
const struct rln__open *rln__events_begun(const rln_events *events,
                                          const rln_event *event,
                                          const struct rln__open **older);

/* Hands out all from now on, whatever window is selected. */
void rln__events_ignore_window(rln_events *events);

/* How much of the traces has been begun, 0 to 1. */
double rln__events_progress(const rln_events *events);

/* The end of what a process began at `start_ns` and is still open: the last event of
 * its trace, whatever window that is of. */
int64_t rln__events_end_of_open(const rln_events *events, uint32_t process,
                                int64_t start_ns);

/* What is handed out. */
const struct rln__span *rln__events_span(const rln_events *events);

/* Deferred events have stacks of their own. */
struct rln__pairing *rln__events_lanes(rln_events *events);

/* Where a range began. */
struct rln__whose rln__events_whose(rln_events *events, const struct rln__open *open);

/* Where the payloads of a range's begin are, if it has any; and those of the last
 * event. */
void rln__events_begin_place(const rln_events *events, const struct rln__open *open,
                             struct rln__event_place *out);
const struct rln__event_place *rln__events_place(const rln_events *events);

/* The same for synchronisation objects. */
const struct rln__sync_open *rln__events_unlocked(const rln_events *events);
struct rln__syncs *rln__events_syncs(rln_events *events);

/* Name and domain of such an object; all zero where the trace does not say. */
rln_status rln__fill_object(rln_reader *reader, uint32_t process, uint32_t object,
                            uint64_t ticks, rln_attributes *out, rln_error *err);

/* What a range is told apart by from all that are begun in the same iteration; never 0.
 */
static inline uint64_t rln__range_key(uint64_t order, unsigned is_deferred)
{
    return (order + 1) << 1 | (is_deferred != 0);
}

/* The key of the range that the last event began or ended; 0 if its beginning is not
 * known, or if it did neither. */
uint64_t rln__events_key(rln_events *events, const rln_event *event);

/* --- Ranges ----------------------------------------------------------------------- */

/* One step of an iteration over ranges. */
struct rln__step {
    const rln_event *event; /* NULL after the last */
    const rln_range *range; /* that it ends; after the last, that nobody closed; NULL */
    uint64_t key;           /* of the range that it begins or ends; 0: it does neither,
                             * or it is not known where the range began */
    /* Where that range lies among those that are open: no two that are open at the same
     * time have the same slot, and slots are small numbers. */
    size_t slot;
};

/* RLN_END after what nobody closed. */
rln_status rln__ranges_step(rln_ranges *ranges, struct rln__step *step, rln_error *err);
rln_events *rln__ranges_events(rln_ranges *ranges);

/* When the range began that the last event begins, and what is known of it. */
int64_t rln__ranges_start(const rln_ranges *ranges, const rln_event *event);
void rln__ranges_begun(const rln_ranges *ranges, const rln_event *event,
                       rln_range *out);

/* What counts of a range: its time inside of what is read. */
static inline rln_range rln__range_inside(const rln_reader *reader,
                                          const rln_range *range)
{
    rln_range inside = *range;

    inside.start_ns = rln__span_clip(&reader->span, range->start_ns);
    inside.end_ns = rln__span_clip(&reader->span, range->end_ns);
    return inside;
}

/* What of a filter's payload tests holds of the range that was handed out last. */
rln_status rln__ranges_held(rln_ranges *ranges, const struct rln_filter *filter,
                            uint64_t *held, rln_error *err);

#endif
