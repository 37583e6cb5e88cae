/* SPDX-License-Identifier: Apache-2.0 */
#include "import/row_expansion.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/heap.h"

#include <string.h>

#define MOST_LANES 64 /* of a thread; a range that crosses others checks each lane */
#define THREAD_WORDS 5
#define NAME_BYTES 16

/* --- Lanes ------------------------------------------------------------------------ */

static uint32_t find_lane(struct rln__row_expansion *u, uint32_t process, uint32_t tid,
                          uint32_t which)
{
    const struct rln__key key = {{process, tid, which}};
    const uint32_t number = rln__key_index_number(&u->threads, &key);
    struct rln__import_lane *lane;

    if (number < u->n_lanes)
        return number;
    lane = rln__key_index_item(&u->lanes, &u->n_lanes, &u->capacity, number,
                               sizeof(*lane));
    if (!lane)
        return RLN__NO_LANE;
    *lane = (struct rln__import_lane){
        .stream = {.process = process, .thread = number + 1, .tid = tid},
        .next = RLN__NO_LANE,
    };
    return number;
}

uint32_t rln__row_expansion_thread(struct rln__row_expansion *u, uint32_t process,
                                   uint32_t tid)
{
    return find_lane(u, process, tid, 0);
}

static struct rln__end_stack *stack_of(struct rln__row_expansion *u, uint32_t lane,
                                       uint32_t domain, uint32_t *number)
{
    const struct rln__key key = {{lane, domain}};

    *number = rln__key_index_number(&u->by_domain, &key);
    return rln__key_index_item(&u->stacks, &u->n_stacks, &u->stacks_capacity, *number,
                               sizeof(*u->stacks));
}

/* --- The heap of ends ------------------------------------------------------------- */

/* Of ranges that end at the same time, the last to begin ends first. */
static int is_before(const void *a, const void *b)
{
    const struct rln__open_end *x = a, *y = b;

    return x->end_ns != y->end_ns ? x->end_ns < y->end_ns : x->order > y->order;
}

static int add_end(struct rln__import_lane *lane, const struct rln__open_end *end)
{
    if (!rln__append(&lane->heap, &lane->n, &lane->capacity, sizeof(*end)))
        return -1;
    rln__heap_add(lane->heap, lane->n, end, sizeof(*end), is_before);
    return 0;
}

static struct rln__open_end take_end(struct rln__import_lane *lane)
{
    const struct rln__open_end first = lane->heap[0];
    const struct rln__open_end last = lane->heap[--lane->n];

    rln__heap_replace(lane->heap, lane->n, &last, sizeof(last), is_before);
    return first;
}

/* --- Records ---------------------------------------------------------------------- */

struct event {
    unsigned kind; /* enum rln__kind, of one word */
    uint32_t id;
    int has_value;
    uint64_t value;
    const struct rln__folded *row; /* the row with its payloads; or NULL */
};

static unsigned short_kind(const struct event *e)
{
    if (!e->has_value || e->kind >= RLN__END)
        return e->kind;
    return e->kind == RLN__START ? RLN__START_VALUE
                                 : e->kind - RLN__MARK + RLN__MARK_VALUE;
}

/* Whether the stream's next record can be short: its time and id fit. */
static int is_short(const struct rln__scratch_trace_stream *s, const struct event *e,
                    uint64_t ticks)
{
    const size_t n_bytes = e->has_value ? 16 : 8;

    if (e->id > RLN__MAX_ID || (e->row && e->row->n_payloads))
        return 0;
    return !s->at || n_bytes > s->size - s->used ||
           ticks - s->base_ticks < (uint64_t)1 << RLN__TICKS_BITS;
}

static rln_status put_long(struct rln__row_expansion *u,
                           struct rln__scratch_trace_stream *s, const struct event *e,
                           uint64_t ticks, uint64_t *place, rln_error *err)
{
    const uint32_t n_payloads = e->row ? e->row->n_payloads : 0;
    const size_t n_head = e->has_value ? 4 : 3;
    const size_t n_words = n_head + (n_payloads ? e->row->n_segment_words : 0);
    uint64_t *w = rln__scratch_trace_take(u->trace, s, ticks, n_words, place, err);

    if (!w)
        return u->trace->failed;
    w[0] = rln__long_word(RLN__LONG, n_payloads ? RLN__SUB_PAYLOADS : RLN__SUB_EVENT,
                          n_words);
    w[1] = ticks;
    w[2] = (uint64_t)e->kind |
           (uint64_t)(e->has_value ? RLN__EVENT_HAS_VALUE : 0) << 8 |
           (uint64_t)n_payloads << 16 | (uint64_t)e->id << 32;
    if (e->has_value)
        w[3] = e->value;
    if (n_payloads)
        memcpy(w + n_head, e->row->segments, e->row->n_segment_words * sizeof(*w));
    return RLN_OK;
}

static rln_status put(struct rln__row_expansion *u, uint32_t lane,
                      const struct event *e, int64_t t_ns, uint64_t *place,
                      rln_error *err)
{
    struct rln__scratch_trace_stream *s = &u->lanes[lane].stream;
    const uint64_t ticks = rln__scratch_trace_ticks(t_ns);
    uint64_t *w;

    if (!is_short(s, e, ticks))
        return put_long(u, s, e, ticks, place, err);
    w = rln__scratch_trace_take(u->trace, s, ticks, e->has_value ? 2 : 1, place, err);
    if (!w)
        return u->trace->failed;
    w[0] = (ticks - s->base_ticks) << RLN__TICKS_SHIFT |
           (uint64_t)e->id << RLN__ID_SHIFT | short_kind(e);
    if (e->has_value)
        w[1] = e->value;
    return RLN_OK;
}

/* Writes the ends on a lane up to `until_ns`. */
static rln_status drain(struct rln__row_expansion *u, uint32_t lane, int64_t until_ns,
                        rln_error *err)
{
    rln_status status = RLN_OK;

    while (!status && u->lanes[lane].n && u->lanes[lane].heap[0].end_ns <= until_ns) {
        const struct rln__open_end end = take_end(&u->lanes[lane]);
        const struct event e = {.kind = end.range ? RLN__END : RLN__POP,
                                .id = end.domain,
                                .has_value = end.range != 0,
                                .value = end.range};

        if (!end.range)
            u->stacks[end.stack].n--;
        status = put(u, lane, &e, end.end_ns, NULL, err);
    }
    return status;
}

uint64_t *rln__row_expansion_take(struct rln__row_expansion *u, uint32_t lane,
                                  int64_t t_ns, size_t n_words, rln_error *err)
{
    if (drain(u, lane, t_ns, err))
        return NULL;
    return rln__scratch_trace_take(u->trace, &u->lanes[lane].stream,
                                   rln__scratch_trace_ticks(t_ns), n_words, NULL, err);
}

rln_status rln__row_expansion_name(struct rln__row_expansion *u, uint32_t lane,
                                   int64_t t_ns, rln_text name, rln_error *err)
{
    const struct rln__scratch_trace_stream *s = &u->lanes[lane].stream;
    uint64_t *w = rln__row_expansion_take(u, lane, t_ns, THREAD_WORDS, err);

    if (!w)
        return u->trace->failed;
    w[0] = rln__long_word(RLN__LONG, RLN__SUB_THREAD, THREAD_WORDS);
    w[1] = rln__scratch_trace_ticks(t_ns);
    w[2] = rln__pair32(s->thread, s->tid);
    memcpy(w + 3, name.bytes, name.length < NAME_BYTES ? name.length : NAME_BYTES);
    return RLN_OK;
}

/* --- Rows ------------------------------------------------------------------------- */

/* The lane on which the range nests; RLN__NO_LANE if there is none. */
static rln_status choose_lane(struct rln__row_expansion *u,
                              const struct rln__folded *row, uint32_t *lane,
                              uint32_t *stack, rln_error *err)
{
    uint32_t at = row->lane;

    for (uint32_t i = 0; i < MOST_LANES; i++) {
        const struct rln__end_stack *ends;
        rln_status status = drain(u, at, row->start_ns, err);

        if (status)
            return status;
        ends = stack_of(u, at, row->domain, stack);
        if (!ends)
            return rln__fail_nomem(err);
        if (!ends->n || row->end_ns <= ends->ends[ends->n - 1]) {
            *lane = at;
            return RLN_OK;
        }
        if (u->lanes[at].next == RLN__NO_LANE) {
            const uint32_t next = find_lane(u, u->lanes[at].stream.process,
                                            u->lanes[at].stream.tid, i + 1);

            if (next == RLN__NO_LANE)
                return rln__fail_nomem(err);
            u->lanes[at].next = next;
        }
        at = u->lanes[at].next;
    }
    *lane = RLN__NO_LANE;
    return RLN_OK;
}

/* A range that is never closed has no end record. */
static int add_open_end(struct rln__row_expansion *u, const struct rln__folded *row,
                        uint32_t lane, uint32_t stack, uint64_t place)
{
    const struct rln__open_end end = {.end_ns = row->end_ns,
                                      .order = u->n_begun++,
                                      .range = row->kind == RLN__START ? place : 0,
                                      .domain = row->domain,
                                      .stack = stack};

    if (row->kind == RLN__PUSH) {
        struct rln__end_stack *s = &u->stacks[stack];
        int64_t *added = rln__append(&s->ends, &s->n, &s->capacity, sizeof(*added));

        if (!added)
            return -1;
        *added = row->end_ns;
    }
    return row->end_ns == RLN__OPEN_END ? 0 : add_end(&u->lanes[lane], &end);
}

rln_status rln__row_expansion_add(struct rln__row_expansion *u,
                                  const struct rln__folded *row, int *is_lost,
                                  rln_error *err)
{
    const struct event e = {.kind = row->kind,
                            .id = row->attributes,
                            .has_value = row->has_value,
                            .value = row->value,
                            .row = row};
    uint32_t lane = row->lane, stack = 0;
    uint64_t place;
    rln_status status = row->kind == RLN__PUSH ? choose_lane(u, row, &lane, &stack, err)
                                               : drain(u, lane, row->start_ns, err);

    *is_lost = !status && lane == RLN__NO_LANE;
    if (status || *is_lost)
        return status;
    status = put(u, lane, &e, row->start_ns, &place, err);
    if (status || (row->kind != RLN__PUSH && row->kind != RLN__START))
        return status;
    if (add_open_end(u, row, row->kind == RLN__START ? row->end_lane : lane, stack,
                     place))
        return rln__fail_nomem(err);
    return RLN_OK;
}

rln_status rln__row_expansion_end(struct rln__row_expansion *u, rln_error *err)
{
    rln_status status = RLN_OK;

    for (size_t i = 0; i < u->n_lanes && !status; i++) {
        status = drain(u, (uint32_t)i, RLN__OPEN_END, err);
        if (!status)
            status = rln__scratch_trace_end(u->trace, &u->lanes[i].stream, err);
    }
    return status;
}

void rln__row_expansion_clear(struct rln__row_expansion *u)
{
    for (size_t i = 0; i < u->n_lanes; i++) {
        rln__free(u->lanes[i].stream.bytes);
        rln__free(u->lanes[i].heap);
    }
    for (size_t i = 0; i < u->n_stacks; i++)
        rln__free(u->stacks[i].ends);
    rln__free(u->lanes);
    rln__free(u->stacks);
    rln__key_index_clear(&u->threads);
    rln__key_index_clear(&u->by_domain);
    memset(u, 0, sizeof(*u));
}
