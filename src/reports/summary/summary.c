/* SPDX-License-Identifier: Apache-2.0 */
#include "base/key_index.h"
#include "ranges/event_filter.h"
#include "ranges/events.h"
#include "ranges/open_state.h"
#include "reports/summary/summary_rows.h"
#include "reports/summary/summary_run.h"

#include <string.h>

#define TIME_BIAS                                                                      \
    ((uint64_t)1 << 63) /* a map's values are never 0, and times are signed */

/* How much of [start_ns, end_ns] is in the window; -1 if the range is outside it. */
RLN__INLINE int64_t time_of(const struct rln__span *window, uint32_t part,
                            int64_t start_ns, int64_t end_ns)
{
    if (window) {
        if (!rln__span_has_range(window, part, start_ns, end_ns))
            return -1;
        start_ns = rln__span_clip(window, start_ns);
        end_ns = rln__span_clip(window, end_ns);
    }
    return end_ns > start_ns ? end_ns - start_ns : 0;
}

/* --- Visiting --------------------------------------------------------------------- */

/* Adds the filter's payload tests that an event passes to `*held`. */
static __attribute__((noinline)) int test_payloads(struct rln__summary *s,
                                                   const struct rln__item *item,
                                                   uint32_t part, uint64_t *held)
{
    const struct rln__event_place place =
        s->deferred ? s->deferred->place : rln__item_place(s->reader, part, item);

    s->status = rln__filter_cache_test_payloads(s->reader, &s->payloads, item, &place,
                                                held, s->err);
    return s->status ? -1 : 0;
}

/* Keeps the filter's verdict on a range that begins, until it ends. */
static void keep_verdict(struct rln__summary *s, uint32_t index, uint64_t held)
{
    const struct rln_filter *filter = s->reader->filter;
    struct rln__open *range = &s->pairing.pool[index];

    range->value = held;
    if (filter && s->deferred &&
        !rln__filter_has_thread(filter, s->reader, s->deferred->origin.process,
                                s->deferred->origin.thread))
        range->state |= RLN__EXCLUDED;
}

static inline int listens(const struct rln__summary *s, const struct rln__span *window)
{
    return window && rln__filter_has_payload_tests(s->reader->filter);
}

RLN__INLINE int visit_push(struct rln__summary *s, const struct rln__span *window,
                           const struct rln__item *item, int64_t t_ns, uint32_t part)
{
    const uint32_t node =
        rln__summary_child_of(s, rln__summary_newest(s, item->thread), item->ref);
    uint64_t held = 0;
    uint32_t index;

    if (node == RLN__NONE ||
        (listens(s, window) && test_payloads(s, item, part, &held)))
        return -1;
    index = rln__pair_push(&s->pairing, s->reader->names.attrs[item->ref].domain_id,
                           item->thread, t_ns, item->ref);
    if (index == RLN__NONE)
        return -1;
    if (window)
        keep_verdict(s, index, held);
    s->pairing.pool[index].node = node;
    s->pairing.pool[index].part = (uint16_t)part;
    return 0;
}

/* The attributes of a range that `end` closes and perhaps renames; RLN__NONE on
 * failure. */
static __attribute__((noinline, cold)) uint32_t renamed(struct rln__summary *s,
                                                        const struct rln__item *end,
                                                        uint32_t part, uint32_t attr)
{
    s->status = rln__closing_attr(s->reader, part, end, &attr, s->err);
    return s->status ? RLN__NONE : attr;
}

RLN__INLINE int visit_pop(struct rln__summary *s, const struct rln__span *window,
                          const struct rln__item *item, int64_t t_ns, uint32_t part)
{
    uint32_t index, depth;
    const unsigned flags =
        rln__pair_pop(&s->pairing, item->thread, item->ref, &index, &depth);
    struct rln__open *range;
    uint32_t attr, row, node;
    uint64_t held;
    int64_t ns;
    unsigned state; /* before it is released */

    if (index == RLN__NONE) {
        const int counts = !window || rln__span_has(window, part, t_ns);

        s->totals.n_unmatched += counts && (flags & RLN_FLAG_UNMATCHED);
        s->totals.n_inherited += counts && (flags & RLN_FLAG_INHERITED);
        return 0;
    }
    range = &s->pairing.pool[index];
    ns = time_of(window, part, range->t_ns, t_ns);
    if (range->newer != RLN__NONE) {
        struct rln__open *child = &s->pairing.pool[range->newer];
        const int64_t inside_ns = time_of(window, part, child->t_ns, t_ns);

        /* Crossed: see the top of summary.h. */
        if (inside_ns > 0 &&
            rln__summary_enclosing(s, child->node, child->state) == range->node &&
            rln__sums_add(&s->sums, (uint64_t)inside_ns, RLN__NONE, RLN__NONE,
                          range->node, part))
            return -1;
        child->state |= RLN__DETACHED;
    }
    state = range->state;
    if (state & RLN__RESUMED && ns >= 0)
        s->totals.n_resumed++;
    rln__pair_release(&s->pairing, index);
    if (window && ns < 0)
        return 0;
    attr = range->attr;
    held = range->value;
    node = range->node;
    row = s->nodes[node].row;
    if (rln__item_payloads(item)) {
        attr = renamed(s, item, part, attr);
        row = attr == RLN__NONE ? RLN__NONE
                                : rln__summary_row(s, attr, RLN_RANGE_PUSH_POP);
        if (listens(s, window) && test_payloads(s, item, part, &held))
            return -1;
    }
    if (row == RLN__NONE)
        return -1;
    if (window && (state & RLN__EXCLUDED ||
                   !rln__filter_cache_has(&s->cache, s->reader, attr, item->thread,
                                          t_ns - range->t_ns, held)))
        return rln__sums_add(&s->sums, (uint64_t)ns, RLN__NONE, RLN__NONE,
                             rln__summary_enclosing(s, node, state), part);
    s->totals.n_ranges++;
    return rln__sums_add(&s->sums, (uint64_t)ns, row, node,
                         rln__summary_enclosing(s, node, state), part);
}

/* Keeps an end with payloads whose start is not known yet. */
static int keep_early(struct rln__summary *s, const struct rln__item *item, uint64_t id)
{
    struct rln__item *ends = rln__grow(s->early_ends, &s->early_ends_capacity,
                                       s->n_early_ends + 1, sizeof(*ends));

    if (!ends)
        return -1;
    s->early_ends = ends;
    ends[s->n_early_ends++] = *item;
    return rln__map_put(&s->early_payloads, id, s->n_early_ends);
}

static inline int add_start_end(struct rln__summary *s, uint32_t row, uint64_t ns,
                                uint32_t part)
{
    s->totals.n_ranges++;
    return rln__sums_add(&s->sums, ns, row, RLN__NONE, RLN__NONE, part);
}

RLN__INLINE int visit_start(struct rln__summary *s, const struct rln__span *window,
                            const struct rln__item *item, int64_t t_ns, uint32_t part)
{
    const uint64_t id = rln__start_id(s->reader, part, item);
    const uint64_t early = s->early.n ? rln__map_get(&s->early, id) : 0;
    const int64_t end_ns = (int64_t)(early - TIME_BIAS);
    uint32_t index, row, attr = item->ref;
    uint64_t held = 0;

    if (listens(s, window) && test_payloads(s, item, part, &held))
        return -1;
    if (early && end_ns >= t_ns) {
        const uint64_t said = rln__map_remove(&s->early_payloads, id);
        const int64_t ns = time_of(window, part, t_ns, end_ns);

        (void)rln__map_remove(&s->early, id);
        if (ns < 0)
            return 0;
        if (said)
            attr = renamed(s, &s->early_ends[said - 1], part, attr);
        if (attr == RLN__NONE ||
            (said && listens(s, window) &&
             test_payloads(s, &s->early_ends[said - 1], part, &held)))
            return -1;
        if (window && !rln__filter_cache_has(&s->cache, s->reader, attr, item->thread,
                                             end_ns - t_ns, held))
            return 0;
        row = rln__summary_row(s, attr, RLN_RANGE_START_END);
        return row == RLN__NONE ? -1 : add_start_end(s, row, (uint64_t)ns, part);
    }
    index = rln__pair_start(&s->pairing, id, item->thread, t_ns, item->ref);
    if (index == RLN__NONE)
        return -1;
    if (window)
        keep_verdict(s, index, held);
    s->pairing.pool[index].part = (uint16_t)part;
    return 0;
}

RLN__INLINE int visit_end(struct rln__summary *s, const struct rln__span *window,
                          const struct rln__item *item, int64_t t_ns, uint32_t part)
{
    const uint64_t id = rln__range_id(part, item->value);
    const uint32_t index = rln__pair_end(&s->pairing, id);
    const struct rln__open *range;
    uint32_t attr, row, thread;
    uint64_t held;
    int64_t ns, whole_ns;
    unsigned state; /* before it is released */

    if (index == RLN__NONE && rln__start_is_overwritten(s->reader, part, item->value))
        return 0;
    if (index == RLN__NONE) {
        /* Its start may still come in another thread's chunk. A repeated end is kept
         * here, too, and counted as unmatched. */
        if (rln__map_get(&s->early, id)) {
            s->totals.n_unmatched++;
            return 0;
        }
        if (rln__item_payloads(item) && keep_early(s, item, id))
            return -1;
        return rln__map_put(&s->early, id, (uint64_t)t_ns + TIME_BIAS);
    }
    range = &s->pairing.pool[index];
    if (t_ns < range->t_ns) {
        s->totals.n_unmatched++;
        return rln__map_put(&s->pairing.starts, id, (uint64_t)index + 1);
    }
    ns = time_of(window, part, range->t_ns, t_ns);
    whole_ns = t_ns - range->t_ns;
    attr = range->attr;
    thread = range->thread;
    held = range->value;
    state = range->state;
    if (rln__item_payloads(item)) {
        attr = renamed(s, item, part, attr);
        if (listens(s, window) && test_payloads(s, item, part, &held))
            return -1;
    }
    rln__pair_release(&s->pairing, index);
    if (attr == RLN__NONE)
        return -1;
    if (ns < 0 || (window && (state & RLN__EXCLUDED ||
                              !rln__filter_cache_has(&s->cache, s->reader, attr, thread,
                                                     whole_ns, held))))
        return 0;
    row = rln__summary_row(s, attr, RLN_RANGE_START_END);
    return row == RLN__NONE ? -1 : add_start_end(s, row, (uint64_t)ns, part);
}

static int goes_on(void *summary, uint32_t range, uint32_t enclosing)
{
    struct rln__summary *s = summary;
    struct rln__open *pool = s->pairing.pool;

    pool[range].node = rln__summary_child_of(
        s,
        enclosing == RLN__NONE ? rln__summary_outermost(s, pool[range].thread)
                               : pool[enclosing].node,
        pool[range].attr);
    return pool[range].node == RLN__NONE ? -1 : 0;
}

static rln_status visit_reset(struct rln__summary *s, const struct rln__item *item,
                              int64_t t_ns, uint32_t part, rln_error *err)
{
    if (item->kind == RLN__ITEM_GAP && rln__span_has(&s->span, part, t_ns)) {
        s->totals.n_gaps++;
        s->totals.n_lost_events += item->value;
    }
    return rln__open_state_read(&s->pairing, s->reader, item, part, t_ns, goes_on, s,
                                err);
}

RLN__INLINE void count(struct rln__summary *s, const struct rln__item *item,
                       int64_t t_ns)
{
    s->totals.n_events++;
    s->totals.n_marks += item->kind == RLN__MARK;
    s->totals.first_ns = t_ns < s->totals.first_ns ? t_ns : s->totals.first_ns;
    s->totals.last_ns = t_ns > s->totals.last_ns ? t_ns : s->totals.last_ns;
}

static void count_in_window(struct rln__summary *s, const struct rln__item *item,
                            int64_t t_ns, uint32_t part)
{
    if (rln__span_has(&s->span, part, t_ns))
        count(s, item, t_ns);
}

RLN__INLINE rln_status visit(struct rln__summary *s, const struct rln__span *window,
                             const struct rln__item *item, int64_t t_ns, uint32_t part,
                             rln_error *err)
{
    int failed = 0;

    if (item->kind >= RLN__ITEM_THREAD)
        return visit_reset(s, item, t_ns, part, err);
    rln__part_ends_see(&s->part_ends, part, t_ns);
    if (!window)
        count(s, item, t_ns);
    else
        count_in_window(s, item, t_ns, part);
    if (item->kind == RLN__PUSH)
        failed = visit_push(s, window, item, t_ns, part);
    else if (item->kind == RLN__POP)
        failed = visit_pop(s, window, item, t_ns, part);
    else if (item->kind == RLN__START)
        failed = visit_start(s, window, item, t_ns, part);
    else if (item->kind == RLN__END)
        failed = visit_end(s, window, item, t_ns, part);
    if (failed)
        return s->status ? s->status : rln__fail_nomem(err);
    return RLN_OK;
}

/* The same code twice, so that reading the whole trace pays nothing for windows and
 * filters. */
RLN__INLINE rln_status visit_whole(void *context, const struct rln__item *item,
                                   int64_t t_ns, uint32_t part, rln_error *err)
{
    return visit(context, NULL, item, t_ns, part, err);
}

RLN__INLINE rln_status visit_window(void *context, const struct rln__item *item,
                                    int64_t t_ns, uint32_t part, rln_error *err)
{
    struct rln__summary *s = context;

    return visit(s, &s->span, item, t_ns, part, err);
}

static rln_status visit_deferred(void *context, const struct rln__item *item,
                                 const struct rln__deferred_source *deferred,
                                 int64_t t_ns, rln_error *err)
{
    struct rln__summary *s = context;
    const uint32_t part = deferred->place.part;

    rln_status status;

    s->deferred = deferred;
    if (s->span.is_window || s->reader->filter)
        status = visit_window(s, item, t_ns, part, err);
    else
        status = visit_whole(s, item, t_ns, part, err);
    s->deferred = NULL;
    return status;
}

/* --- The end ---------------------------------------------------------------------- */

/* Ranges that were never closed end with the last event of their trace. */
static rln_status close_open(struct rln__summary *s, rln_error *err)
{
    const size_t n = rln__pairing_drain(&s->pairing);
    const struct rln__span *window = s->span.is_window ? &s->span : NULL;

    for (size_t i = 0; i < n; i++) {
        const struct rln__open *range = &s->pairing.pool[i];
        const int64_t end_ns =
            rln__part_ends_of(&s->part_ends, range->part, range->t_ns);
        const int64_t ns = time_of(window, range->part, range->t_ns, end_ns);
        const int is_pushed = !range->id;
        const uint32_t inside =
            is_pushed ? rln__summary_enclosing(s, range->node, range->state)
                      : RLN__NONE;
        uint32_t row;

        if (ns < 0)
            continue;
        if (range->state & RLN__LOST) {
            s->totals.n_lost_ranges++;
            continue;
        }
        if (range->state & RLN__EXCLUDED ||
            !rln__filter_cache_has(&s->cache, s->reader, range->attr, range->thread,
                                   end_ns - range->t_ns, range->value)) {
            if (rln__sums_add(&s->sums, (uint64_t)ns, RLN__NONE, RLN__NONE, inside,
                              range->part))
                return rln__fail_nomem(err);
            continue;
        }
        row = rln__summary_row(s, range->attr,
                               is_pushed ? RLN_RANGE_PUSH_POP : RLN_RANGE_START_END);
        if (row == RLN__NONE ||
            rln__sums_add(&s->sums, (uint64_t)ns, row,
                          is_pushed ? range->node : RLN__NONE, inside, range->part))
            return rln__fail_nomem(err);
        s->totals.n_ranges++;
        s->totals.n_open++;
        s->totals.n_resumed += (range->state & RLN__RESUMED) != 0;
        s->rows[row].n_open++;
        if (is_pushed)
            s->nodes[range->node].n_open++;
    }
    return RLN_OK;
}

/* The root and, if threads are kept apart, one node a thread below it. */
static int add_first_nodes(struct rln__summary *s, int by_thread)
{
    const size_t n = by_thread ? s->reader->n_threads : 0;

    s->nodes = rln__grow(NULL, &s->nodes_capacity, 1 + n, sizeof(*s->nodes));
    if (!s->nodes)
        return -1;
    memset(s->nodes, 0, (1 + n) * sizeof(*s->nodes));
    for (size_t i = 1; i <= n; i++)
        s->nodes[i].row = RLN__NONE;
    s->n_thread_nodes = n;
    s->n_nodes = 1 + n;
    return 0;
}

enum keeps { MERGED, BY_THREAD, DURATIONS };

static rln_status read_all(struct rln__summary *s, rln_reader *reader, enum keeps keeps,
                           rln_error *err)
{
    rln_status status;

    memset(s, 0, sizeof(*s));
    s->reader = reader;
    s->span = reader->span;
    rln__pairing_init(&s->pairing);
    rln__sums_init(&s->sums, keeps == DURATIONS);
    s->totals.first_ns = INT64_MAX;
    s->totals.last_ns = INT64_MIN;
    if (add_first_nodes(s, keeps == BY_THREAD) ||
        rln__part_ends_init(&s->part_ends, reader)) {
        rln__summary_clear(s);
        return rln__fail_nomem(err);
    }

    s->err = err;
    if (s->span.is_window || reader->filter)
        status = rln__scan_all(reader, visit_window, NULL, s, err);
    else
        status = rln__scan_all(reader, visit_whole, rln__summary_run, s, err);
    if (!status)
        status =
            rln__scan_deferred(reader, visit_deferred, s, &s->totals.n_unplaced, err);
    if (!status)
        status = close_open(s, err);
    if (!status)
        status = rln__sums_finish(&s->sums, s->n_rows, s->n_nodes, err);
    if (!s->span.is_window) /* with a window, their starts may just be missing */
        s->totals.n_unmatched += s->early.n;
    if (s->totals.n_events == 0)
        s->totals.first_ns = s->totals.last_ns = 0;
    rln__pairing_clear(&s->pairing);
    if (status)
        rln__summary_clear(s);
    return status;
}

rln_status rln__summary_read(struct rln__summary *s, rln_reader *reader, rln_error *err)
{
    return read_all(s, reader, MERGED, err);
}

rln_status rln__summary_read_threads(struct rln__summary *s, rln_reader *reader,
                                     rln_error *err)
{
    return read_all(s, reader, BY_THREAD, err);
}

rln_status rln__summary_read_paths(struct rln__summary *s, rln_reader *reader,
                                   rln_error *err)
{
    return read_all(s, reader, DURATIONS, err);
}

void rln__summary_clear(struct rln__summary *s)
{
    rln__sums_clear(&s->sums);
    rln__pairing_clear(&s->pairing);
    rln__free(s->rows);
    rln__free(s->nodes);
    rln__free(s->row_of_attr);
    rln__map_clear(&s->by_name);
    rln__map_clear(&s->children);
    rln__map_clear(&s->early);
    rln__map_clear(&s->early_payloads);
    rln__free(s->early_ends);
    rln__part_ends_clear(&s->part_ends);
    rln__filter_cache_clear(&s->cache);
    rln__event_payloads_clear(&s->payloads);
    memset(s, 0, sizeof(*s));
}

int rln__compare_names(const rln_reader *reader, const struct rln__summary_row *a,
                       const struct rln__summary_row *b)
{
    const struct rln__names *names = &reader->names;
    int order;

    if ((a->domain == 0) != (b->domain == 0))
        return a->domain == 0 ? -1 : 1;
    order = rln__compare_text(
        rln__strings_get(&names->strings, names->domains[a->domain].name),
        rln__strings_get(&names->strings, names->domains[b->domain].name));
    return order ? order
                 : rln__compare_text(rln__strings_get(&names->strings, a->message),
                                     rln__strings_get(&names->strings, b->message));
}

rln_status rln__report_new(rln_reader *reader, rln_stats **stats, rln_tree **tree,
                           rln_error *err)
{
    struct rln__summary summary;
    rln_status status;

    *stats = NULL;
    *tree = NULL;
    status = rln__summary_read(&summary, reader, err);
    if (status)
        return status;
    status = rln__tree_of(&summary, tree, err);
    if (!status)
        status = rln__stats_of(&summary, stats, err);
    if (status) {
        rln_tree_free(*tree);
        *tree = NULL;
    }
    rln__summary_clear(&summary);
    return status;
}
