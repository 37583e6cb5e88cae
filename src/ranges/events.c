/* SPDX-License-Identifier: Apache-2.0 */
/* events.c - the public iteration over events: merges, pairs, and spells names out. */
#include "base/alloc.h"
#include "base/fail.h"
#include "rangeline/payload.h"
#include "ranges/events_state.h"
#include "ranges/range_prefilter.h"

#include <stddef.h>

/* A bit for each kind of item that a plain event may have. */
#define PLAIN_KINDS                                                                    \
    (1u << RLN__MARK | 1u << RLN__PUSH | 1u << RLN__POP | 1u << RLN__START |           \
     1u << RLN__END)

rln_status rln_events_open(rln_reader *reader, rln_events **out, rln_error *err)
{
    rln_events *e = rln__alloc(1, sizeof(*e));
    rln_status status;

    *out = NULL;
    if (!e)
        return rln__fail_nomem(err);
    e->reader = reader;
    e->span = reader->span;
    rln__pairing_init(&e->pairing);
    rln__pairing_init(&e->lanes);
    rln__counters_init(&e->counters, reader);
    status = rln__part_ends_init(&e->part_ends, reader)
                 ? rln__fail_nomem(err)
                 : rln__merge_init(&e->merge, reader, err);
    if (status) {
        rln__part_ends_clear(&e->part_ends);
        rln__free(e);
        return status;
    }
    *out = e;
    return RLN_OK;
}

static rln_status choose(rln_events *e, rln_error *err)
{
    e->prefilter = rln__alloc(1, sizeof(*e->prefilter));
    return e->prefilter ? rln__range_prefilter_init(e->prefilter, e->reader,
                                                    e->reader->filter, err)
                        : rln__fail_nomem(err);
}

rln_status rln_events_open_filtered(rln_reader *reader, rln_events **out,
                                    rln_error *err)
{
    rln_status status = rln_events_open(reader, out, err);

    if (status || !reader->filter)
        return status;
    status = choose(*out, err);
    if (status) {
        rln_events_close(*out);
        *out = NULL;
    }
    return status;
}

void rln_events_close(rln_events *e)
{
    if (!e)
        return;
    if (e->prefilter)
        rln__range_prefilter_clear(e->prefilter);
    rln__free(e->prefilter);
    rln__merge_clear(&e->merge);
    rln__pairing_clear(&e->pairing);
    rln__pairing_clear(&e->lanes);
    rln__map_clear(&e->begun);
    rln__event_payloads_clear(&e->payloads);
    rln__syncs_clear(&e->syncs);
    rln__counters_clear(&e->counters);
    rln__memory_decoder_clear(&e->memory);
    rln__part_ends_clear(&e->part_ends);
    rln__free(e->resumed);
    rln__free(e);
}

const struct rln__open *rln__events_closed(const rln_events *e)
{
    return e->closed;
}

int64_t rln__events_end_of_open(const rln_events *e, uint32_t process, int64_t start_ns)
{
    return rln__part_ends_of(&e->part_ends, e->reader->names.processes[process].part,
                             start_ns);
}

void rln__events_ignore_window(rln_events *e)
{
    e->span.is_window = 0;
}

double rln__events_progress(const rln_events *e)
{
    return e->merge.n_chunks ? (double)e->merge.next_chunk / (double)e->merge.n_chunks
                             : 1;
}

const struct rln__span *rln__events_span(const rln_events *e)
{
    return &e->span;
}

struct rln__pairing *rln__events_pairing(rln_events *e)
{
    return &e->pairing;
}

const struct rln__event_place *rln__events_place(const rln_events *e)
{
    return &e->place;
}

const struct rln__sync_open *rln__events_unlocked(const rln_events *e)
{
    return e->has_unlocked ? &e->unlocked : NULL;
}

struct rln__pairing *rln__events_lanes(rln_events *e)
{
    return &e->lanes;
}

struct rln__syncs *rln__events_syncs(rln_events *e)
{
    return &e->syncs;
}

/* --- Ranges that begin and end ----------------------------------------------------
 *
 * Inlined twice: a plain event has neither payloads nor a lane.
 */

/* The position of a record, in words, and its number of payloads. */
static uint64_t begin_word(const struct rln__item *item)
{
    return item->offset / 8 << 16 | rln__item_payloads(item);
}

RLN__INLINE rln_status fill_begin(rln_events *e, const struct rln__merged *m,
                                  int is_plain, rln_error *err)
{
    const struct rln__item *item = m->item;
    const struct rln__attr *attr = &e->reader->names.attrs[item->ref];
    struct rln__pairing *pairing = !is_plain && m->deferred ? &e->lanes : &e->pairing;
    struct rln__open *open;
    uint32_t index;

    e->event.attributes = *rln__events_attributes(e, item->ref, item->has_value);
    e->event.payload_bits = item->value;
    if (attr->is_unknown)
        e->event.flags |= RLN_FLAG_UNKNOWN_NAME;
    if (item->kind == RLN__MARK) {
        e->event.type = RLN_EVENT_MARK;
        return RLN_OK;
    }
    if (item->kind == RLN__PUSH) {
        e->event.type = RLN_EVENT_PUSH;
        index =
            rln__pair_push(pairing, attr->domain_id, item->thread, m->t_ns, item->ref);
    } else {
        e->event.type = RLN_EVENT_START;
        e->event.id = rln__start_id(e->reader, m->part, item);
        index = rln__pair_start(pairing, e->event.id, item->thread, m->t_ns, item->ref);
    }
    if (index == RLN__NONE)
        return rln__fail_nomem(err);
    e->place_in_pool = index;
    open = &pairing->pool[index];
    e->event.depth = open->depth;
    open->value = item->value;
    open->has_value = item->has_value;
    if (is_plain)
        return RLN_OK;
    if (m->deferred)
        open->node = (uint32_t)(m->deferred - e->merge.deferred.events) + 1;
    if (rln__item_payloads(item) &&
        rln__map_put(&e->begun, open->order, begin_word(item)))
        return rln__fail_nomem(err);
    return RLN_OK;
}

/* The range's begin is unknown. */
static __attribute__((noinline, cold)) rln_status
fill_lone_end(rln_events *e, const struct rln__merged *m, rln_error *err)
{
    const struct rln__item *item = m->item;

    if (item->kind == RLN__END)
        e->event.flags |= rln__start_is_overwritten(e->reader, m->part, item->value)
                              ? RLN_FLAG_LOST
                              : RLN_FLAG_UNMATCHED;
    memset(&e->event.attributes, 0, sizeof(e->event.attributes));
    return rln__fill_domain(e, e->event.process, item->ref, err);
}

RLN__INLINE rln_status fill_close(rln_events *e, const struct rln__merged *m,
                                  int is_plain, rln_error *err)
{
    const struct rln__item *item = m->item;
    struct rln__pairing *pairing = !is_plain && m->deferred ? &e->lanes : &e->pairing;
    struct rln__open *closed;
    uint32_t index;

    if (item->kind == RLN__POP) {
        e->event.type = RLN_EVENT_POP;
        e->event.flags |=
            rln__pair_pop(pairing, item->thread, item->ref, &index, &e->event.depth);
    } else {
        e->event.type = RLN_EVENT_END;
        e->event.id = rln__range_id(m->part, item->value);
        index = rln__pair_end(pairing, e->event.id);
    }
    if (index == RLN__NONE)
        return fill_lone_end(e, m, err);

    closed = &pairing->pool[index];
    e->closed = closed;
    e->closed_in = pairing;
    e->place_in_pool = index;
    e->closed_begin = e->begun.n && (is_plain || !m->deferred)
                          ? rln__map_remove(&e->begun, closed->order)
                          : 0;
    if (!is_plain && rln__item_payloads(item)) {
        const rln_status status =
            rln__closing_attr(e->reader, m->part, item, &closed->attr, err);

        if (status)
            return status;
    }
    e->event.attributes = *rln__events_attributes(e, closed->attr, closed->has_value);
    e->event.payload_bits = closed->value;
    e->event.duration_ns = m->t_ns - closed->t_ns;
    e->event.flags |= closed->state & RLN__RESUMED ? RLN_FLAG_RESUMED : 0;
    return RLN_OK;
}

static int is_plain(const struct rln__merged *m)
{
    return !m->name && !m->deferred && m->item->kind < 32 &&
           (PLAIN_KINDS >> m->item->kind & 1) && !rln__item_payloads(m->item);
}

/* Clears what no plain event has, after one that is not plain. */
static __attribute__((noinline, cold)) void clear_rest(rln_events *e)
{
    const size_t begin = offsetof(rln_event, n_lost);

    memset((char *)&e->event + begin, 0, sizeof(e->event) - begin);
    e->has_unlocked = 0;
    e->place.n_payloads = 0;
    e->is_plain = 1;
}

static inline rln_status fill_plain(rln_events *e, const struct rln__merged *m,
                                    rln_error *err)
{
    const struct rln__trace_thread *thread = &e->reader->threads[m->item->thread];
    rln_event *event = &e->event;

    if (!e->is_plain)
        clear_rest(e);
    event->flags = 0;
    event->t_ns = m->t_ns;
    event->process = thread->process;
    event->thread = m->item->thread;
    event->pid = e->reader->names.processes[thread->process].record.pid;
    event->tid = thread->tid;
    event->payload_bits = 0;
    event->id = 0;
    event->depth = 0;
    event->duration_ns = -1;
    rln__part_ends_see(&e->part_ends, m->part, m->t_ns);
    return m->item->kind == RLN__POP || m->item->kind == RLN__END
               ? fill_close(e, m, 1, err)
               : fill_begin(e, m, 1, err);
}

/* --- Deferred events -------------------------------------------------------------- */

static rln_status fill_deferred(rln_events *e, const struct rln__merged *m,
                                rln_error *err)
{
    const struct rln__deferred_event *deferred = m->deferred;
    const struct rln__event_origin origin =
        rln__deferred_origin(&e->merge.deferred, e->reader, deferred);

    e->event.process = origin.process;
    e->event.thread = origin.thread;
    e->event.tid = origin.tid;
    e->event.flags = RLN_FLAG_DEFERRED;
    if (deferred->why_unplaced)
        e->event.flags |= RLN_FLAG_UNPLACED;
    if (deferred->has_timestamp) {
        e->event.timestamp = deferred->timestamp;
        e->event.time_domain = deferred->time_domain;
    }
    e->place = rln__deferred_events_place(&e->merge.deferred, deferred);
    e->event.n_payloads = e->place.n_payloads;
    if (deferred->kind == RLN__SAMPLE)
        return rln__fill_deferred_sample(e, deferred, err);
    if (deferred->kind == RLN__POP || deferred->kind == RLN__END)
        return fill_close(e, m, 0, err);
    return fill_begin(e, m, 0, err);
}

/* --- GPU work ----------------------------------------------------------------------
 */

static void fill_gpu(rln_events *e, const struct rln__merged *m)
{
    const struct rln__gpu_event *gpu = m->gpu;

    e->event.type =
        rln__gpu_is_on_stream(m->gpu_batch->kind) ? RLN_EVENT_GPU : RLN_EVENT_CALL;
    e->event.flags = gpu->why_unplaced ? RLN_FLAG_UNPLACED : 0;
    e->event.process = m->gpu_batch->process;
    e->event.thread = gpu->thread;
    e->event.tid = gpu->tid;
    e->event.id = gpu->correlation;
    e->event.duration_ns = gpu->end_ns - gpu->start_ns;
    e->event.attributes = *rln__events_attributes(e, gpu->attr, 0);
    if (e->reader->names.attrs[gpu->attr].is_unknown)
        e->event.flags |= RLN_FLAG_UNKNOWN_NAME;
    e->place = rln__gpu_event_place(m->gpu_batch, gpu);
    e->event.n_payloads = e->place.n_payloads;
}

const struct rln__open *rln__events_begun(const rln_events *e, const rln_event *event,
                                          const struct rln__open **older)
{
    const struct rln__pairing *p =
        event->flags & RLN_FLAG_DEFERRED ? &e->lanes : &e->pairing;
    const struct rln__open *open = &p->pool[e->place_in_pool];

    *older = open->older == RLN__NONE ? NULL : &p->pool[open->older];
    return open;
}

/* --- Where ranges began ----------------------------------------------------------- */

struct rln__event_origin rln__events_origin(rln_events *e, const struct rln__open *open)
{
    return rln__events_began(e, open);
}

void rln__events_begin_place(const rln_events *e, const struct rln__open *open,
                             struct rln__event_place *out)
{
    const struct rln__deferred_event *deferred = rln__events_deferred(e, open);
    const struct rln__names *names = &e->reader->names;
    const struct rln__trace_thread *thread;
    uint64_t begin;

    if (deferred) {
        *out = rln__deferred_events_place(&e->merge.deferred, deferred);
        return;
    }
    begin = open == e->closed ? e->closed_begin : rln__map_get(&e->begun, open->order);
    if (!begin)
        return;
    thread = &e->reader->threads[open->thread];
    *out = (struct rln__event_place){
        .offset = (begin >> 16) * 8,
        .n_payloads = (uint16_t)begin,
        .part = names->processes[thread->process].part,
        .process = thread->process,
        .domain_id = names->attrs[open->attr].domain_id,
        .tid = thread->tid,
    };
}

/* --- Ranges that were open before their window ------------------------------------ */

/* Keeps the ranges that a record `resumed` lists: one event each. */
static rln_status keep_resumed(rln_events *e, const struct rln__merged *m,
                               rln_error *err)
{
    uint64_t *words; /* owned */
    const rln_status status =
        rln__stream_words(e->reader->layout.parts[m->part].file, m->item, &words, err);

    if (status)
        return status;
    rln__free(e->resumed);
    e->resumed = words;
    e->n_resumed = m->item->n_words;
    e->next_resumed = rln__reset_words(m->item);
    e->resuming = *m;
    return RLN_OK;
}

/* The next of them; if there is none, the event gets no type. */
static rln_status fill_resumed(rln_events *e, const struct rln__merged *m,
                               rln_error *err)
{
    const uint32_t thread = m->item->thread, process = e->event.process;
    rln_status status = RLN_OK;
    uint32_t domain_id, attr, index = RLN__NONE;

    if (e->next_resumed >= e->n_resumed)
        status = keep_resumed(e, m, err);
    if (status || e->next_resumed >= e->n_resumed)
        return status;
    domain_id = (uint32_t)e->resumed[e->next_resumed];
    attr = rln__reader_attr(e->reader, process,
                            (uint32_t)(e->resumed[e->next_resumed++] >> 32));
    if (attr != RLN__NONE)
        index = rln__pair_resume(
            &e->pairing, domain_id, thread,
            rln__windows_opening(&e->reader->windows, m->part, m->t_ns), attr);
    if (index == RLN__NONE)
        return rln__fail_nomem(err);
    e->place_in_pool = index;
    e->event.type = RLN_EVENT_RESUMED;
    e->event.depth = e->pairing.pool[index].depth;
    e->event.attributes = *rln__events_attributes(e, attr, 0);
    if (!e->reader->names.attrs[attr].is_unknown)
        return RLN_OK;
    e->event.flags |= RLN_FLAG_UNKNOWN_NAME;
    return rln__fill_domain(e, process, domain_id, err);
}

/* --- The next event --------------------------------------------------------------- */

static rln_status fill_item(rln_events *e, const struct rln__merged *m, rln_error *err)
{
    const struct rln__item *item = m->item;
    const struct rln__trace_thread *thread = &e->reader->threads[item->thread];

    e->event.thread = item->thread;
    e->event.tid = thread->tid;
    e->event.process = thread->process;
    if (rln__item_payloads(item)) {
        e->place = rln__item_place(e->reader, m->part, item);
        e->event.n_payloads = e->place.n_payloads;
    }
    switch (item->kind) {
    case RLN__POP:
    case RLN__END:
        return fill_close(e, m, 0, err);
    case RLN__MARK:
    case RLN__PUSH:
    case RLN__START:
        return fill_begin(e, m, 0, err);
    case RLN__ITEM_RESUMED:
        return fill_resumed(e, m, err);
    default:
        return rln__fill_other(e, m, err);
    }
}

/* Fills any event that is not plain. */
static __attribute__((noinline)) rln_status
fill_rare(rln_events *e, const struct rln__merged *m, rln_error *err)
{
    rln_status status = RLN_OK;

    memset(&e->event, 0, sizeof(e->event));
    e->event.t_ns = m->t_ns;
    e->event.duration_ns = -1;
    e->has_unlocked = 0;
    e->place.n_payloads = 0;
    e->is_plain = 0;
    if (m->name)
        status = rln__fill_name(e, m->name, err);
    else if (m->deferred)
        status = fill_deferred(e, m, err);
    else if (m->gpu)
        fill_gpu(e, m);
    else
        status = fill_item(e, m, err);
    if (status || !e->event.type)
        return status;
    e->event.pid = e->reader->names.processes[e->event.process].record.pid;
    if (rln__is_program_event(e->event.type))
        rln__part_ends_see(&e->part_ends,
                           e->reader->names.processes[e->event.process].part,
                           e->event.t_ns);
    return RLN_OK;
}

static int is_in_window(const rln_events *e, uint32_t part)
{
    const int64_t t_ns = e->event.t_ns;

    if (!e->event.type) /* a record `resumed` that lists nothing */
        return 0;
    if (!e->span.is_window)
        return 1;
    if (e->closed)
        return rln__span_has_range(&e->span, part, e->closed->t_ns, t_ns);
    if (e->has_unlocked)
        return rln__span_has_range(&e->span, part, e->unlocked.t_ns, t_ns);
    if (rln__is_gpu_event(e->event.type))
        return rln__span_overlaps(&e->span, part, t_ns, t_ns + e->event.duration_ns);
    return rln__span_has(&e->span, part, t_ns);
}

/* Releases the range that the last event closed: the caller has seen it. */
static inline void release_closed(rln_events *e)
{
    if (e->closed)
        rln__pair_release(e->closed_in, e->place_in_pool);
    e->closed = NULL;
}

static rln_status next_of_all(rln_events *e, const rln_event **out, rln_error *err)
{
    struct rln__merged merged;
    rln_status status = RLN_OK;

    *out = NULL;
    do {
        release_closed(e);
        if (e->next_resumed < e->n_resumed)
            merged = e->resuming;
        else
            status = rln__merge_next(&e->merge, &merged, err);
        if (!status)
            status = is_plain(&merged) ? fill_plain(e, &merged, err)
                                       : fill_rare(e, &merged, err);
        if (status)
            return status;
    } while (!is_in_window(e, merged.part));
    *out = &e->event;
    return RLN_OK;
}

rln_status rln_events_next(rln_events *e, const rln_event **out, rln_error *err)
{
    rln_status status;
    int matches = 1;

    do {
        status = next_of_all(e, out, err);
        if (e->prefilter && !status)
            status = rln__range_prefilter_accepts(e->prefilter, e, *out, &matches, err);
    } while (!status && !matches);
    if (status)
        *out = NULL;
    return status;
}

rln_status rln_events_payloads(rln_events *e, const rln_payload **out, size_t *n,
                               rln_error *err)
{
    rln_status status;

    *out = NULL;
    *n = 0;
    status = rln__event_payloads_read(&e->payloads, e->reader, &e->place, err);
    if (status || !e->payloads.decoder.n_payloads)
        return status;
    *out = e->payloads.decoder.payloads;
    *n = e->payloads.decoder.n_payloads;
    return RLN_OK;
}
