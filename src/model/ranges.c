/* SPDX-License-Identifier: Apache-2.0 */
/* ranges.c - the public iteration over ranges, made of that over events. */
#include "base/alloc.h"
#include "base/fail.h"
#include "model/events.h"

#include <string.h>

struct rln_ranges {
    rln_reader *reader; /* borrowed */
    rln_events *events; /* owned */
    rln_range range;
    int64_t last_ns; /* when the last event was */
    int has_drained;
    size_t n_open, next_open;
};

rln_status rln_ranges_open(rln_reader *reader, rln_ranges **out, rln_error *err)
{
    rln_ranges *r = rln__alloc(1, sizeof(*r));
    rln_status status;

    *out = NULL;
    if (!r)
        return rln__fail_nomem(err);
    r->reader = reader;
    r->last_ns = INT64_MIN;
    status = rln_events_open(reader, &r->events, err);
    if (status) {
        rln__free(r);
        return status;
    }
    *out = r;
    return RLN_OK;
}

void rln_ranges_close(rln_ranges *r)
{
    if (!r)
        return;
    rln_events_close(r->events);
    rln__free(r);
}

/* What is known from where the range began. */
static void fill_start(rln_ranges *r, const struct rln__open *open)
{
    const struct rln__thread *thread = &r->reader->threads[open->thread];

    r->range.style = open->id ? RLN_RANGE_START_END : RLN_RANGE_PUSH_POP;
    r->range.start_ns = open->t_ns;
    r->range.thread = open->thread;
    r->range.tid = thread->tid;
    r->range.process = thread->process;
    r->range.pid = r->reader->names.processes[thread->process].record.pid;
    r->range.payload_bits = open->value;
    r->range.id = open->id;
    r->range.depth = open->depth;
    rln__fill_attributes(r->reader, open->attr, open->has_value, &r->range.with);
}

static void fill_end(rln_ranges *r, const rln_event *event)
{
    r->range.end_ns = event->t_ns;
    r->range.end_process = event->process;
    r->range.end_thread = event->thread;
    r->range.end_pid = event->pid;
    r->range.end_tid = event->tid;
}

static void fill_end_only(rln_ranges *r, const rln_event *event)
{
    r->range.style =
        event->type == RLN_EVENT_POP ? RLN_RANGE_PUSH_POP : RLN_RANGE_START_END;
    r->range.flags = event->flags;
    r->range.start_ns = event->t_ns;
    r->range.process = event->process;
    r->range.thread = event->thread;
    r->range.pid = event->pid;
    r->range.tid = event->tid;
    r->range.with = event->with;
    r->range.id = event->id;
    r->range.depth = event->depth;
}

static rln_status next_open(rln_ranges *r, const rln_range **out)
{
    struct rln__pairing *pairing = rln__events_pairing(r->events);
    const struct rln__open *open;

    if (!r->has_drained) {
        r->n_open = rln__pairing_drain(pairing);
        r->has_drained = 1;
    }
    if (r->next_open == r->n_open)
        return RLN_END;
    open = &pairing->pool[r->next_open++];
    memset(&r->range, 0, sizeof(r->range));
    fill_start(r, open);
    r->range.flags =
        open->state == RLN__LOST ? RLN_FLAG_OPEN | RLN_FLAG_LOST : RLN_FLAG_OPEN;
    r->range.end_ns = r->last_ns > open->t_ns ? r->last_ns : open->t_ns;
    r->range.end_process = r->range.process;
    r->range.end_thread = r->range.thread;
    r->range.end_pid = r->range.pid;
    r->range.end_tid = r->range.tid;
    *out = &r->range;
    return RLN_OK;
}

rln_status rln_ranges_next(rln_ranges *r, const rln_range **out, rln_error *err)
{
    const rln_event *event;
    rln_status status;

    *out = NULL;
    while ((status = rln_events_next(r->events, &event, err)) == RLN_OK) {
        const struct rln__open *closed = rln__events_closed(r->events);

        if (event->type <= RLN_EVENT_END && event->t_ns > r->last_ns)
            r->last_ns = event->t_ns;
        if (event->type != RLN_EVENT_POP && event->type != RLN_EVENT_END)
            continue;
        memset(&r->range, 0, sizeof(r->range));
        fill_end(r, event);
        if (closed)
            fill_start(r, closed);
        else
            fill_end_only(r, event);
        *out = &r->range;
        return RLN_OK;
    }
    return status == RLN_END ? next_open(r, out) : status;
}
