/* SPDX-License-Identifier: Apache-2.0 */
/* live_events.c - adds up the events since the previous refresh.
 *
 * An end may be read before its start, which another thread has recorded. It is dropped
 * after two refreshes.
 */
#include "live/live_events.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/event_fill.h"
#include "ranges/event_filter.h"

/* --- Names ------------------------------------------------------------------------ */

static uint32_t add_row(rln_live *live, const rln_attributes *with,
                        rln_range_style style)
{
    const struct rln__key key = {
        {rln__key_of_text(with->message), with->domain, style}};
    const uint32_t number = rln__key_index_number(&live->names, &key);
    rln_live_row *row = rln__key_index_item(&live->rows, &live->n_rows,
                                            &live->rows_capacity, number, sizeof(*row));

    if (!row)
        return RLN__NONE;
    row->style = style;
    row->domain = with->domain;
    row->domain_name = with->domain_name;
    row->message = with->message;
    return number;
}

/* RLN__NONE: no memory. */
static uint32_t row_of_new(rln_live *live, uint32_t attr, size_t slot,
                           rln_range_style style)
{
    uint32_t *rows = rln__grow_to(live->row_of_attr, &live->n_row_of_attr,
                                  &live->row_of_attr_capacity, slot, sizeof(*rows));
    rln_attributes with;

    if (!rows)
        return RLN__NONE;
    live->row_of_attr = rows;
    rln__fill_attributes(live->reader, attr, 0, &with);
    rows[slot] = add_row(live, &with, style) + 1; /* 0 if there is no memory */
    return rows[slot] - 1;
}

static inline uint32_t row_of(rln_live *live, uint32_t attr, rln_range_style style)
{
    const size_t slot = (size_t)attr * 2 + (style == RLN_RANGE_START_END);

    return slot < live->n_row_of_attr && live->row_of_attr[slot]
               ? live->row_of_attr[slot] - 1
               : row_of_new(live, attr, slot, style);
}

/* NULL: no memory. */
static inline struct rln__live_thread_sum *thread_at(rln_live *live, uint32_t index)
{
    struct rln__live_thread_sum *threads = live->threads;

    if (index >= live->n_threads)
        threads = rln__grow_to(threads, &live->n_threads, &live->threads_capacity,
                               index, sizeof(*threads));
    if (!threads)
        return NULL;
    live->threads = threads;
    return &threads[index];
}

/* --- What the engine asks and tells ----------------------------------------------- */

uint64_t rln__live_new_ns(const rln_live *live, int64_t start_ns, int64_t end_ns)
{
    const int64_t from_ns =
        start_ns > live->totals.from_ns ? start_ns : live->totals.from_ns;

    return end_ns > from_ns ? (uint64_t)(end_ns - from_ns) : 0;
}

/* A range's tag is its row. */
static uint32_t tag(void *live, uint32_t thread, uint32_t enclosing, uint32_t attr)
{
    (void)thread;
    (void)enclosing;
    return row_of(live, attr, RLN_RANGE_PUSH_POP);
}

static int opened(void *live, struct rln__open *range, const struct rln__item *begin,
                  uint32_t part)
{
    rln_live *l = live;

    if (range->state & RLN__STARTED)
        range->node = row_of(live, range->attr, RLN_RANGE_START_END);
    if (range->node == RLN__NONE)
        return -1;
    if (begin)
        l->engine.status =
            rln__predicate_begin(&l->predicate, begin, part, range, l->engine.err);
    return l->engine.status ? -1 : 0;
}

static int closed(void *context, const struct rln__closing *c)
{
    const int is_started = (c->state & RLN__STARTED) != 0;
    const int64_t ns = c->end_ns > c->start_ns ? c->end_ns - c->start_ns : 0;
    rln_live *live = context;
    uint32_t number = c->tag;
    uint64_t new_ns;
    int matches;
    rln_live_row *row;

    if (c->end)
        number = row_of(live, c->attr,
                        is_started ? RLN_RANGE_START_END : RLN_RANGE_PUSH_POP);
    if (c->end && number == RLN__NONE)
        return -1;
    live->engine.status =
        rln__predicate_end(&live->predicate, c, &matches, live->engine.err);
    /* Without memory, an earlier refresh may have failed to make its row. */
    if (live->engine.status || !matches || number >= live->n_rows)
        return live->engine.status ? -1 : 0;
    row = &live->rows[number];
    new_ns = rln__live_new_ns(live, c->start_ns, c->end_ns);
    row->total_ns += new_ns;
    row->self_ns += is_started ? new_ns : c->self_ns;
    row->n_ended++;
    row->n_all++;
    row->mean_ns += (uint64_t)ns; /* a sum until the refresh ends */
    row->max_ns = (uint64_t)ns > row->max_ns ? (uint64_t)ns : row->max_ns;
    return 0;
}

static const struct rln__range_ops ops = {.tag = tag, .open = opened, .close = closed};

/* --- Events ----------------------------------------------------------------------- */

static int visit_event(rln_live *live, const struct rln__item *item, uint32_t part,
                       int64_t t_ns)
{
    struct rln__live_thread_sum *thread = thread_at(live, item->thread);

    if (!thread)
        return -1;
    thread->n_events++;
    thread->last_ns = t_ns > thread->last_ns ? t_ns : thread->last_ns;
    if (live->totals.n_all++ == 0)
        live->first_ns = live->last_ns = t_ns;
    live->totals.n_events++;
    live->first_ns = t_ns < live->first_ns ? t_ns : live->first_ns;
    live->last_ns = t_ns > live->last_ns ? t_ns : live->last_ns;
    return rln__engine_event(&live->engine, &ops, live, item, t_ns, part);
}

rln_status rln__live_visit(void *context, const struct rln__item *item, int64_t t_ns,
                           uint32_t part, rln_error *err)
{
    rln_live *live = context;

    if (item->kind < RLN__ITEM_THREAD)
        return !visit_event(live, item, part, t_ns) ? RLN_OK
               : live->engine.status                ? live->engine.status
                                                    : rln__fail_nomem(err);
    if (item->kind == RLN__ITEM_GAP)
        live->totals.n_lost += item->value;
    if (item->kind == RLN__ITEM_CONTINUED && live->n_refreshes > 1)
        live->totals.n_overruns++;
    return rln__engine_restate(&live->engine, &ops, live, item, t_ns, part, err);
}
