/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_pass.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "timeline/lod.h"
#include "timeline/lod_fill.h"
#include "timeline/lod_lanes.h"
#include "timeline/lod_nested.h"
#include "timeline/lod_rows.h"
#include "timeline/lod_samples.h"
#include "timeline/lod_segments.h"
#include "trace/order/scan.h"

#include <string.h>

/* --- Adding ----------------------------------------------------------------------- */

/* Where an event is recorded; and whether it has payloads. */
static struct rln__lod_event event_of(const struct rln__lod *lod,
                                      const struct rln__item *item, uint32_t part,
                                      uint8_t *has_payloads)
{
    const struct rln__deferred_source *deferred = lod->predicate.deferred;

    *has_payloads =
        (deferred ? deferred->address.n_payloads : rln__item_payloads(item)) != 0;
    return (struct rln__lod_event){
        (uint64_t)part << RLN__ADDRESS_SHIFT |
            (deferred ? deferred->address.offset : item->offset),
        deferred ? deferred->address.element : 0};
}

static struct rln__lod_begun *begun_at(struct rln__lod *lod, uint32_t index)
{
    struct rln__lod_begun *begun =
        rln__grow(lod->begun, &lod->begun_capacity, (size_t)index + 1, sizeof(*begun));

    if (!begun)
        return NULL;
    lod->begun = begun;
    return &begun[index];
}

static uint8_t value_type_of(const struct rln__lod *lod, const struct rln__item *item)
{
    return item->has_value ? lod->reader->names.attrs[item->ref].payload_type : 0;
}

/* --- What the engine asks and tells ----------------------------------------------- */

/* A push/pop range's tag is its level + 1. Its row is there from its begin on: rows are
 * numbered in that order. */
RLN__INLINE uint32_t tag(void *lod, uint32_t thread, uint32_t enclosing, uint32_t attr)
{
    return rln__lod_row_of_level(lod, thread, enclosing) == RLN__NONE ||
                   rln__lod_begin_level(lod, thread, enclosing, attr)
               ? RLN__NONE
               : enclosing + 1;
}

/* The open range that a start says it was begun in, if it is another one of the same
 * thread; NULL: it says none. */
static const struct rln__lod_begun *outer_of(struct rln__lod *lod,
                                             const struct rln__open *open,
                                             const struct rln__item *begin,
                                             uint32_t part)
{
    const struct rln__record_address address =
        rln__item_address(lod->reader, part, begin);
    const struct rln__pairing *p = &lod->engine.pairing;
    uint64_t id = 0, slot = 0;

    lod->engine.status =
        rln__outer_range(&lod->payloads, lod->reader, &address, &id, lod->engine.err);
    if (id)
        slot = rln__map_get(&p->starts, rln__range_id(part, id));
    if (!slot || &p->pool[slot - 1] == open || p->pool[slot - 1].thread != open->thread)
        return NULL;
    return &lod->begun[slot - 1];
}

static int begin_started(struct rln__lod *lod, const struct rln__open *open,
                         struct rln__lod_begun *begun,
                         const struct rln__lod_begun *outer)
{
    const uint32_t lane = rln__lod_take_lane(lod, open->thread, open->t_ns,
                                             outer ? outer->level : RLN__NONE, 0);
    const uint32_t like = rln__lod_like(lod, open->attr);
    struct rln__lod_thread *t;
    int is_shared;

    if (lane == RLN__NONE || like == RLN__NONE)
        return -1;
    t = &lod->threads[open->thread];
    rln__lod_begin_in_lane(t, lane, like, open->t_ns);
    begun->level = lane;
    begun->row =
        rln__lod_row(lod, RLN__LOD_STARTED,
                     &(struct rln__lod_row_key){t->thread, t->lane, lane, t->scope});
    if (begun->row == RLN__NONE)
        return -1;
    is_shared = lane == RLN__LOD_LEVELS || lod->rows[begun->row].thread == RLN__NONE;
    lod->rows[begun->row].above = outer && !is_shared ? outer->row : RLN__NONE;
    return 0;
}

static int begin_pushed(struct rln__lod *lod, const struct rln__open *open,
                        struct rln__lod_begun *begun)
{
    begun->level = open->node - 1;
    begun->row = rln__lod_row_of_level(lod, open->thread, begun->level);
    return begun->row == RLN__NONE ? -1 : 0;
}

RLN__INLINE int opened(void *context, struct rln__open *open,
                       const struct rln__item *begin, uint32_t part)
{
    struct rln__lod *lod = context;
    struct rln__lod_begun *begun =
        begun_at(lod, (uint32_t)(open - lod->engine.pairing.pool));

    if (!begun)
        return -1;
    *begun = (struct rln__lod_begun){.event = {0, 0}};
    if (begin) {
        begun->event = event_of(lod, begin, part, &begun->has_payloads);
        begun->value_type = value_type_of(lod, begin);
    }
    if (open->state & RLN__STARTED
            ? begin_started(lod, open, begun,
                            begun->has_payloads && !lod->predicate.deferred
                                ? outer_of(lod, open, begin, part)
                                : NULL)
            : begin_pushed(lod, open, begun))
        return -1;
    if (lod->reader->filter && begin && !lod->engine.status)
        lod->engine.status =
            rln__predicate_begin(&lod->predicate, begin, part, open, lod->engine.err);
    if (open->state & RLN__FILTERED_OUT && open->state & RLN__STARTED)
        lod->threads[open->thread].lanes[begun->level].like = RLN__NONE;
    else if (open->state & RLN__FILTERED_OUT && !lod->is_narrow)
        (void)rln__lod_end_level(lod, open->thread, begun->level);
    return lod->engine.status ? -1 : 0;
}

/* Keeps where the end of a range is, which has payloads. 0, or -1: no memory. */
static __attribute__((noinline, cold)) int keep_end(struct rln__lod *lod,
                                                    struct rln__range_bucket *bucket,
                                                    struct rln__lod_event end)
{
    struct rln__lod_event *added;

    if (lod->n_ends == RLN__LOD_ENDS)
        return 0;
    added = rln__append(&lod->ends, &lod->n_ends, &lod->ends_capacity, sizeof(*added));
    if (!added)
        return -1;
    *added = end;
    bucket->end = (uint32_t)lod->n_ends & (RLN__LOD_ENDS * 2 - 1);
    return 0;
}

/* The end of a range, if it has payloads. */
static int has_end(const struct rln__lod *lod, const struct rln__closing *c,
                   struct rln__lod_event *end)
{
    uint8_t has_payloads = 0;

    if (c->end || (lod->is_at_deferred_end && !c->is_left_open))
        *end = event_of(lod, c->end, c->part, &has_payloads);
    return has_payloads;
}

/* How a range began that ends in the same run of words. */
RLN__INLINE struct rln__lod_begun begun_in_run(struct rln__lod *lod,
                                               const struct rln__closing *c)
{
    return (struct rln__lod_begun){
        .event = {(uint64_t)c->part << RLN__ADDRESS_SHIFT | c->begin_offset, 0},
        .level = c->tag - 1,
        .row = rln__lod_row_of_level(lod, c->thread, c->tag - 1),
        .value_type =
            c->begins_with_value ? lod->reader->names.attrs[c->attr].payload_type : 0,
    };
}

RLN__INLINE int closed(void *context, const struct rln__closing *c)
{
    struct rln__lod *lod = context;
    const struct rln__lod_begun from_run =
        c->is_in_run ? begun_in_run(lod, c) : (struct rln__lod_begun){.row = RLN__NONE};
    const struct rln__lod_begun *begun =
        c->is_in_run ? &from_run : &lod->begun[c->slot];
    const int is_started = (c->state & RLN__STARTED) != 0;
    struct rln__lod_event end;
    struct rln__range_bucket bucket = {
        .start_ns = c->start_ns,
        .end_ns = c->end_ns > c->start_ns ? c->end_ns : c->start_ns,
        .address = begun->event.address,
        .end_thread = c->end_thread,
        .value_type = begun->value_type,
        .has_payloads = begun->has_payloads & 1u,
        .attr = c->attr,
        .n = 1,
        .is_open = c->is_left_open != 0,
    };
    struct rln__lod_thread *t = &lod->threads[c->thread];
    const uint64_t ns = (uint64_t)rln__range_bucket_ns(&bucket);
    uint64_t inside_ns = 0;
    uint32_t is_nested = 0;
    int matches = 1;

    if (is_started) {
        is_nested = t->lanes[begun->level].is_nested;
        rln__lod_end_in_lane(t, begun->level, c->end_ns, &inside_ns);
    } else if (!lod->is_narrow) {
        is_nested = rln__lod_end_level(lod, c->thread, begun->level);
    }
    if (c->state & RLN__LOST)
        return 0;
    if (!c->is_in_run && lod->reader->filter)
        lod->engine.status =
            rln__predicate_end(&lod->predicate, c, &matches, lod->engine.err);
    if (lod->engine.status || !matches ||
        !rln__span_has_range(&lod->reader->span, c->part, c->start_ns, bucket.end_ns))
        return lod->engine.status ? -1 : 0;
    if (lod->predicate.deferred)
        bucket.element = begun->event.element;
    if (has_end(lod, c, &end) && keep_end(lod, &bucket, end))
        return -1;
    if (rln__lod_add(lod, begun->row, &bucket,
                     is_started ? ns - (inside_ns < ns ? inside_ns : ns) : c->self_ns))
        return -1;
    if (is_nested)
        lod->names[lod->attrs[c->attr].name - 1].nested_ns += ns;
    return 0;
}

/* --- Everything else -------------------------------------------------------------- */

static rln_status visit_mark(struct rln__lod *lod, const struct rln__item *item,
                             int64_t t_ns, uint32_t part, rln_error *err)
{
    struct rln__lod_thread *t = rln__lod_thread_at(lod, item->thread);
    uint8_t has_payloads;
    const struct rln__lod_event event = event_of(lod, item, part, &has_payloads);
    const struct rln__range_bucket bucket = {
        .start_ns = t_ns,
        .end_ns = t_ns,
        .address = event.address,
        .end_thread = lod->predicate.deferred ? event.element : item->thread,
        .value_type = value_type_of(lod, item),
        .has_payloads = has_payloads & 1u,
        .attr = item->ref,
        .n = 1,
    };
    int matches = 1;
    rln_status status = RLN_OK;

    if (lod->reader->filter)
        status = rln__predicate_mark(&lod->predicate, item, part, &matches, err);
    if (status || !matches || !rln__span_has(&lod->reader->span, part, t_ns))
        return status;

    if (t && !t->marks) {
        const struct rln__lod_row_key key = {t->thread, t->lane, 0, t->scope};

        t->marks = rln__lod_row(lod, RLN__LOD_MARKS, &key) + 1; /* NONE: 0 */
    }
    return !t || !t->marks || rln__lod_add(lod, t->marks - 1, &bucket, 0)
               ? rln__fail_nomem(err)
               : RLN_OK;
}

static int visit_marked(void *context, const struct rln__item *mark, int64_t t_ns,
                        uint32_t part)
{
    struct rln__lod *lod = context;

    lod->engine.status = visit_mark(lod, mark, t_ns, part, lod->engine.err);
    return lod->engine.status ? -1 : 0;
}

/* Opens a range that was open when the segment began. */
int rln__lod_seed(struct rln__lod *lod, const struct rln__lod_segment *segment,
                  const struct rln__lod_seed *seed)
{
    struct rln__pairing *p = &lod->engine.pairing;
    const uint32_t index =
        rln__pair_push(p, seed->domain_id, segment->thread, seed->t_ns, seed->attr);
    struct rln__lod_begun *begun = index == RLN__NONE ? NULL : begun_at(lod, index);

    if (!begun)
        return -1;
    p->pool[index].part = (uint16_t)segment->chunk.part;
    p->pool[index].state = seed->state;
    p->pool[index].value = seed->held;
    p->pool[index].node = seed->level + 1;
    p->threads[segment->thread].clock_ns = seed->t_ns;
    *begun = (struct rln__lod_begun){.event = {seed->address, 0},
                                     .value_type = seed->value_type,
                                     .has_payloads = seed->has_payloads};
    return begin_pushed(lod, &p->pool[index], begun);
}

/* Notes where events were lost. */
static int note_gap(struct rln__lod *lod, const struct rln__item *item, int64_t t_ns,
                    uint32_t part)
{
    struct rln__lod_gap *gap;

    if (lod->n_gaps == RLN__LOD_GAPS ||
        !rln__span_has(&lod->reader->span, part, t_ns) ||
        !rln__predicate_matches_thread(&lod->predicate, item->thread))
        return 0;
    gap = rln__append(&lod->gaps, &lod->n_gaps, &lod->gaps_capacity, sizeof(*gap));
    if (!gap)
        return -1;
    *gap = (struct rln__lod_gap){t_ns, item->value, item->thread};
    return 0;
}

static void count_all(struct rln__lod *lod, uint64_t n, int64_t first_ns,
                      int64_t last_ns)
{
    if (!lod->n_events || first_ns < lod->first_ns)
        lod->first_ns = first_ns;
    if (!lod->n_events || last_ns > lod->last_ns)
        lod->last_ns = last_ns;
    lod->n_events += n;
}

static void count(struct rln__lod *lod, int64_t t_ns, uint32_t part)
{
    rln__part_ends_see(&lod->engine.part_ends, part, t_ns);
    count_all(lod, 1, t_ns, t_ns);
}

static void count_run(void *lod, uint64_t n_events, uint64_t n_marks, uint64_t n_closed,
                      int64_t first_ns, int64_t last_ns)
{
    (void)n_marks;
    (void)n_closed;
    count_all(lod, n_events, first_ns, last_ns);
}

static const struct rln__range_ops ops = {
    .tag = tag,
    .open = opened,
    .close = closed,
    .marked = visit_marked,
    .counted = count_run,
};

RLN__INLINE int is_in_segment(const struct rln__lod_thread *t, uint64_t offset,
                              uint32_t part)
{
    return offset - t->chunk_offset < t->chunk_bytes && t->part == part;
}

/* Begins a segment if the event is its thread's first in a chunk. 0, or -1: no
 * memory. */
RLN__INLINE int begin_segment(struct rln__lod *lod, const struct rln__item *item,
                              int64_t t_ns, uint32_t part)
{
    struct rln__lod_thread *t = rln__lod_thread_at(lod, item->thread);

    if (!t)
        return -1;
    return is_in_segment(t, item->offset, part)
               ? 0
               : rln__lod_begin_segment(lod, t, item, t_ns, part);
}

RLN__INLINE rln_status visit(void *context, const struct rln__item *item, int64_t t_ns,
                             uint32_t part, rln_error *err)
{
    struct rln__lod *lod = context;

    if (!lod->is_narrow && begin_segment(lod, item, t_ns, part))
        return rln__fail_nomem(err);
    if (item->kind == RLN__ITEM_GAP && note_gap(lod, item, t_ns, part))
        return rln__fail_nomem(err);
    if (item->kind >= RLN__ITEM_THREAD)
        return rln__engine_restate(&lod->engine, &ops, lod, item, t_ns, part, err);
    count(lod, t_ns, part);
    if (lod->is_narrow && item->kind != RLN__PUSH && item->kind != RLN__POP &&
        item->kind != RLN__MARK)
        return RLN_OK;
    switch (item->kind) {
    case RLN__PUSH:
    case RLN__POP:
    case RLN__START:
    case RLN__END:
        if (rln__engine_event(&lod->engine, &ops, lod, item, t_ns, part))
            return lod->engine.status ? lod->engine.status : rln__fail_nomem(err);
        return RLN_OK;
    case RLN__MARK:
        return visit_mark(lod, item, t_ns, part, err);
    case RLN__SAMPLE:
        return rln__lod_sample(lod, item, t_ns, part, err);
    case RLN__NO_VALUE:
        return rln__lod_no_value(lod, item, t_ns, part, err);
    default:
        return RLN_OK;
    }
}

/* With a filter, each event is an item: its payloads may be looked at. So is the first of
 * a segment. */
static rln_status visit_run(void *context, const struct rln__word_run *run,
                            size_t *n_taken, uint64_t *last_word, rln_error *err)
{
    struct rln__lod *lod = context;
    struct rln__lod_thread *t = rln__lod_thread_at(lod, run->thread);

    *n_taken = 0;
    if (!t)
        return rln__fail_nomem(err);
    if (lod->reader->filter ||
        (!lod->is_narrow && !is_in_segment(t, run->offset, run->part)))
        return RLN_OK;
    return rln__engine_run(&lod->engine, &ops, lod, run, n_taken, last_word, err);
}

rln_status rln__lod_read_chunks(struct rln__lod *lod,
                                const struct rln__chunk_info *chunks, size_t n,
                                rln_error *err)
{
    struct rln__scan scan = {.reader = lod->reader};
    rln_status status = rln__stream_init(&scan.stream, lod->reader, 32768, err);

    for (size_t i = 0; i < n && !status; i++) {
        status = rln__stream_begin(&scan.stream, &chunks[i], err);
        if (!status)
            status = rln__scan_chunk(&scan, visit, visit_run, lod, err);
    }
    if (!status)
        status = rln__scan_flush(&scan, visit, lod, err);
    rln__scan_clear(&scan);
    return status;
}

rln_status rln__lod_begin_events(struct rln__lod *lod, rln_error *err)
{
    return rln__scan_steps_init(&lod->building->scan, lod->reader, err);
}

rln_status rln__lod_read_chunk(struct rln__lod *lod, rln_error *err)
{
    return rln__scan_step(&lod->building->scan, visit, visit_run, lod, err);
}

/* Each lane is treated as a thread. */
static rln_status read_deferred(struct rln__lod *lod,
                                struct rln__deferred_events *deferred_events,
                                const struct rln__deferred_event *e, rln_error *err)
{
    struct rln__lod_thread *t =
        rln__lod_thread_at(lod, (uint32_t)lod->reader->n_threads + e->lane);
    const struct rln__deferred_source deferred = {
        rln__deferred_event_address(deferred_events, e),
        rln__deferred_origin(deferred_events, lod->reader, e)};
    const uint32_t part = deferred_events->records[e->record].part;
    struct rln__item item;
    rln_status status;

    if (!t)
        return rln__fail_nomem(err);
    if (e->why_unplaced)
        return RLN_OK;
    t->thread = deferred.origin.thread;
    t->lane = e->lane;
    t->scope = rln__strings_get(&lod->reader->names.strings, e->scope_path);
    lod->predicate.deferred = &deferred;
    lod->is_at_deferred_end = e->kind == RLN__POP || e->kind == RLN__END;
    rln__deferred_events_item(deferred_events, lod->reader, e, &item);
    if (item.kind == RLN__SAMPLE) {
        count(lod, e->t_ns, part);
        status = rln__lod_deferred_sample(lod, deferred_events, e, err);
    } else {
        status = visit(lod, &item, e->t_ns, part, err);
    }
    lod->predicate.deferred = NULL;
    lod->is_at_deferred_end = 0;
    return status;
}

rln_status rln__lod_begin_deferred(struct rln__lod *lod, rln_error *err)
{
    return rln__deferred_events_load(&lod->building->deferred, lod->reader, err);
}

rln_status rln__lod_read_some_deferred(struct rln__lod *lod, size_t n, rln_error *err)
{
    struct rln__lod_building *b = lod->building;
    rln_status status = RLN_OK;

    for (size_t i = 0; i < n && !status; i++) {
        if (b->n_deferred_done == b->deferred.n)
            return RLN_END;
        status = read_deferred(lod, &b->deferred,
                               &b->deferred.events[b->n_deferred_done++], err);
    }
    return status;
}

rln_status rln__lod_close_open(struct rln__lod *lod, rln_error *err)
{
    if (rln__engine_finish(&lod->engine, &ops, lod))
        return lod->engine.status ? lod->engine.status : rln__fail_nomem(err);
    return RLN_OK;
}
