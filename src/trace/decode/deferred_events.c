/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/decode/deferred_events.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "trace/decode/deferred_record.h"
#include "trace/decode/gpu_batches.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW_WORDS 8192u
#define MAX_LANES 64 /* of one thread, domain and scope; then ranges may cross */
/* Numbers of ranges, as ids: no record lies this far from the start of its part. */
#define FIRST_ID (UINT64_C(1) << 46)
#define MAX_PAYLOADS 65535u
#define OF_PROGRAM 0x80000000u /* a number that stands for a program's range id */

/* A whole range that has no lane yet. */
struct span {
    int64_t begin_ns, end_ns;
    uint32_t group;
    uint32_t begin, end; /* events */
};

struct loader {
    struct rln__deferred_events *deferred;
    rln_reader *reader;
    struct rln__deferred_reader of_event;
    struct rln__key_index groups; /* process, thread, domain, scope */
    struct rln__key_index halves; /* group -> lane for events without the other half */
    struct rln__key_index ids;    /* process, domain, range id -> number */
    struct span *spans;           /* owned */
    size_t n_spans, spans_capacity;
    uint32_t n_numbers; /* of ranges without an id from the program */
};

/* --- Events ----------------------------------------------------------------------- */

static uint32_t group_of(struct loader *l,
                         const struct rln__deferred_attributes *attributes)
{
    const struct rln__deferred_record *r =
        &l->deferred->records[l->deferred->n_records - 1];
    const struct rln__key key = {
        {((uint64_t)r->process << 32) | r->domain_id,
         attributes->tid ? attributes->tid : ((uint64_t)1 << 32) | r->thread,
         attributes->scope}};

    return rln__key_index_number(&l->groups, &key);
}

/* The lane of those events of a group whose ranges need no stack. Lane 0 is
 * that of events without a scope. UINT32_MAX: no memory. */
static uint32_t scope_lane(struct loader *l,
                           const struct rln__deferred_attributes *attributes)
{
    const struct rln__key unscoped = {{UINT64_MAX}};
    const struct rln__key key = {{group_of(l, attributes)}};

    if (!attributes->scope_path)
        return 0;
    if ((!l->halves.n && rln__key_index_number(&l->halves, &unscoped)) ||
        key.words[0] == UINT32_MAX)
        return UINT32_MAX;
    return rln__key_index_number(&l->halves, &key);
}

static struct rln__deferred_event *
add_event(struct loader *l, uint32_t element,
          const struct rln__deferred_attributes *attributes,
          const struct rln__deferred_time *time, uint8_t kind)
{
    struct rln__deferred_events *p = l->deferred;
    struct rln__deferred_event *e =
        p->n >= UINT32_MAX ? NULL
                           : rln__append(&p->events, &p->n, &p->capacity, sizeof(*e));

    if (!e)
        return NULL;
    *e = (struct rln__deferred_event){
        .t_ns = time->ns,
        .timestamp = time->timestamp,
        .time_domain = time->domain,
        .record = (uint32_t)(p->n_records - 1),
        .element = element,
        .order = (uint32_t)p->n - 1,
        .ref = attributes->attr,
        .tid = attributes->tid,
        .scope_path = attributes->scope_path,
        .kind = kind,
        .why_unplaced = time->why_unplaced,
        .has_timestamp = time->is_given,
    };
    e->lane = scope_lane(l, attributes);
    if (e->lane == UINT32_MAX)
        return NULL;
    if (kind == RLN__POP || kind == RLN__END)
        e->ref = p->records[e->record].domain_id;
    return e;
}

/* If one half of a range cannot be placed, neither can the other. */
static uint8_t why_unplaced(const struct rln__deferred_attributes *attributes)
{
    if (attributes->begin.why_unplaced || attributes->end.why_unplaced)
        return attributes->begin.why_unplaced ? attributes->begin.why_unplaced
                                              : attributes->end.why_unplaced;
    return attributes->end.ns < attributes->begin.ns ? RLN__UNPLACED_CONTRADICTORY : 0;
}

/* A range with both its times. -1: no memory. */
static int add_range(struct loader *l, uint32_t element,
                     const struct rln__deferred_attributes *attributes)
{
    const uint8_t is_stacked = attributes->event == RLN__SCHEMA_IS_PUSHPOP;
    const uint32_t group = group_of(l, attributes);
    const uint8_t why = why_unplaced(attributes);
    struct rln__deferred_time end = attributes->end;
    struct rln__deferred_event *e;
    struct span *added;
    size_t first;

    if (why)
        end.ns = attributes->begin.ns;
    e = add_event(l, element, attributes, &attributes->begin,
                  is_stacked ? RLN__PUSH : RLN__START);
    if (!e || group == UINT32_MAX)
        return -1;
    first = l->deferred->n - 1;
    e->why_unplaced = why;
    e->number = l->n_numbers;
    e = add_event(l, element, attributes, &end, is_stacked ? RLN__POP : RLN__END);
    if (!e)
        return -1;
    e->why_unplaced = why;
    e->is_other_end = 1;
    e->number = l->n_numbers++;
    if (!is_stacked)
        return 0;
    added = rln__append(&l->spans, &l->n_spans, &l->spans_capacity, sizeof(*added));
    if (!added)
        return -1;
    *added = (struct span){attributes->begin.ns, end.ns, group, (uint32_t)first,
                           (uint32_t)first + 1};
    return 0;
}

/* The begin or the end of a range; the other half is a separate event. */
static int add_half(struct loader *l, uint32_t element,
                    const struct rln__deferred_attributes *attributes)
{
    static const uint8_t kinds[] = {[RLN__SCHEMA_IS_PUSH] = RLN__PUSH,
                                    [RLN__SCHEMA_IS_POP] = RLN__POP,
                                    [RLN__SCHEMA_IS_START] = RLN__START,
                                    [RLN__SCHEMA_IS_END] = RLN__END};
    const struct rln__deferred_record *r =
        &l->deferred->records[l->deferred->n_records - 1];
    const struct rln__key by_group = {{group_of(l, attributes)}};
    const struct rln__key by_id = {
        {((uint64_t)r->process << 32) | r->domain_id, attributes->range_id, 1}};
    struct rln__deferred_event *e =
        add_event(l, element, attributes, &attributes->begin, kinds[attributes->event]);

    if (!e || by_group.words[0] == UINT32_MAX)
        return -1;
    if (e->kind == RLN__START || e->kind == RLN__END) {
        e->number = rln__key_index_number(&l->ids, &by_id) | OF_PROGRAM;
        return e->number == UINT32_MAX ? -1 : 0;
    }
    e->lane = rln__key_index_number(&l->halves, &by_group);
    return e->lane == UINT32_MAX ? -1 : 0;
}

static int add_read(struct loader *l, uint32_t element,
                    const struct rln__deferred_attributes *attributes)
{
    switch (attributes->event) {
    case RLN__SCHEMA_IS_PUSHPOP:
    case RLN__SCHEMA_IS_STARTEND:
        return add_range(l, element, attributes);
    case RLN__SCHEMA_IS_PUSH:
    case RLN__SCHEMA_IS_POP:
    case RLN__SCHEMA_IS_START:
    case RLN__SCHEMA_IS_END:
        return add_half(l, element, attributes);
    case RLN__SCHEMA_IS_COUNTERS:
        return add_event(l, element, attributes, &attributes->begin, RLN__SAMPLE) ? 0
                                                                                  : -1;
    default:
        return add_event(l, element, attributes, &attributes->begin, RLN__MARK) ? 0
                                                                                : -1;
    }
}

/* --- Records. 0, -1 when there is no memory, 1 if the record is damaged ----------- */

static int add_submitted(struct loader *l, const uint64_t *w, uint32_t n_words)
{
    struct rln__deferred_attributes attributes;
    const int what = rln__deferred_reader_read_submitted(
        &l->of_event, w + RLN__SUBMITTED_WORDS, n_words - RLN__SUBMITTED_WORDS, w[3],
        &attributes);

    return what ? what : add_read(l, 0, &attributes);
}

static int add_batch(struct loader *l, const uint64_t *w, uint32_t n_words)
{
    struct rln__deferred_record *r = &l->deferred->records[l->deferred->n_records - 1];
    size_t n;
    int what;

    r->id = w[3];
    what = rln__deferred_reader_begin_batch(&l->of_event, w + RLN__EVENT_BATCH_WORDS,
                                            n_words - RLN__EVENT_BATCH_WORDS, w[3],
                                            w[4], &n);
    for (size_t i = 0; i < n && !what; i++) {
        struct rln__deferred_attributes attributes;

        what = rln__deferred_reader_read_element(&l->of_event, i, &attributes);
        if (!what)
            what = add_read(l, (uint32_t)i, &attributes);
    }
    return what;
}

static int add_samples(struct loader *l, const uint64_t *w, uint32_t n_words)
{
    struct rln__deferred_record *r = &l->deferred->records[l->deferred->n_records - 1];
    size_t n;
    int what;

    r->id = w[3];
    what = rln__deferred_reader_begin_samples(
        &l->of_event, w + RLN__COUNTER_BATCH_WORDS, n_words - RLN__COUNTER_BATCH_WORDS,
        w[3], w[4], &n);
    for (size_t i = 0; i < n && !what; i++) {
        struct rln__deferred_attributes attributes;

        what = rln__deferred_reader_read_sample(&l->of_event, i, &attributes);
        if (!what)
            what =
                add_event(l, (uint32_t)i, &attributes, &attributes.begin, RLN__SAMPLE)
                    ? 0
                    : -1;
    }
    return what;
}

static struct rln__deferred_record record_of(const struct rln__record *r, uint32_t part,
                                             uint32_t process)
{
    const unsigned sub = rln__sub_of(r->words[0]);

    return (struct rln__deferred_record){
        .offset = r->offset,
        .ticks = r->words[1],
        .n_payloads = sub != RLN__SUB_SUBMITTED    ? 1
                      : r->words[3] < MAX_PAYLOADS ? (uint32_t)r->words[3]
                                                   : MAX_PAYLOADS,
        .sub = sub,
        .part = part,
        .process = process,
        .thread = (uint32_t)(r->words[2] >> 32),
        .domain_id = (uint32_t)r->words[2],
    };
}

/* Whether it is a record of deferred events. 1, 0, or -1 if it is damaged. */
static int is_deferred(const struct rln__record *r)
{
    static const uint8_t n_least[] = {RLN__SUBMITTED_WORDS, RLN__EVENT_BATCH_WORDS,
                                      RLN__COUNTER_BATCH_WORDS};
    const unsigned sub = rln__sub_of(r->words[0]);

    if ((r->words[0] & 15) != RLN__LONG || sub < RLN__SUB_SUBMITTED ||
        sub > RLN__SUB_COUNTER_BATCH)
        return 0;
    return r->n_words < n_least[sub - RLN__SUB_SUBMITTED] ? -1 : 1;
}

static int add_record(struct loader *l, const struct rln__chunk_info *chunk,
                      uint32_t process, const struct rln__record *r)
{
    const unsigned sub = rln__sub_of(r->words[0]);
    const int what = is_deferred(r);
    struct rln__deferred_events *p = l->deferred;
    struct rln__deferred_record *record;

    if (what <= 0)
        return what ? 1 : 0;
    if (sub == RLN__SUB_EVENT_BATCH) {
        const int is_gpu = rln__is_gpu_batch(&l->reader->names, process, r->words);

        if (is_gpu)
            return is_gpu < 0 ? -1 : 0;
    }
    if (p->n_records >= UINT32_MAX)
        return -1;
    record =
        rln__append(&p->records, &p->n_records, &p->records_capacity, sizeof(*record));
    if (!record)
        return -1;
    *record = record_of(r, chunk->part, process);
    rln__deferred_reader_begin(&l->of_event, record);
    if (sub == RLN__SUB_SUBMITTED)
        return add_submitted(l, r->words, r->n_words);
    if (sub == RLN__SUB_EVENT_BATCH)
        return add_batch(l, r->words, r->n_words);
    return add_samples(l, r->words, r->n_words);
}

static rln_status load_chunk(struct loader *l, const struct rln__chunk_info *chunk,
                             struct rln__cursor *cursor, rln_error *err)
{
    const struct rln__input *file = l->reader->layout.parts[chunk->part].file;
    const uint32_t process =
        rln__names_process(&l->reader->names, chunk->part, chunk->process);
    struct rln__record record;
    rln_status status;

    if (process == RLN__NONE)
        return rln__fail_nomem(err);
    rln__cursor_begin(cursor, file, chunk);
    while ((status = rln__cursor_next(cursor, &record, err)) == RLN_OK) {
        const int what = add_record(l, chunk, process, &record);

        if (what < 0)
            return rln__fail_nomem(err);
        if (what > 0)
            rln__note_damage(file, record.offset,
                             "a deferred event does not fit its record");
    }
    return status == RLN_END ? RLN_OK : status;
}

/* --- Lanes ------------------------------------------------------------------------ */

static int by_group(const void *a, const void *b)
{
    const struct span *x = a, *y = b;

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->begin_ns != y->begin_ns)
        return x->begin_ns < y->begin_ns ? -1 : 1;
    if (x->end_ns != y->end_ns)
        return x->end_ns > y->end_ns ? -1 : 1;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* The spans that are open in each lane of a group, innermost first. */
struct stacks {
    uint32_t top[MAX_LANES]; /* span + 1 */
    unsigned n;
    uint32_t *below; /* owned; by span */
    uint32_t order;
};

/* Ends what ends by `t_ns` in a lane. */
static void end_until(struct loader *l, struct stacks *s, unsigned lane, int64_t t_ns)
{
    while (s->top[lane] && l->spans[s->top[lane] - 1].end_ns <= t_ns) {
        const uint32_t i = s->top[lane] - 1;

        l->deferred->events[l->spans[i].end].order = s->order++;
        s->top[lane] = s->below[i];
    }
}

/* The first lane whose open spans enclose the span; MAX_LANES if there is none. */
static unsigned lane_of(struct loader *l, struct stacks *s, const struct span *span)
{
    for (unsigned lane = 0; lane < s->n; lane++) {
        end_until(l, s, lane, span->begin_ns);
        if (!s->top[lane] || l->spans[s->top[lane] - 1].end_ns >= span->end_ns)
            return lane;
    }
    if (s->n == MAX_LANES)
        return MAX_LANES;
    s->top[s->n] = 0;
    return s->n++;
}

static void end_group(struct loader *l, struct stacks *s)
{
    for (unsigned lane = 0; lane < s->n; lane++)
        end_until(l, s, lane, INT64_MAX);
    l->deferred->n_lanes += s->n;
    s->n = 0;
}

static rln_status give_lanes(struct loader *l, rln_error *err)
{
    struct rln__deferred_event *events = l->deferred->events;
    struct stacks s = {.below = rln__alloc(l->n_spans, sizeof(uint32_t)),
                       .order = (uint32_t)l->deferred->n};

    if (!s.below)
        return rln__fail_nomem(err);
    if (l->n_spans)
        qsort(l->spans, l->n_spans, sizeof(*l->spans), by_group);
    l->deferred->n_lanes = (uint32_t)l->halves.n;
    for (size_t i = 0; i < l->n_spans; i++) {
        const struct span *span = &l->spans[i];
        unsigned lane;

        if (i && span->group != l->spans[i - 1].group)
            end_group(l, &s);
        lane = lane_of(l, &s, span);
        if (lane == MAX_LANES) {
            events[span->begin].kind = RLN__START;
            events[span->end].kind = RLN__END;
            continue;
        }
        events[span->begin].lane = events[span->end].lane = l->deferred->n_lanes + lane;
        events[span->begin].order = s.order++;
        s.below[i] = s.top[lane];
        s.top[lane] = (uint32_t)i + 1;
    }
    end_group(l, &s);
    rln__free(s.below);
    return RLN_OK;
}

/* --- Loading ---------------------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
    const struct rln__deferred_event *x = a, *y = b;

    if (x->t_ns != y->t_ns)
        return x->t_ns < y->t_ns ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static rln_status load_all(struct loader *l, rln_error *err)
{
    const struct rln__layout *layout = &l->reader->layout;
    struct rln__cursor cursor = {0};
    rln_status status = RLN_OK;

    for (size_t i = 0; i < layout->n_chunks && !status; i++) {
        if (layout->chunks[i].kind != RLN__CHUNK_DEFERRED)
            continue;
        if (!cursor.window)
            status = rln__cursor_init(&cursor, WINDOW_WORDS, err);
        if (!status && !l->of_event.reader)
            status = rln__deferred_reader_init(&l->of_event, l->reader, err);
        if (!status)
            status = load_chunk(l, &layout->chunks[i], &cursor, err);
    }
    rln__cursor_clear(&cursor);
    return status;
}

rln_status rln__deferred_events_load(struct rln__deferred_events *deferred,
                                     rln_reader *reader, rln_error *err)
{
    struct loader l = {.deferred = deferred, .reader = reader};
    rln_status status;

    memset(deferred, 0, sizeof(*deferred));
    status = load_all(&l, err);
    if (!status && deferred->n)
        status = give_lanes(&l, err);
    if (!status && deferred->n)
        qsort(deferred->events, deferred->n, sizeof(*deferred->events), by_time);
    rln__deferred_reader_clear(&l.of_event);
    rln__key_index_clear(&l.groups);
    rln__key_index_clear(&l.halves);
    rln__key_index_clear(&l.ids);
    rln__free(l.spans);
    if (status)
        rln__deferred_events_clear(deferred);
    return status;
}

void rln__deferred_events_clear(struct rln__deferred_events *deferred)
{
    rln__free(deferred->records);
    rln__free(deferred->events);
    rln__map_clear(&deferred->by_tid);
    memset(deferred, 0, sizeof(*deferred));
}

void rln__deferred_events_item(const struct rln__deferred_events *deferred,
                               const rln_reader *reader,
                               const struct rln__deferred_event *e,
                               struct rln__item *out)
{
    const struct rln__deferred_record *r = &deferred->records[e->record];
    const uint64_t id = FIRST_ID + e->number;

    memset(out, 0, sizeof(*out));
    out->ticks = r->ticks;
    out->kind = e->kind;
    out->ref = e->ref;
    out->thread = (uint32_t)reader->n_threads + e->lane;
    out->n_words = 1;
    if (e->kind == RLN__END)
        out->value = id;
    if (e->kind == RLN__START)
        out->offset = reader->layout.parts[r->part].offset + id * 8;
}

struct rln__event_origin rln__deferred_origin(struct rln__deferred_events *deferred,
                                              const rln_reader *reader,
                                              const struct rln__deferred_event *event)
{
    const struct rln__deferred_record *r = &deferred->records[event->record];
    const uint64_t key = ((uint64_t)r->process << 32) | r->thread;
    struct rln__event_origin origin = {r->process, 0, event->tid};

    origin.thread = event->tid
                        ? rln__reader_thread_of_tid(reader, &deferred->by_tid,
                                                    r->process, event->tid)
                        : (uint32_t)rln__map_get(&reader->threads_by_number, key) - 1;
    if (!event->tid && origin.thread != UINT32_MAX)
        origin.tid = reader->threads[origin.thread].tid;
    return origin;
}

static struct rln__record_address address_of(const struct rln__deferred_record *r,
                                             uint32_t element)
{
    return (struct rln__record_address){
        .offset = r->offset,
        .n_payloads = r->n_payloads,
        .part = r->part,
        .process = r->process,
        .domain_id = r->domain_id,
        .element = element,
    };
}

struct rln__record_address
rln__deferred_event_address(const struct rln__deferred_events *deferred,
                            const struct rln__deferred_event *event)
{
    struct rln__record_address address =
        address_of(&deferred->records[event->record], event->element);

    address.tid = event->tid;
    if (event->is_other_end)
        address.n_payloads = 0;
    return address;
}

rln_status rln__deferred_address_at(rln_reader *reader, uint32_t part, uint64_t offset,
                                    uint32_t element, struct rln__record_address *out,
                                    rln_error *err)
{
    const struct rln__chunk_info *found =
        rln__layout_chunk_at(&reader->layout, part, offset);
    struct rln__cursor cursor = {0};
    struct rln__chunk_info chunk;
    struct rln__record r;
    rln_status status;

    if (!found || found->kind != RLN__CHUNK_DEFERRED ||
        offset < found->offset + RLN__CHUNK_HEADER_BYTES)
        return RLN_END;
    chunk = *found;
    chunk.offset = offset - RLN__CHUNK_HEADER_BYTES;
    status = rln__cursor_init(&cursor, 64, err);
    if (!status) {
        rln__cursor_begin(&cursor, reader->layout.parts[part].file, &chunk);
        status = rln__cursor_next(&cursor, &r, err);
    }
    if (!status && (r.offset != offset || is_deferred(&r) <= 0))
        status = RLN_END;
    if (!status) {
        const uint32_t process =
            rln__names_process(&reader->names, part, found->process);
        const struct rln__deferred_record record = record_of(&r, part, process);

        status = process == RLN__NONE ? rln__fail_nomem(err) : RLN_OK;
        *out = address_of(&record, element);
    }
    rln__cursor_clear(&cursor);
    return status;
}
