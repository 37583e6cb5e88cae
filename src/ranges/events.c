/* SPDX-License-Identifier: Apache-2.0 */
/* events.c - the iteration over all events: merges, pairs, and spells names out. */
#include "base/alloc.h"
#include "base/fail.h"
#include "rangeline/values.h"
#include "ranges/event_fill.h"
#include "ranges/events_state.h"

#include <stddef.h>

/* A bit for each kind of item that a plain event may have. */
#define PLAIN_KINDS                                                                    \
    (1u << RLN__MARK | 1u << RLN__PUSH | 1u << RLN__POP | 1u << RLN__START |           \
     1u << RLN__END)

rln_status rln__events_open_all(rln_reader *reader, rln_events **out, rln_error *err)
{
    rln_events *e = rln__alloc(1, sizeof(*e));
    rln_status status;

    *out = NULL;
    if (!e)
        return rln__fail_nomem(err);
    e->reader = reader;
    e->span = reader->span;
    rln__counters_init(&e->counters, reader);
    status = rln__engine_init(&e->engine, reader, err)
                 ? rln__fail_nomem(err)
                 : rln__merge_init(&e->merge, reader, err);
    if (status) {
        rln__engine_clear(&e->engine);
        rln__free(e);
        return status;
    }
    *out = e;
    return RLN_OK;
}

void rln__events_close_all(rln_events *e)
{
    if (!e)
        return;
    rln__merge_clear(&e->merge);
    rln__engine_clear(&e->engine);
    rln__map_clear(&e->begun);
    rln__event_payloads_clear(&e->payloads);
    rln__syncs_clear(&e->syncs);
    rln__counters_clear(&e->counters);
    rln__memory_decoder_clear(&e->memory);
    rln__free(e->resumed);
    rln__lone_ends_clear(&e->lone);
    rln__free(e);
}

const struct rln__open *rln__events_closed(const rln_events *e)
{
    return e->closed;
}

size_t rln__events_end_all(rln_events *e)
{
    return rln__pairing_drain(&e->engine.pairing);
}

int64_t rln__events_end_of(const rln_events *e, const struct rln__open *open)
{
    return rln__engine_end_of(&e->engine, open);
}

int64_t rln__events_end_of_open(const rln_events *e, uint32_t process, int64_t start_ns)
{
    return rln__part_ends_of(&e->engine.part_ends,
                             e->reader->names.processes[process].part, start_ns);
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

const struct rln__pairing *rln__events_pairing(const rln_events *e)
{
    return &e->engine.pairing;
}

const struct rln__record_address *rln__events_address(const rln_events *e)
{
    return &e->address;
}

const struct rln__sync_open *rln__events_unlocked(const rln_events *e)
{
    return e->has_unlocked ? &e->unlocked : NULL;
}

struct rln__syncs *rln__events_syncs(rln_events *e)
{
    return &e->syncs;
}

/* --- What the engine tells --------------------------------------------------------
 *
 * Inlined twice: a plain event has neither payloads nor a lane.
 */

/* The position of a record, in words, and its number of payloads. */
static uint64_t begin_word(const struct rln__item *item)
{
    return item->offset / 8 << 16 | rln__item_payloads(item);
}

/* A window opened in this range: an event is made of it later. */
static __attribute__((noinline, cold)) int keep_resumed(rln_events *e,
                                                        const struct rln__open *open)
{
    const struct rln__pairing *p = &e->engine.pairing;
    const struct rln__pair_thread *t = &p->threads[open->thread];
    struct rln__resumed *kept =
        rln__append(&e->resumed, &e->n_resumed, &e->resumed_capacity, sizeof(*kept));

    if (!kept)
        return -1;
    *kept = (struct rln__resumed){(uint32_t)(open - p->pool),
                                  p->stacks[t->last_stack].domain_id};
    return 0;
}

RLN__INLINE int opened(rln_events *e, struct rln__open *open,
                       const struct rln__item *begin, int is_plain)
{
    if (!begin)
        return keep_resumed(e, open);
    e->slot = (uint32_t)(open - e->engine.pairing.pool);
    if (begin->kind == RLN__PUSH) {
        e->event.type = RLN_EVENT_PUSH;
        e->event.depth = open->depth;
    } else {
        e->event.type = RLN_EVENT_START;
        e->event.id = open->id;
        rln__lone_ends_start(&e->lone, open->id);
    }
    open->value = begin->value;
    open->has_value = begin->has_value;
    if (is_plain)
        return 0;
    if (e->now->deferred)
        open->node = (uint32_t)(e->now->deferred - e->merge.deferred.events) + 1;
    return rln__item_payloads(begin)
               ? rln__map_put(&e->begun, open->order, begin_word(begin))
               : 0;
}

RLN__INLINE int closed(rln_events *e, const struct rln__closing *c)
{
    struct rln__open *range = &e->engine.pairing.pool[c->slot];

    e->closed = range;
    e->slot = c->slot;
    e->closed_begin =
        e->begun.n && !range->node ? rln__map_remove(&e->begun, range->order) : 0;
    if (c->end)
        range->attr = c->attr;
    if (c->state & RLN__STARTED) {
        e->event.type = RLN_EVENT_END;
        e->event.id = range->id;
    } else {
        e->event.type = RLN_EVENT_POP;
        e->event.depth = range->depth;
    }
    e->event.attributes = *rln__events_attributes(e, c->attr, range->has_value);
    e->event.payload_bits = c->value;
    e->event.duration_ns = c->end_ns - c->start_ns;
    e->event.flags |= c->state & RLN__RESUMED ? RLN_FLAG_RESUMED : 0;
    return 0;
}

/* The range's begin is unknown; that of an end may come at the same time. */
static __attribute__((noinline, cold)) int unmatched(void *events,
                                                     const struct rln__item *end,
                                                     unsigned flags, uint32_t depth,
                                                     int64_t t_ns, uint32_t part)
{
    rln_events *e = events;

    (void)t_ns;
    if (end->kind == RLN__END && flags == RLN_FLAG_UNMATCHED && !e->lone.is_last)
        return rln__lone_ends_wait(&e->lone, e->now);
    e->event.type = end->kind == RLN__POP ? RLN_EVENT_POP : RLN_EVENT_END;
    e->event.flags |= flags;
    e->event.depth = depth;
    if (end->kind == RLN__END)
        e->event.id = rln__range_id(part, end->value);
    memset(&e->event.attributes, 0, sizeof(e->event.attributes));
    e->engine.status = rln__fill_domain(e, e->event.process, end->ref, e->engine.err);
    return e->engine.status ? -1 : 0;
}

RLN__INLINE int opened_plain(void *events, struct rln__open *open,
                             const struct rln__item *begin, uint32_t part)
{
    (void)part;
    return opened(events, open, begin, 1);
}

static int opened_any(void *events, struct rln__open *open,
                      const struct rln__item *begin, uint32_t part)
{
    (void)part;
    return opened(events, open, begin, 0);
}

RLN__INLINE int closed_plain(void *events, const struct rln__closing *c)
{
    return closed(events, c);
}

static int closed_any(void *events, const struct rln__closing *c)
{
    return closed(events, c);
}

static const struct rln__range_ops plain_ops = {.open = opened_plain,
                                                .close = closed_plain,
                                                .unmatched = unmatched,
                                                .is_in_time_order = 1,
                                                .leaves_self_out = 1};
static const struct rln__range_ops any_ops = {.open = opened_any,
                                              .close = closed_any,
                                              .unmatched = unmatched,
                                              .is_in_time_order = 1,
                                              .leaves_self_out = 1};

/* The begin or end of a range, or a mark. */
RLN__INLINE rln_status fill_range(rln_events *e, const struct rln__range_ops *ops,
                                  const struct rln__merged *m)
{
    const struct rln__item *item = m->item;

    if (item->kind != RLN__POP && item->kind != RLN__END) {
        e->event.type = RLN_EVENT_MARK;
        e->event.attributes = *rln__events_attributes(e, item->ref, item->has_value);
        e->event.payload_bits = item->value;
        if (e->reader->names.attrs[item->ref].is_unknown)
            e->event.flags |= RLN_FLAG_UNKNOWN_NAME;
    } else {
        e->event.type = 0; /* until the engine says what it is */
    }
    e->now = m;
    if (rln__engine_range(&e->engine, ops, e, item, m->t_ns, m->part))
        return e->engine.status ? e->engine.status : rln__fail_nomem(e->engine.err);
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
    e->address.n_payloads = 0;
    e->is_plain = 1;
}

static inline rln_status fill_plain(rln_events *e, const struct rln__merged *m)
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
    rln__part_ends_see(&e->engine.part_ends, m->part, m->t_ns);
    return fill_range(e, &plain_ops, m);
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
    e->event.scope = rln__strings_get(&e->reader->names.strings, deferred->scope_path);
    e->address = rln__deferred_event_address(&e->merge.deferred, deferred);
    e->event.n_payloads = e->address.n_payloads;
    if (deferred->kind == RLN__SAMPLE)
        return rln__fill_deferred_sample(e, deferred, err);
    return fill_range(e, &any_ops, m);
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
    e->address = rln__gpu_event_address(m->gpu_batch, gpu);
    e->event.n_payloads = e->address.n_payloads;
}

const struct rln__open *rln__events_begun(const rln_events *e,
                                          const struct rln__open **older)
{
    const struct rln__pairing *p = &e->engine.pairing;
    const struct rln__open *open = &p->pool[e->slot];

    *older = open->older == RLN__NONE ? NULL : &p->pool[open->older];
    return open;
}

/* --- Where ranges began ----------------------------------------------------------- */

struct rln__event_origin rln__events_origin(rln_events *e,
                                            const struct rln__open *range)
{
    return rln__events_began(e, range);
}

void rln__events_begin_address(const rln_events *e, const struct rln__open *range,
                               struct rln__record_address *out)
{
    const struct rln__deferred_event *deferred = rln__events_deferred(e, range);
    const struct rln__names *names = &e->reader->names;
    const struct rln__trace_thread *thread;
    uint64_t begin;

    if (deferred) {
        *out = rln__deferred_event_address(&e->merge.deferred, deferred);
        return;
    }
    begin =
        range == e->closed ? e->closed_begin : rln__map_get(&e->begun, range->order);
    if (!begin)
        return;
    thread = &e->reader->threads[range->thread];
    *out = (struct rln__record_address){
        .offset = (begin >> 16) * 8,
        .n_payloads = (uint16_t)begin,
        .part = names->processes[thread->process].part,
        .process = thread->process,
        .domain_id = names->attrs[range->attr].domain_id,
        .tid = thread->tid,
    };
}

/* --- What a thread has open ------------------------------------------------------- */

static rln_status restate(rln_events *e, const struct rln__merged *m, rln_error *err)
{
    e->n_resumed = e->next_resumed = 0;
    return rln__engine_restate(&e->engine, &any_ops, e, m->item, m->t_ns, m->part, err);
}

/* The next of those that a record `resumed` lists; if there is none, the event gets no
 * type. */
static rln_status fill_resumed(rln_events *e, const struct rln__merged *m,
                               rln_error *err)
{
    const struct rln__resumed *resumed;
    const struct rln__open *open;

    if (e->next_resumed >= e->n_resumed) {
        const rln_status status = restate(e, m, err);

        if (status || !e->n_resumed)
            return status;
        e->resuming = *m;
    }
    resumed = &e->resumed[e->next_resumed++];
    e->slot = resumed->slot;
    open = &e->engine.pairing.pool[e->slot];
    e->event.type = RLN_EVENT_RESUMED;
    e->event.depth = open->depth;
    e->event.attributes = *rln__events_attributes(e, open->attr, 0);
    if (!e->reader->names.attrs[open->attr].is_unknown)
        return RLN_OK;
    e->event.flags |= RLN_FLAG_UNKNOWN_NAME;
    return rln__fill_domain(e, e->event.process, resumed->domain_id, err);
}

/* --- The next event --------------------------------------------------------------- */

static rln_status fill_item(rln_events *e, const struct rln__merged *m, rln_error *err)
{
    const struct rln__item *item = m->item;
    const struct rln__trace_thread *thread = &e->reader->threads[item->thread];
    rln_status status;

    e->event.thread = item->thread;
    e->event.tid = thread->tid;
    e->event.process = thread->process;
    if (rln__item_payloads(item)) {
        e->address = rln__item_address(e->reader, m->part, item);
        e->event.n_payloads = e->address.n_payloads;
    }
    if (item->kind < 32 && (PLAIN_KINDS >> item->kind & 1))
        return fill_range(e, &any_ops, m);
    if (item->kind == RLN__ITEM_RESUMED)
        return fill_resumed(e, m, err);
    status = rln__fill_other(e, m, err);
    return status || item->kind < RLN__ITEM_THREAD || item->kind == RLN__ITEM_MEMORY
               ? status
               : restate(e, m, err);
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
    e->address.n_payloads = 0;
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
    if (rln__is_program_event(e->event.type) && !(e->event.flags & RLN_FLAG_UNPLACED))
        rln__part_ends_see(&e->engine.part_ends,
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

static rln_status next_of_all(rln_events *e, const rln_event **out, rln_error *err)
{
    struct rln__merged merged;
    rln_status status = RLN_OK;

    *out = NULL;
    do {
        e->closed = NULL;
        if (e->next_resumed < e->n_resumed)
            merged = e->resuming;
        else if (rln__lone_ends_is_idle(&e->lone))
            status = rln__merge_next(&e->merge, &merged, err);
        else
            status = rln__lone_ends_next(&e->lone, &e->merge, &merged, err);
        if (!status)
            status =
                is_plain(&merged) ? fill_plain(e, &merged) : fill_rare(e, &merged, err);
        if (status)
            return status;
    } while (!is_in_window(e, merged.part));
    *out = &e->event;
    return RLN_OK;
}

rln_status rln__events_next_all(rln_events *e, const rln_event **out, rln_error *err)
{
    rln_status status;

    e->engine.status = RLN_OK;
    e->engine.err = err;
    status = next_of_all(e, out, err);
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
    status = rln__event_payloads_read(&e->payloads, e->reader, &e->address, err);
    if (status || !e->payloads.decoder.n_payloads)
        return status;
    *out = e->payloads.decoder.payloads;
    *n = e->payloads.decoder.n_payloads;
    return RLN_OK;
}
