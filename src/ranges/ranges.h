/* SPDX-License-Identifier: Apache-2.0 */
/* ranges.h - what an iteration over ranges knows of its last event, for iterations that
 * are built on it. */
#ifndef RLN_RANGES_RANGES_H
#define RLN_RANGES_RANGES_H

#include "ranges/events.h"

/* The key of the range that the last event began or ended; 0 if it did neither, or if
 * the range's begin is unknown. */
uint64_t rln__events_key(rln_events *events, const rln_event *event);

/* RLN_END after the ranges that were left open. */
rln_status rln__ranges_step(rln_ranges *ranges, struct rln__step *step, rln_error *err);
rln_events *rln__ranges_events(rln_ranges *ranges);

/* The start of the range that the last event begins (a resumed one: its window's
 * opening), and what is known of it. */
int64_t rln__ranges_start(const rln_ranges *ranges);
void rln__ranges_begun(const rln_ranges *ranges, const rln_event *event,
                       rln_range *out);

/* What a range shares with an event: as one that begins and ends with it. */
static inline rln_range rln__range_of_event(const rln_event *event)
{
    return (rln_range){
        .flags = event->flags,
        .start_ns = event->t_ns,
        .end_ns = event->t_ns,
        .process = event->process,
        .thread = event->thread,
        .pid = event->pid,
        .tid = event->tid,
        .end_process = event->process,
        .end_thread = event->thread,
        .end_pid = event->pid,
        .end_tid = event->tid,
        .attributes = event->attributes,
        .payload_bits = event->payload_bits,
        .scope = event->scope,
    };
}

/* The filter's payload tests that the last range passes. */
rln_status rln__ranges_held(rln_ranges *ranges, const struct rln_filter *filter,
                            uint64_t *held, rln_error *err);

#endif
