/* SPDX-License-Identifier: Apache-2.0 */
/* lod_build.c - the pass over a trace that builds an index. */
#include "timeline/lod_build.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/events.h"
#include "trace/order/scan.h"

#include <string.h>

#define PAUSE_MASK 0xffffu /* items between two pauses: about a millisecond */

/* --- Threads ---------------------------------------------------------------------- */

static struct rln__lod_thread *thread_at(struct rln__lod *lod, uint32_t index)
{
    struct rln__lod_thread *threads;
    const size_t n = lod->n_threads;

    if (index < n)
        return &lod->threads[index];
    threads = rln__grow(lod->threads, &lod->threads_capacity, (size_t)index + 1,
                        sizeof(*threads));
    if (!threads)
        return NULL;
    memset(threads + n, 0, ((size_t)index + 1 - n) * sizeof(*threads));
    for (size_t i = n; i <= index; i++) {
        threads[i].thread = (uint32_t)i;
        threads[i].lane = RLN__NONE;
    }
    lod->threads = threads;
    lod->n_threads = (size_t)index + 1;
    return &threads[index];
}

/* The row of a level; RLN__NONE when there is no memory. */
static uint32_t row_of_level(struct rln__lod *lod, uint32_t index, uint32_t level)
{
    struct rln__lod_thread *t = thread_at(lod, index);
    const uint32_t at = level < RLN__LOD_LEVELS ? level : RLN__LOD_LEVELS;

    if (t && at < t->n_rows && t->rows[at])
        return t->rows[at] - 1;
    if (t && at >= t->n_rows) {
        const uint32_t cache = (at | 7) + 1;
        uint32_t *rows = rln__resize(t->rows, cache, sizeof(*rows));

        if (!rows)
            return RLN__NONE;
        memset(rows + t->n_rows, 0, (cache - t->n_rows) * sizeof(*rows));
        t->rows = rows;
        t->n_rows = cache;
    }
    if (t) {
        const struct rln__lod_place place = {t->thread, t->lane, at};
        const uint32_t row = rln__lod_row(lod, RLN__LOD_PUSHED, &place);

        t->rows[at] = row == RLN__NONE ? 0 : row + 1;
        if (at && t->rows[at] && t->rows[at - 1] && t->rows[at - 1] != t->rows[at])
            lod->rows[row].above = t->rows[at - 1] - 1;
        return row;
    }
    return RLN__NONE;
}

/* The first free lane; the last one is shared. */
static uint32_t take_lane(struct rln__lod *lod, uint32_t index, int64_t t_ns)
{
    struct rln__lod_thread *t = thread_at(lod, index);
    struct rln__lod_lane *lanes;

    if (!t)
        return RLN__NONE;
    for (uint32_t i = 0; i < t->n_lanes; i++) {
        if (i == RLN__LOD_LEVELS ||
            (!t->lanes[i].is_busy && t->lanes[i].free_ns <= t_ns))
            return i;
    }
    lanes = rln__resize(t->lanes, t->n_lanes + 1, sizeof(*lanes));
    if (!lanes)
        return RLN__NONE;
    t->lanes = lanes;
    lanes[t->n_lanes] = (struct rln__lod_lane){INT64_MIN, 0};
    return t->n_lanes++;
}

uint32_t rln__lod_row_for(struct rln__lod *lod, uint32_t thread, int64_t start_ns,
                          int64_t end_ns)
{
    const uint32_t lane = take_lane(lod, thread, start_ns);
    struct rln__lod_lane *taken;

    if (lane == RLN__NONE)
        return RLN__NONE;
    taken = &lod->threads[thread].lanes[lane];
    taken->free_ns = end_ns > taken->free_ns ? end_ns : taken->free_ns;
    return row_of_level(lod, thread, lane);
}

/* --- Adding ----------------------------------------------------------------------- */

static uint64_t place_of(const struct rln__item *item, uint32_t part)
{
    return (uint64_t)part << RLN__PLACE_SHIFT | item->offset;
}

/* Whether the selected window shows any part of [from, to]. */
static int is_shown(const struct rln__lod *lod, uint32_t part, int64_t from_ns,
                    int64_t to_ns)
{
    return rln__span_has_range(&lod->reader->span, part, from_ns, to_ns);
}

static int add_range(struct rln__lod *lod, const struct rln__open *open,
                     const struct rln__lod_begun *begun,
                     struct rln__range_bucket *bucket)
{
    if (!is_shown(lod, open->part, open->t_ns, bucket->end_ns))
        return 0;
    bucket->start_ns = open->t_ns;
    bucket->place = begun->place;
    bucket->value_type = begun->value_type;
    bucket->n = 1;
    if (bucket->end_ns < bucket->start_ns)
        bucket->end_ns = bucket->start_ns;
    return rln__lod_add(lod, begun->row, bucket, begun->inside_ns);
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

/* --- Push and pop ----------------------------------------------------------------- */

/* The enclosing range, if it is still open; its index in the pool may be reused. */
static struct rln__lod_begun *enclosing_of(struct rln__lod *lod,
                                           const struct rln__lod_begun *begun)
{
    struct rln__lod_begun *enclosing;

    if (begun->enclosing == RLN__NONE)
        return NULL;
    enclosing = &lod->begun[begun->enclosing];
    return enclosing->number == begun->around_number &&
                   lod->pairing.pool[begun->enclosing].state != RLN__FREE
               ? enclosing
               : NULL;
}

/* Adds a range's time up to `until_ns` to the inside time of the enclosing range: when
 * either of them ends. */
static void count_inside(struct rln__lod *lod, uint32_t index, int64_t until_ns)
{
    const struct rln__open *open = &lod->pairing.pool[index];
    struct rln__lod_begun *begun = &lod->begun[index];
    struct rln__lod_begun *enclosing = enclosing_of(lod, begun);

    if (enclosing && !begun->is_counted && until_ns > open->t_ns &&
        is_shown(lod, open->part, open->t_ns, until_ns))
        enclosing->inside_ns += (uint64_t)until_ns - (uint64_t)open->t_ns;
    begun->is_counted = 1;
}

/* Whether the filter may want an open range. */
static int may_want(struct rln__lod *lod, uint32_t index)
{
    return !lod->reader->filter || rln__lod_may_want(lod, &lod->pairing.pool[index]);
}

/* A range that does not match in the end is left out: ranges inside it count as inside
 * the enclosing one. */
static void hand_on(struct rln__lod *lod, uint32_t index)
{
    struct rln__lod_begun *begun = &lod->begun[index];
    struct rln__lod_begun *enclosing = enclosing_of(lod, begun);

    if (enclosing)
        enclosing->inside_ns += begun->inside_ns;
    begun->inside_ns = 0;
}

/* Ranges of other domains may outlive the range in which they began. */
static void count_survivors(struct rln__lod *lod, uint32_t thread, uint32_t index,
                            int64_t t_ns, int matches)
{
    const struct rln__lod_begun ended = lod->begun[index];

    for (uint32_t i = rln__pair_innermost(&lod->pairing, thread);
         i != RLN__NONE && lod->begun[i].number > ended.number;
         i = lod->pairing.pool[i].older) {
        struct rln__lod_begun *survivor = &lod->begun[i];

        if (survivor->enclosing != index || survivor->around_number != ended.number)
            continue;
        if (matches && may_want(lod, i))
            count_inside(lod, i, t_ns);
        survivor->enclosing = ended.enclosing;
        survivor->around_number = ended.around_number;
    }
}

int rln__lod_begin_pushed(struct rln__lod *lod, uint32_t thread, uint32_t enclosing,
                          uint32_t index, const struct rln__lod_begun *like)
{
    const uint32_t level = enclosing == RLN__NONE ? 0 : lod->begun[enclosing].level + 1;
    struct rln__lod_begun *begun = begun_at(lod, index);

    if (!begun)
        return -1;
    *begun = *like;
    begun->level = level;
    begun->number = ++lod->n_begun;
    /* A range known not to match encloses nothing. */
    if (enclosing != RLN__NONE && !may_want(lod, enclosing))
        enclosing = enclosing_of(lod, &lod->begun[enclosing])
                        ? lod->begun[enclosing].enclosing
                        : RLN__NONE;
    begun->enclosing = enclosing;
    begun->around_number = enclosing == RLN__NONE ? 0 : lod->begun[enclosing].number;
    begun->row = row_of_level(lod, thread, level);
    return begun->row == RLN__NONE ? -1 : 0;
}

static rln_status visit_push(struct rln__lod *lod, const struct rln__item *item,
                             int64_t t_ns, uint32_t part, rln_error *err)
{
    const uint32_t enclosing = rln__pair_innermost(&lod->pairing, item->thread);
    const struct rln__lod_begun like = {.place = place_of(item, part),
                                        .value_type = value_type_of(lod, item)};
    const uint32_t index =
        rln__pair_push(&lod->pairing, lod->reader->names.attrs[item->ref].domain_id,
                       item->thread, t_ns, item->ref);

    if (index == RLN__NONE)
        return rln__fail_nomem(err);
    lod->pairing.pool[index].part = (uint16_t)part;
    if (rln__lod_begin_pushed(lod, item->thread, enclosing, index, &like))
        return rln__fail_nomem(err);
    return lod->reader->filter ? rln__lod_note_begin(lod, item, part, index, err)
                               : RLN_OK;
}

static rln_status end_range(struct rln__lod *lod, const struct rln__item *item,
                            int64_t t_ns, uint32_t index, rln_error *err)
{
    struct rln__open *open = &lod->pairing.pool[index];
    struct rln__range_bucket bucket = {
        .end_ns = t_ns, .end_thread = item->thread, .attr = open->attr};
    rln_status status = RLN_OK;
    int matches;

    if (rln__item_payloads(item)) {
        status = rln__closing_attr(lod->reader, open->part, item, &bucket.attr, err);
        if (!status)
            status = rln__lod_test_payloads(lod, item, open->part, &open->value, err);
    }
    matches = rln__lod_has_range(lod, open, bucket.attr, t_ns);
    count_survivors(lod, open->thread, index, t_ns, matches);
    if (matches)
        count_inside(lod, index, t_ns);
    else
        hand_on(lod, index);
    rln__pair_release(&lod->pairing, index);
    if (!status && matches && add_range(lod, open, &lod->begun[index], &bucket))
        status = rln__fail_nomem(err);
    return status;
}

static rln_status visit_pop(struct rln__lod *lod, const struct rln__item *item,
                            int64_t t_ns, rln_error *err)
{
    uint32_t index, depth;

    (void)rln__pair_pop(&lod->pairing, item->thread, item->ref, &index, &depth);
    return index == RLN__NONE ? RLN_OK : end_range(lod, item, t_ns, index, err);
}

/* --- Start and end ---------------------------------------------------------------- */

static void free_lane(struct rln__lod *lod, const struct rln__open *open,
                      const struct rln__lod_begun *begun, int64_t t_ns)
{
    struct rln__lod_lane *lane = &lod->threads[open->thread].lanes[begun->level];

    lane->is_busy = 0;
    lane->free_ns = t_ns > lane->free_ns ? t_ns : lane->free_ns;
}

static rln_status end_started(struct rln__lod *lod, const struct rln__item *item,
                              int64_t t_ns, uint32_t index, rln_error *err)
{
    free_lane(lod, &lod->pairing.pool[index], &lod->begun[index], t_ns);
    return end_range(lod, item, t_ns, index, err);
}

static rln_status visit_start(struct rln__lod *lod, const struct rln__item *item,
                              int64_t t_ns, uint32_t part, rln_error *err)
{
    const uint64_t id = rln__start_id(lod->reader, part, item);
    const uint64_t early = lod->early.n ? rln__map_get(&lod->early, id) : 0;
    const uint32_t lane = take_lane(lod, item->thread, t_ns);
    const uint32_t index =
        lane == RLN__NONE
            ? RLN__NONE
            : rln__pair_start(&lod->pairing, id, item->thread, t_ns, item->ref);
    struct rln__lod_begun *begun = index == RLN__NONE ? NULL : begun_at(lod, index);
    struct rln__lod_place place;
    rln_status status = RLN_OK;

    if (!begun)
        return rln__fail_nomem(err);
    lod->pairing.pool[index].part = (uint16_t)part;
    lod->threads[item->thread].lanes[lane].is_busy = 1;
    place = (struct rln__lod_place){lod->threads[item->thread].thread,
                                    lod->threads[item->thread].lane, lane};
    *begun = (struct rln__lod_begun){.place = place_of(item, part),
                                     .level = lane,
                                     .row = rln__lod_row(lod, RLN__LOD_STARTED, &place),
                                     .number = ++lod->n_begun,
                                     .enclosing = RLN__NONE,
                                     .value_type = value_type_of(lod, item)};
    if (begun->row == RLN__NONE)
        return rln__fail_nomem(err);
    if (lod->reader->filter)
        status = rln__lod_note_begin(lod, item, part, index, err);
    if (!status && early && lod->ends[early - 1].t_ns >= t_ns) {
        const struct rln__lod_end end = lod->ends[early - 1];

        (void)rln__map_remove(&lod->early, id);
        (void)rln__pair_end(&lod->pairing, id);
        return end_started(lod, &end.item, end.t_ns, index, err);
    }
    return status;
}

/* Its start may still come in another thread's chunk. */
static rln_status keep_end(struct rln__lod *lod, const struct rln__item *item,
                           int64_t t_ns, uint32_t part, rln_error *err)
{
    const uint64_t id = rln__range_id(part, item->value);
    struct rln__lod_end *ends;

    if (rln__start_is_overwritten(lod->reader, part, item->value) ||
        rln__map_get(&lod->early, id))
        return RLN_OK;
    ends = rln__grow(lod->ends, &lod->ends_capacity, lod->n_ends + 1, sizeof(*ends));
    if (!ends)
        return rln__fail_nomem(err);
    lod->ends = ends;
    ends[lod->n_ends++] = (struct rln__lod_end){*item, t_ns, part};
    return rln__map_put(&lod->early, id, lod->n_ends) ? rln__fail_nomem(err) : RLN_OK;
}

static rln_status visit_end(struct rln__lod *lod, const struct rln__item *item,
                            int64_t t_ns, uint32_t part, rln_error *err)
{
    const uint64_t id = rln__range_id(part, item->value);
    const uint32_t index = rln__pair_end(&lod->pairing, id);

    if (index == RLN__NONE)
        return keep_end(lod, item, t_ns, part, err);
    if (t_ns < lod->pairing.pool[index].t_ns) /* not the end of this range */
        return rln__map_put(&lod->pairing.starts, id, (uint64_t)index + 1)
                   ? rln__fail_nomem(err)
                   : RLN_OK;
    return end_started(lod, item, t_ns, index, err);
}

/* --- Everything else -------------------------------------------------------------- */

static rln_status visit_mark(struct rln__lod *lod, const struct rln__item *item,
                             int64_t t_ns, uint32_t part, rln_error *err)
{
    struct rln__lod_thread *t = thread_at(lod, item->thread);
    const struct rln__range_bucket bucket = {
        .start_ns = t_ns,
        .end_ns = t_ns,
        .place = place_of(item, part),
        .end_thread = item->thread,
        .value_type = value_type_of(lod, item),
        .attr = item->ref,
        .n = 1,
    };
    int matches = 1;
    rln_status status = RLN_OK;

    if (lod->reader->filter)
        status = rln__lod_query_mark(lod, item, part, &matches, err);
    if (status || !matches || !rln__span_has(&lod->reader->span, part, t_ns))
        return status;

    if (t && !t->marks) {
        const struct rln__lod_place place = {t->thread, t->lane, 0};

        t->marks = rln__lod_row(lod, RLN__LOD_MARKS, &place) + 1; /* NONE: 0 */
    }
    return !t || !t->marks || rln__lod_add(lod, t->marks - 1, &bucket, 0)
               ? rln__fail_nomem(err)
               : RLN_OK;
}

/* Opens a range that was open when the segment began. */
int rln__lod_seed(struct rln__lod *lod, const struct rln__lod_segment *segment,
                  const struct rln__lod_seed *seed)
{
    const uint32_t index = rln__pair_push(&lod->pairing, seed->domain_id,
                                          segment->thread, seed->t_ns, seed->attr);
    struct rln__lod_begun *begun = index == RLN__NONE ? NULL : begun_at(lod, index);

    if (!begun)
        return -1;
    lod->pairing.pool[index].part = (uint16_t)segment->chunk.part;
    lod->pairing.pool[index].state = seed->state;
    lod->pairing.pool[index].value = seed->held;
    *begun =
        (struct rln__lod_begun){.place = seed->place,
                                .level = seed->level,
                                .row = row_of_level(lod, segment->thread, seed->level),
                                .enclosing = RLN__NONE,
                                .value_type = seed->value_type};
    return begun->row == RLN__NONE ? -1 : 0;
}

static void count(struct rln__lod *lod, int64_t t_ns, uint32_t part)
{
    rln__part_ends_see(&lod->part_ends, part, t_ns);
    lod->first_ns = lod->n_events && lod->first_ns < t_ns ? lod->first_ns : t_ns;
    lod->last_ns = lod->n_events && lod->last_ns > t_ns ? lod->last_ns : t_ns;
    lod->n_events++;
}

/* Begins a segment if the event is its thread's first in a chunk. 0, or -1: no
 * memory. */
RLN__INLINE int is_first_of_chunk(struct rln__lod *lod, const struct rln__item *item,
                                  int64_t t_ns, uint32_t part)
{
    struct rln__lod_thread *t = thread_at(lod, item->thread);

    if (!t)
        return -1;
    if (item->offset - t->chunk_offset < t->chunk_bytes && t->part == part)
        return 0;
    return rln__lod_begin_segment(lod, t, item, t_ns, part);
}

int rln__lod_has_to_pause(struct rln__lod *lod)
{
    return (++lod->n_visited & PAUSE_MASK) == 0 && lod->pause &&
           lod->pause->wait(lod->pause->context);
}

RLN__INLINE rln_status visit(void *context, const struct rln__item *item, int64_t t_ns,
                             uint32_t part, rln_error *err)
{
    struct rln__lod *lod = context;

    if (rln__lod_has_to_pause(lod))
        return RLN_END;
    if (!lod->is_narrow && is_first_of_chunk(lod, item, t_ns, part))
        return rln__fail_nomem(err);
    if (item->kind >= RLN__ITEM_THREAD)
        return rln__lod_visit_reset(lod, item, t_ns, part, err);
    count(lod, t_ns, part);
    if (lod->is_narrow && item->kind != RLN__PUSH && item->kind != RLN__POP &&
        item->kind != RLN__MARK)
        return RLN_OK;
    switch (item->kind) {
    case RLN__PUSH:
        return visit_push(lod, item, t_ns, part, err);
    case RLN__POP:
        return visit_pop(lod, item, t_ns, err);
    case RLN__START:
        return visit_start(lod, item, t_ns, part, err);
    case RLN__END:
        return visit_end(lod, item, t_ns, part, err);
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

rln_status rln__lod_read_chunks(struct rln__lod *lod,
                                const struct rln__chunk_info *chunks, size_t n,
                                rln_error *err)
{
    struct rln__scan scan = {.reader = lod->reader};
    rln_status status = rln__stream_init(&scan.stream, lod->reader, 32768, err);

    for (size_t i = 0; i < n && !status; i++) {
        status = rln__stream_begin(&scan.stream, &chunks[i], err);
        if (!status)
            status = rln__scan_chunk(&scan, visit, NULL, lod, err);
    }
    if (!status)
        status = rln__scan_flush(&scan, visit, lod, err);
    rln__scan_clear(&scan);
    return status;
}

/* Deferred events. Each lane is treated as a thread. */
static rln_status build_deferred(struct rln__lod *lod, rln_error *err)
{
    const uint32_t n_threads = (uint32_t)lod->reader->n_threads;
    struct rln__deferred_events deferred_events;
    rln_status status = rln__deferred_events_load(&deferred_events, lod->reader, err);

    if (status)
        return status;
    for (size_t i = 0; i < deferred_events.n && !status; i++) {
        const struct rln__deferred_event *e = &deferred_events.events[i];
        struct rln__lod_thread *t = thread_at(lod, n_threads + e->lane);
        const struct rln__deferred_source deferred = {
            rln__deferred_events_place(&deferred_events, e),
            rln__deferred_origin(&deferred_events, lod->reader, e)};
        const uint32_t part = deferred_events.records[e->record].part;
        struct rln__item item;

        if (!t)
            status = rln__fail_nomem(err);
        if (status || e->why_unplaced)
            continue;
        t->thread = deferred.origin.thread;
        t->lane = e->lane;
        lod->deferred = &deferred;
        rln__deferred_events_item(&deferred_events, lod->reader, e, &item);
        item.thread = n_threads + e->lane;
        if (item.kind == RLN__SAMPLE) {
            count(lod, e->t_ns, part);
            status = rln__lod_deferred_sample(lod, &deferred_events, e, err);
        } else {
            status = visit(lod, &item, e->t_ns, part, err);
        }
        lod->deferred = NULL;
    }
    rln__deferred_events_clear(&deferred_events);
    return status;
}

static int is_unclosed(const struct rln__open *open)
{
    return open->state != RLN__FREE && !(open->state & RLN__LOST);
}

/* From the innermost outwards. */
static void count_unclosed(struct rln__lod *lod, uint32_t thread)
{
    for (uint32_t i = rln__pair_innermost(&lod->pairing, thread); i != RLN__NONE;
         i = lod->pairing.pool[i].older) {
        const struct rln__open *open = &lod->pairing.pool[i];

        if (!is_unclosed(open))
            continue;
        if (rln__lod_has_range(lod, open, open->attr, rln__lod_end_of_open(lod, open)))
            count_inside(lod, i, rln__lod_end_of_open(lod, open));
        else
            hand_on(lod, i);
    }
}

/* Ranges that were never closed end with the last event of their trace. */
static rln_status add_open(struct rln__lod *lod, rln_error *err)
{
    for (uint32_t thread = 0; thread < lod->n_threads; thread++)
        count_unclosed(lod, thread);
    for (size_t i = 0; i < lod->pairing.n_pool; i++) {
        const struct rln__open *open = &lod->pairing.pool[i];
        struct rln__range_bucket bucket = {
            .end_thread = open->thread, .attr = open->attr, .is_open = 1};

        if (!is_unclosed(open))
            continue;
        bucket.end_ns = rln__lod_end_of_open(lod, open);
        if (rln__lod_has_range(lod, open, open->attr, bucket.end_ns) &&
            add_range(lod, open, &lod->begun[i], &bucket))
            return rln__fail_nomem(err);
    }
    return RLN_OK;
}

rln_status rln__lod_build(struct rln__lod *lod, const struct rln__lod_pause *pause,
                          rln_error *err)
{
    rln_status status;

    lod->pause = pause;
    status = rln__scan_all(lod->reader, visit, NULL, lod, err);
    if (!status)
        status = build_deferred(lod, err);
    if (!status)
        status = rln__lod_build_gpu(lod, err);
    if (!status)
        status = add_open(lod, err);
    if (!status && rln__lod_catch_up(lod))
        status = rln__fail_nomem(err);
    for (size_t i = 0; i < lod->n_rows && !status; i++)
        status = rln__range_buckets_settle(&lod->rows[i].buckets) ? rln__fail_nomem(err)
                                                                  : RLN_OK;
    for (size_t i = 0; i < lod->n_rows; i++) {
        if (lod->rows[i].kind == RLN__LOD_COUNTER &&
            lod->rows[i].semantics.value_type == RLN_VALUE_DELTA)
            rln__sample_buckets_add_up(&lod->rows[i].sample_buckets);
    }
    rln__lod_end_building(lod);
    lod->is_complete = !status;
    return status;
}
