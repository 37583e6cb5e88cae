/* SPDX-License-Identifier: Apache-2.0 */
/* ranges.c - the public iteration over ranges, built on that over events. */
#include "ranges/ranges.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "rangeline/values.h"
#include "ranges/event_fill.h"
#include "ranges/event_filter.h"
#include "ranges/events_state.h"

struct rln_ranges {
    rln_reader *reader; /* borrowed */
    rln_events *events; /* owned */
    rln_range range;
    int has_ended;
    size_t n_open, next_open;
    size_t n_locked, next_locked; /* of synchronization objects */
    /* Where the payloads of this range's begin and end are, if they have any. */
    struct rln__record_address addresses[2];
    struct rln__event_payloads decoded[2];
    rln_payload *payloads; /* owned: those of begin and end */
    size_t payloads_capacity;
    uint64_t key; /* struct rln__step's, like the next */
    uint32_t slot;
};

rln_status rln_ranges_open(rln_reader *reader, rln_ranges **out, rln_error *err)
{
    rln_ranges *r = rln__alloc(1, sizeof(*r));
    rln_status status;

    *out = NULL;
    if (!r)
        return rln__fail_nomem(err);
    r->reader = reader;
    status = rln__events_open_all(reader, &r->events, err);
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
    rln__events_close_all(r->events);
    for (size_t i = 0; i < 2; i++)
        rln__event_payloads_clear(&r->decoded[i]);
    rln__free(r->payloads);
    rln__free(r);
}

static void fill_thread(rln_ranges *r, uint32_t index)
{
    const struct rln__trace_thread *thread = &r->reader->threads[index];

    r->range.thread = index;
    r->range.tid = thread->tid;
    r->range.process = thread->process;
    r->range.pid = r->reader->names.processes[thread->process].record.pid;
}

/* Fills in the members known from the range's begin, except its attributes. */
static inline void fill_start(rln_ranges *r, const struct rln__open *open,
                              int is_started)
{
    const struct rln__event_origin origin = rln__events_began(r->events, open);

    r->range.style = is_started ? RLN_RANGE_START_END : RLN_RANGE_PUSH_POP;
    r->range.start_ns = open->t_ns;
    r->range.thread = origin.thread;
    r->range.tid = origin.tid;
    r->range.process = origin.process;
    r->range.pid = r->reader->names.processes[origin.process].record.pid;
    r->range.payload_bits = open->value;
    r->range.id = is_started ? open->id : 0;
    r->range.depth = open->depth;
}

/* That of a deferred range's begin. */
static rln_text scope_of(const rln_ranges *r, const struct rln__open *open)
{
    const struct rln__deferred_event *deferred = rln__events_deferred(r->events, open);

    return rln__strings_get(&r->reader->names.strings,
                            deferred ? deferred->scope_path : 0);
}

/* `end` may be NULL. */
static void fill_payloads(rln_ranges *r, const struct rln__open *begin,
                          const struct rln__record_address *end)
{
    r->addresses[0].n_payloads = r->addresses[1].n_payloads = 0;
    if (begin)
        rln__events_begin_address(r->events, begin, &r->addresses[0]);
    if (end && end->n_payloads)
        r->addresses[1] = *end;
    r->range.n_payloads = r->addresses[0].n_payloads + r->addresses[1].n_payloads;
}

/* Fills in the members known from the begin of a wait or hold. */
static void fill_unlocked(rln_ranges *r, const struct rln__sync_open *open)
{
    r->range.style = open->is_hold ? RLN_RANGE_HOLD : RLN_RANGE_WAIT;
    r->range.start_ns = open->t_ns;
    r->range.id = open->object;
    fill_thread(r, open->thread);
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
    static const rln_range_style styles[] = {
        [RLN_EVENT_POP] = RLN_RANGE_PUSH_POP,
        [RLN_EVENT_END] = RLN_RANGE_START_END,
        [RLN_EVENT_SYNC_GAVE_UP] = RLN_RANGE_WAIT,
        [RLN_EVENT_SYNC_RELEASING] = RLN_RANGE_HOLD,
        [RLN_EVENT_GPU] = RLN_RANGE_GPU,
        [RLN_EVENT_CALL] = RLN_RANGE_CALL,
    };

    r->range.style = styles[event->type];
    r->range.flags = event->flags;
    r->range.start_ns = event->t_ns;
    r->range.process = event->process;
    r->range.thread = event->thread;
    r->range.pid = event->pid;
    r->range.tid = event->tid;
    r->range.attributes = event->attributes;
    r->range.id = event->id;
    r->range.depth = event->depth;
    r->range.scope = event->scope;
}

/* --- Ranges left open ------------------------------------------------------------- */

static void end_all(rln_ranges *r)
{
    if (r->has_ended)
        return;
    r->n_open = rln__events_end_all(r->events);
    r->n_locked = rln__syncs_drain(rln__events_syncs(r->events));
    r->has_ended = 1;
}

static void fill_open(rln_ranges *r, const struct rln__open *open)
{
    fill_start(r, open, open->state & RLN__STARTED);
    rln__fill_attributes(r->reader, open->attr, open->has_value, &r->range.attributes);
    fill_payloads(r, open, NULL);
    if (open->state & RLN__LOST)
        r->range.flags |= RLN_FLAG_LOST;
    if (open->state & RLN__RESUMED)
        r->range.flags |= RLN_FLAG_RESUMED;
    if (open->node)
        r->range.flags |= RLN_FLAG_DEFERRED;
    r->range.scope = scope_of(r, open);
    r->range.end_ns = rln__events_end_of(r->events, open);
    r->key = rln__range_key(open->order);
    r->slot = open->below;
}

static rln_status fill_locked(rln_ranges *r, const struct rln__sync_open *locked,
                              rln_error *err)
{
    r->key = 0;
    fill_unlocked(r, locked);
    fill_payloads(r, NULL, NULL);
    r->range.end_ns =
        rln__events_end_of_open(r->events, r->range.process, r->range.start_ns);
    return rln__fill_object(r->reader, locked->process, locked->object, UINT64_MAX,
                            &r->range.attributes, err);
}

/* By the time of their begins. */
static rln_status next_open(rln_ranges *r, const rln_range **out, rln_error *err)
{
    const struct rln__sync_open *locked = NULL;
    const struct rln__open *open = NULL;
    rln_status status = RLN_OK;

    end_all(r);
    if (r->next_open < r->n_open)
        open = &rln__events_pairing(r->events)->pool[r->next_open];
    if (r->next_locked < r->n_locked)
        locked = &rln__events_syncs(r->events)->pool[r->next_locked];
    if (!open && !locked)
        return RLN_END;
    memset(&r->range, 0, sizeof(r->range));
    r->range.flags = RLN_FLAG_OPEN;
    if (open && (!locked || open->t_ns <= locked->t_ns)) {
        r->next_open++;
        fill_open(r, open);
    } else {
        r->next_locked++;
        status = fill_locked(r, locked, err);
    }
    r->range.end_process = r->range.process;
    r->range.end_thread = r->range.thread;
    r->range.end_pid = r->range.pid;
    r->range.end_tid = r->range.tid;
    *out = status ? NULL : &r->range;
    return status;
}

static int is_open_in_window(const rln_ranges *r)
{
    const uint32_t part = r->reader->names.processes[r->range.process].part;

    return rln__span_has_range(rln__events_span(r->events), part, r->range.start_ns,
                               r->range.end_ns);
}

/* Whether an event ends a range, or should have ended one. */
static int is_end(rln_event_type type)
{
    return type == RLN_EVENT_POP || type == RLN_EVENT_END ||
           type == RLN_EVENT_SYNC_GAVE_UP || type == RLN_EVENT_SYNC_RELEASING;
}

/* GPU work and calls are whole: their events have both times. */
static const rln_range *whole_range(rln_ranges *r, const rln_event *event)
{
    memset(&r->range, 0, sizeof(r->range));
    fill_end(r, event);
    fill_end_only(r, event);
    r->range.end_ns = event->t_ns + event->duration_ns;
    r->addresses[0] = *rln__events_address(r->events);
    r->addresses[1].n_payloads = 0;
    r->range.n_payloads = r->addresses[0].n_payloads;
    return &r->range;
}

/* The wait or hold that an event ends, an end without a begin, or a whole range; NULL
 * if it is neither. */
static __attribute__((noinline)) const rln_range *ended_other(rln_ranges *r,
                                                              const rln_event *event)
{
    const struct rln__sync_open *unlocked = rln__events_unlocked(r->events);

    if (rln__is_gpu_event(event->type))
        return whole_range(r, event);
    if (!unlocked && !is_end(event->type))
        return NULL;
    memset(&r->range, 0, sizeof(r->range));
    fill_end(r, event);
    fill_payloads(r, NULL, rln__events_address(r->events));
    if (!unlocked) {
        fill_end_only(r, event);
        return &r->range;
    }
    fill_unlocked(r, unlocked);
    r->range.attributes = event->attributes;
    r->range.flags = event->type == RLN_EVENT_SYNC_GAVE_UP ? RLN_FLAG_GAVE_UP : 0;
    return &r->range;
}

/* The range that an event ends; NULL if none. For what most events end, each member is
 * written once. */
static inline const rln_range *ended_by(rln_ranges *r, const rln_event *event)
{
    const struct rln_events *e = r->events;
    const struct rln__open *closed = e->closed;

    r->key = 0;
    if (!closed)
        return event->type <= RLN_EVENT_PUSH ? NULL : ended_other(r, event);
    fill_start(r, closed, event->type == RLN_EVENT_END);
    fill_end(r, event);
    r->range.flags =
        event->flags & (RLN_FLAG_DEFERRED | RLN_FLAG_UNPLACED | RLN_FLAG_RESUMED);
    r->range.attributes = event->attributes;
    r->range.scope = closed->node ? scope_of(r, closed) : (rln_text){NULL, 0};
    r->key = rln__range_key(closed->order);
    r->slot = e->slot;
    if (e->closed_begin || closed->node || e->address.n_payloads)
        fill_payloads(r, closed, &e->address);
    else
        r->addresses[0].n_payloads = r->addresses[1].n_payloads = r->range.n_payloads =
            0;
    return &r->range;
}

/* For readers with a filter. */
static rln_status test_filter(rln_ranges *r, int *matches, rln_error *err)
{
    const struct rln_filter *filter = r->reader->filter;
    const rln_range *range = &r->range;
    uint64_t held = 0;
    rln_status status = RLN_OK;

    *matches = rln__filter_has_duration(filter, range->end_ns - range->start_ns) &&
               rln__filter_has(filter, r->reader, &range->attributes, range->process,
                               range->thread);
    if (*matches && rln__filter_has_payload_tests(filter)) {
        status = rln__ranges_held(r, filter, &held, err);
        *matches = !status && rln__payload_matches(&filter->payload, held);
    }
    return status;
}

static inline rln_status matches_now(rln_ranges *r, int *matches, rln_error *err)
{
    *matches = 1;
    return r->reader->filter ? test_filter(r, matches, err) : RLN_OK;
}

rln_status rln_ranges_next(rln_ranges *r, const rln_range **out, rln_error *err)
{
    const rln_event *event;
    int matches = 0;
    rln_status status;

    *out = NULL;
    while ((status = rln__events_next_all(r->events, &event, err)) == RLN_OK) {
        *out = ended_by(r, event);
        if (*out)
            status = matches_now(r, &matches, err);
        if (status || (*out && matches))
            return status;
    }
    while (status == RLN_END && (status = next_open(r, out, err)) == RLN_OK) {
        matches = 0;
        if (is_open_in_window(r))
            status = matches_now(r, &matches, err);
        if (status || matches)
            return status;
        *out = NULL;
        status = RLN_END;
    }
    return status;
}

/* --- Inside the library ----------------------------------------------------------- */

/* Whether an event begins a range. */
static inline int begins(const rln_event *event)
{
    return event->type == RLN_EVENT_PUSH || event->type == RLN_EVENT_START ||
           event->type == RLN_EVENT_RESUMED;
}

static inline uint64_t key_of_begun(const rln_events *e)
{
    return rln__range_key(e->engine.pairing.pool[e->slot].order);
}

uint64_t rln__events_key(rln_events *e, const rln_event *event)
{
    if (begins(event))
        return key_of_begun(e);
    return e->closed ? rln__range_key(e->closed->order) : 0;
}

rln_status rln__ranges_step(rln_ranges *r, struct rln__step *step, rln_error *err)
{
    rln_status status = RLN_END;

    step->event = NULL;
    step->range = NULL;
    if (!r->has_ended)
        status = rln__events_next_all(r->events, &step->event, err);
    if (!status && begins(step->event)) {
        r->key = key_of_begun(r->events);
        r->slot = r->events->slot;
    } else if (!status) {
        step->range = ended_by(r, step->event);
    } else if (status == RLN_END) {
        status = next_open(r, &step->range, err);
    }
    step->key = r->key;
    step->slot = r->slot;
    return status;
}

rln_events *rln__ranges_events(rln_ranges *r)
{
    return r->events;
}

rln_status rln__ranges_held(rln_ranges *r, const struct rln_filter *filter,
                            uint64_t *held, rln_error *err)
{
    rln_status status = RLN_OK;

    *held = rln__payload_held(&filter->payload, r->range.attributes.payload_type,
                              r->range.payload_bits);
    for (size_t i = 0; i < 2 && !status; i++)
        status = rln__filter_test_payloads(filter, &r->decoded[i], r->reader,
                                           &r->addresses[i], held, err);
    return status;
}

int64_t rln__ranges_start(const rln_ranges *r)
{
    return r->events->engine.pairing.pool[r->slot].t_ns;
}

void rln__ranges_begun(const rln_ranges *r, const rln_event *event, rln_range *out)
{
    *out = rln__range_of_event(event);
    out->style = event->id ? RLN_RANGE_START_END : RLN_RANGE_PUSH_POP;
    out->flags &= ~(uint32_t)RLN_FLAG_UNKNOWN_NAME;
    out->start_ns = rln__ranges_start(r);
    out->id = event->id;
    out->depth = event->depth;
    out->flags |= event->type == RLN_EVENT_RESUMED ? RLN_FLAG_RESUMED : 0;
}

rln_status rln_ranges_payloads(rln_ranges *r, const rln_payload **out, size_t *n,
                               rln_error *err)
{
    rln_payload *payloads;
    size_t n_all = 0;

    *out = NULL;
    *n = 0;
    for (size_t i = 0; i < 2; i++) {
        rln_status status =
            rln__event_payloads_read(&r->decoded[i], r->reader, &r->addresses[i], err);

        if (status)
            return status;
        n_all += r->decoded[i].decoder.n_payloads;
    }
    if (!n_all)
        return RLN_OK;
    payloads = rln__grow(r->payloads, &r->payloads_capacity, n_all, sizeof(*payloads));
    if (!payloads)
        return rln__fail_nomem(err);
    r->payloads = payloads;
    for (size_t i = 0; i < 2; i++) {
        const struct rln__decoder *d = &r->decoded[i].decoder;

        if (d->n_payloads)
            memcpy(payloads + *n, d->payloads, d->n_payloads * sizeof(*payloads));
        *n += d->n_payloads;
    }
    *out = payloads;
    return RLN_OK;
}
