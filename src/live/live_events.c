/* SPDX-License-Identifier: Apache-2.0 */
/* live_events.c - adds up the events since the previous refresh.
 *
 * An end may be met before its start, which another thread has recorded. It is dropped
 * after two refreshes.
 */
#include "base/alloc.h"
#include "base/fail.h"
#include "live/live_state.h"
#include "ranges/event_filter.h"
#include "ranges/events.h"
#include "ranges/open_state.h"

#define TIME_BIAS                                                                      \
    ((uint64_t)1 << 63) /* a map's values are never 0, and times are signed */

/* --- Names ------------------------------------------------------------------------ */

static uint32_t add_row(rln_live *live, const rln_attributes *with,
                        rln_range_style style)
{
    const struct rln__key key = {
        {rln__key_of_text(with->message), with->domain, style}};
    const uint32_t number = rln__key_index_number(&live->names, &key);
    rln_live_row *rows = live->rows;

    if (number < live->n_rows || number == RLN__NONE)
        return number;
    rows = rln__grow(rows, &live->rows_capacity, live->n_rows + 1, sizeof(*rows));
    if (!rows)
        return RLN__NONE;
    live->rows = rows;
    rows[live->n_rows++] = (rln_live_row){
        .style = style,
        .domain = with->domain,
        .domain_name = with->domain_name,
        .message = with->message,
    };
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

/* --- Time ------------------------------------------------------------------------- */

/* The part of a range's time since the previous refresh. */
static uint64_t new_part(const rln_live *live, int64_t start_ns, int64_t end_ns)
{
    const int64_t from_ns =
        start_ns > live->totals.from_ns ? start_ns : live->totals.from_ns;

    return end_ns > from_ns ? (uint64_t)(end_ns - from_ns) : 0;
}

int rln__live_matches(rln_live *live, const struct rln__open *range, int64_t end_ns)
{
    return rln__filter_cache_has(&live->cache, live->reader, range->attr, range->thread,
                                 end_ns - range->t_ns, range->value);
}

void rln__live_add_time(rln_live *live, struct rln__open *range, int64_t end_ns,
                        int counts)
{
    const uint64_t ns = new_part(live, range->t_ns, end_ns);
    const uint64_t inside_ns = range->id ? 0 : range->order;

    if (counts) {
        live->rows[range->node].total_ns += ns;
        live->rows[range->node].self_ns += ns > inside_ns ? ns - inside_ns : 0;
    }
    if (range->id)
        return;
    if (range->older != RLN__NONE && !(range->state & RLN__DETACHED))
        live->pairing.pool[range->older].order += ns;
    range->order = 0;
}

static void add_ended(rln_live *live, struct rln__open *range, int64_t end_ns)
{
    rln_live_row *row = &live->rows[range->node];
    const int counts = rln__live_matches(live, range, end_ns);
    const uint64_t ns = end_ns > range->t_ns ? (uint64_t)(end_ns - range->t_ns) : 0;

    rln__live_add_time(live, range, end_ns, counts);
    if (!counts)
        return;
    row->n_ended++;
    row->n_all++;
    row->mean_ns += ns; /* a sum until the refresh ends */
    row->max_ns = ns > row->max_ns ? ns : row->max_ns;
}

/* --- Events ----------------------------------------------------------------------- */

/* Each returns 0, or -1: no memory, or the error in the refresh's status. */

/* Adds the filter's payload tests that an event passes to `*held`. */
static int test_payloads(rln_live *live, const struct rln__item *item, uint32_t part,
                         uint64_t *held)
{
    struct rln__event_place place;

    if (!rln__filter_has_payload_tests(live->reader->filter))
        return 0;
    place = rln__item_place(live->reader, part, item);
    live->status = rln__filter_cache_test_payloads(live->reader, &live->payloads, item,
                                                   &place, held, live->err);
    return live->status ? -1 : 0;
}

static int set_row(rln_live *live, uint32_t index, rln_range_style style)
{
    struct rln__open *range;

    if (index == RLN__NONE)
        return -1;
    range = &live->pairing.pool[index];
    range->order = 0;
    range->node = row_of(live, range->attr, style);
    return range->node == RLN__NONE ? -1 : 0;
}

static int push(rln_live *live, const struct rln__item *item, uint32_t part,
                int64_t t_ns)
{
    const uint32_t index =
        rln__pair_push(&live->pairing, live->reader->names.attrs[item->ref].domain_id,
                       item->thread, t_ns, item->ref);

    return set_row(live, index, RLN_RANGE_PUSH_POP) ||
                   test_payloads(live, item, part, &live->pairing.pool[index].value)
               ? -1
               : 0;
}

static int end_range(rln_live *live, const struct rln__item *item, uint32_t part,
                     uint32_t index, int64_t t_ns)
{
    if (test_payloads(live, item, part, &live->pairing.pool[index].value))
        return -1;
    add_ended(live, &live->pairing.pool[index], t_ns);
    rln__pair_release(&live->pairing, index);
    return 0;
}

/* Where ranges of two domains cross, the outer one ends first: it gets the part of the
 * other that is inside it, and no range gets the rest. The call tree does the same:
 * summary.h. */
static void leave_crossed(rln_live *live, struct rln__open *range, int64_t t_ns)
{
    struct rln__open *child;

    if (range->newer == RLN__NONE)
        return;
    child = &live->pairing.pool[range->newer];
    if (!(child->state & RLN__DETACHED))
        range->order += new_part(live, child->t_ns, t_ns);
    child->state |= RLN__DETACHED;
}

static int pop(rln_live *live, const struct rln__item *item, uint32_t part,
               int64_t t_ns)
{
    uint32_t index, depth;

    (void)rln__pair_pop(&live->pairing, item->thread, item->ref, &index, &depth);
    if (index == RLN__NONE)
        return 0;
    leave_crossed(live, &live->pairing.pool[index], t_ns);
    return end_range(live, item, part, index, t_ns);
}

static int start(rln_live *live, const struct rln__item *item, uint32_t part,
                 int64_t t_ns)
{
    const uint64_t id = rln__start_id(live->reader, part, item);
    uint64_t end = 0;
    uint32_t index;

    for (size_t i = 0; i < RLN_COUNT(live->early) && !end; i++)
        end = live->early[i].n ? rln__map_remove(&live->early[i], id) : 0;
    index = rln__pair_end(&live->pairing, id);
    if (index != RLN__NONE) /* damage: the id was used before */
        rln__pair_release(&live->pairing, index);
    index = rln__pair_start(&live->pairing, id, item->thread, t_ns, item->ref);
    if (set_row(live, index, RLN_RANGE_START_END) ||
        test_payloads(live, item, part, &live->pairing.pool[index].value))
        return -1;
    if (!end)
        return 0;
    index = rln__pair_end(&live->pairing, id);
    add_ended(live, &live->pairing.pool[index], (int64_t)(end - TIME_BIAS));
    rln__pair_release(&live->pairing, index);
    return 0;
}

static int end(rln_live *live, const struct rln__item *item, uint32_t part,
               int64_t t_ns)
{
    const uint64_t id = rln__range_id(part, item->value);
    const uint32_t index = rln__pair_end(&live->pairing, id);

    if (index == RLN__NONE)
        return rln__map_put(&live->early[0], id, (uint64_t)t_ns + TIME_BIAS);
    return end_range(live, item, part, index, t_ns);
}

static int goes_on(void *live, uint32_t range, uint32_t enclosing)
{
    (void)enclosing;
    return set_row(live, range, RLN_RANGE_PUSH_POP);
}

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
    switch (item->kind) {
    case RLN__PUSH:
        return push(live, item, part, t_ns);
    case RLN__POP:
        return pop(live, item, part, t_ns);
    case RLN__START:
        return start(live, item, part, t_ns);
    case RLN__END:
        return end(live, item, part, t_ns);
    default:
        return 0;
    }
}

rln_status rln__live_visit(void *context, const struct rln__item *item, int64_t t_ns,
                           uint32_t part, rln_error *err)
{
    rln_live *live = context;

    if (item->kind < RLN__ITEM_THREAD)
        return !visit_event(live, item, part, t_ns) ? RLN_OK
               : live->status                       ? live->status
                                                    : rln__fail_nomem(err);
    if (item->kind == RLN__ITEM_GAP)
        live->totals.n_lost += item->value;
    if (item->kind == RLN__ITEM_CONTINUED && live->n_refreshes > 1)
        live->totals.n_overruns++;
    return rln__open_state_read(&live->pairing, live->reader, item, part, t_ns, goes_on,
                                live, err);
}
