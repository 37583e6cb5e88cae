/* SPDX-License-Identifier: Apache-2.0 */
/* nesting.c - one row per push/pop range, built from the events in time order.
 *
 *   pairing: newest open --older--> ... --older--> oldest      of a thread, all domains
 *   open:    key -> row
 *
 * Open ranges already have rows. The pairing of the iteration knows the ranges that
 * were open when one began, and the range that a pop closes, so that an event takes the
 * same time however many ranges are open. Which ranges enclose another is known only
 * when all have ended, since ranges of several domains may cross.
 *
 * There may be more rows than memory holds, so they are in a spill: passes over them go
 * in their order, and touch others only where these are open.
 *
 * With a window, a range that began before it has a row, too, until it ends before it;
 * only the time inside the window counts.
 */
#include "ranges/nesting.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/spill.h"
#include "ranges/event_fill.h"
#include "ranges/range_names.h"
#include "ranges/range_prefilter.h"
#include "ranges/ranges.h"

#include <string.h>

struct row {
    int64_t start_ns, end_ns;
    uint64_t children_ns; /* in children that are listed */
    uint64_t inside_ns;   /* in all of them */
    uint32_t parent;      /* index; RLN__NONE */
    uint32_t level;
    uint32_t n_children;
    uint32_t name;
    uint32_t process, thread, tid; /* the thread is UINT32_MAX if unknown */
    uint32_t flags;                /* RLN_FLAG_..., and those below */
};

#define ENDED 0x80000000u
#define LEFT_OUT 0x40000000u

struct rln__nesting {
    const rln_reader *reader; /* borrowed */
    struct rln__spill *spill; /* owned, as all these: the rows */
    size_t n;
    size_t n_holders;
    struct rln__range_names names;
    struct rln__map open; /* key of an open range -> its row + 1 */
};

static struct row *row_at(const struct rln__nesting *n, size_t index)
{
    rln__spill_touch(n->spill);
    return (struct row *)n->spill->items + index;
}

/* RLN__NONE if the range began before the iteration. */
static uint32_t row_of(const struct rln__nesting *n, uint64_t key)
{
    return (uint32_t)rln__map_get(&n->open, key) - 1;
}

/* Whether any part of it is in the selected window. */
static int is_shown(const struct rln__nesting *n, uint32_t process, int64_t start_ns,
                    int64_t end_ns)
{
    return rln__span_has_range(
        &n->reader->span, n->reader->names.processes[process].part, start_ns, end_ns);
}

static rln_status push(struct rln__nesting *n, rln_events *events, const rln_event *e,
                       int matches, rln_error *err)
{
    const struct rln__open *older, *open = rln__events_begun(events, &older);
    const unsigned is_deferred = e->flags & RLN_FLAG_DEFERRED;
    rln_attributes with = e->attributes;
    rln_status status;
    uint32_t name;

    if (!is_shown(n, e->process, open->t_ns, INT64_MAX))
        return RLN_OK;
    status = rln__spill_room(n->spill, n->n + 1, sizeof(struct row), err);
    if (status)
        return status;
    if (e->type == RLN_EVENT_RESUMED) /* without a name it has none in its end either */
        rln__fill_attributes(n->reader, open->attr, 0, &with);
    if (n->n >= RLN__NONE - 1 || rln__range_names_number(&n->names, &with, &name) ||
        rln__map_put(&n->open, rln__range_key(open->order), n->n + 1))
        return rln__fail_nomem(err);
    *row_at(n, n->n++) = (struct row){
        .start_ns = open->t_ns, /* if resumed: when its window opened */
        .end_ns = open->t_ns,
        .parent = older ? row_of(n, rln__range_key(older->order)) : RLN__NONE,
        .name = name,
        .process = e->process,
        .thread = e->thread,
        .tid = e->tid,
        .flags = is_deferred | (e->type == RLN_EVENT_RESUMED ? RLN_FLAG_RESUMED : 0) |
                 (matches ? 0 : LEFT_OUT),
    };
    return RLN_OK;
}

/* A range that ended before the window needs no row, once no row follows it. */
static void leave_out(struct rln__nesting *n, struct row *row)
{
    row->flags |= LEFT_OUT;
    while (n->n &&
           (row_at(n, n->n - 1)->flags & (ENDED | LEFT_OUT)) == (ENDED | LEFT_OUT))
        n->n--;
}

static void end(struct rln__nesting *n, uint32_t at, int64_t t_ns)
{
    const struct rln__span *span = &n->reader->span;
    struct row *row = row_at(n, at);
    const int64_t end_ns = t_ns > row->start_ns ? t_ns : row->start_ns;
    const int is_of_window = is_shown(n, row->process, row->start_ns, end_ns);

    row->flags |= ENDED;
    row->start_ns = rln__span_clip(span, row->start_ns);
    row->end_ns = rln__span_clip(span, end_ns);
    if (!is_of_window)
        leave_out(n, row);
}

/* Its payloads may have given the range another name, which the filter tests then. */
static rln_status rename_row(struct rln__nesting *n, struct row *row,
                             const struct rln__range_prefilter *prefilter,
                             rln_events *events, const rln_event *e, rln_error *err)
{
    int matches;
    const rln_status status =
        rln__range_prefilter_accepts(prefilter, events, e, &matches, err);

    row->flags = (row->flags & ~LEFT_OUT) | (matches ? 0 : LEFT_OUT);
    if (!status && rln__range_names_number(&n->names, &e->attributes, &row->name))
        return rln__fail_nomem(err);
    return status;
}

static rln_status pop(struct rln__nesting *n,
                      const struct rln__range_prefilter *prefilter, rln_events *events,
                      const rln_event *e, rln_error *err)
{
    const uint64_t row = rln__map_remove(&n->open, rln__events_key(events, e));
    rln_status status = RLN_OK;

    if (!row)
        return RLN_OK;
    if (e->n_payloads)
        status = rename_row(n, row_at(n, row - 1), prefilter, events, e, err);
    if (!status)
        end(n, (uint32_t)row - 1, e->t_ns);
    return status;
}

static rln_status visit(struct rln__nesting *n,
                        const struct rln__range_prefilter *prefilter,
                        rln_events *events, const rln_event *e, rln_error *err)
{
    int matches;
    rln_status status = RLN_OK;

    if (e->flags & RLN_FLAG_UNPLACED)
        return RLN_OK;
    if (e->type == RLN_EVENT_PUSH || e->type == RLN_EVENT_RESUMED) {
        status = rln__range_prefilter_accepts(prefilter, events, e, &matches, err);
        if (!status)
            status = push(n, events, e, matches, err);
    } else if (e->type == RLN_EVENT_POP && rln__events_closed(events)) {
        status = pop(n, prefilter, events, e, err);
    }
    return status;
}

/* From the last row on: those outside the window are removed while they are last. A
 * range that was open where events were lost may have ended among them. */
static void end_open(struct rln__nesting *n, rln_events *events)
{
    for (size_t i = rln__events_end_all(events); i-- > 0;) {
        const struct rln__open *open = &rln__events_pairing(events)->pool[i];
        const uint32_t row = row_of(n, rln__range_key(open->order));

        if (row == RLN__NONE)
            continue;
        row_at(n, row)->flags |= RLN_FLAG_OPEN;
        if (open->state & RLN__LOST)
            row_at(n, row)->flags |= ENDED | LEFT_OUT;
        else
            end(n, row, rln__events_end_of(events, open));
    }
}

static rln_status read_events(struct rln__nesting *n, rln_reader *reader,
                              rln_error *err)
{
    const rln_event *event;
    struct rln__range_prefilter prefilter;
    rln_events *events;
    rln_status status =
        rln__range_prefilter_init(&prefilter, reader, reader->filter, err);

    if (status)
        return status;
    status = rln__events_open_all(reader, &events, err);
    if (!status)
        rln__events_ignore_window(events);
    while (!status && (status = rln__events_next_all(events, &event, err)) == RLN_OK)
        status = visit(n, &prefilter, events, event, err);
    if (status == RLN_END)
        end_open(n, events);
    rln__events_close_all(events);
    rln__range_prefilter_clear(&prefilter);
    return status == RLN_END ? RLN_OK : status;
}

/* Where domains cross, children overlap: the part of a child's time that earlier ones
 * did not have. They come in the order of starts. */
static uint64_t time_of_its_own(const struct row *child, int64_t *until_ns)
{
    const int64_t start_ns = child->start_ns > *until_ns ? child->start_ns : *until_ns;

    if (child->end_ns <= start_ns)
        return 0;
    *until_ns = child->end_ns;
    return (uint64_t)(child->end_ns - start_ns);
}

/* A range of another domain that was open when a row began may have ended before that
 * row did: then it is not its parent. */
static void find_parents(struct rln__nesting *n, struct rln__spill *until)
{
    int64_t *until_ns = until->items;

    for (size_t i = 0; i < n->n; i++) {
        struct row *row = row_at(n, i);

        rln__spill_touch(until);
        while (row->parent != RLN__NONE && row_at(n, row->parent)->end_ns < row->end_ns)
            row->parent = row_at(n, row->parent)->parent;
        until_ns[i] = row->start_ns;
        if (row->parent != RLN__NONE)
            row_at(n, row->parent)->inside_ns +=
                time_of_its_own(row, &until_ns[row->parent]);
    }
}

/* Rows that are left out give their children to their own parents. `moved` has the new
 * index of each row. */
static void compact(struct rln__nesting *n, struct rln__spill *until,
                    struct rln__spill *moves)
{
    int64_t *until_ns = until->items;
    uint32_t *moved = moves->items;
    size_t n_kept = 0;

    for (size_t i = 0; i < n->n; i++) {
        struct row *row = row_at(n, i);
        const uint32_t parent =
            row->parent == RLN__NONE ? RLN__NONE : moved[row->parent];

        rln__spill_touch(until);
        rln__spill_touch(moves);
        if (row->flags & LEFT_OUT) {
            moved[i] = parent;
            continue;
        }
        row->parent = parent;
        if (parent != RLN__NONE) {
            row->level = row_at(n, parent)->level + 1;
            row_at(n, parent)->n_children++;
            row_at(n, parent)->children_ns += time_of_its_own(row, &until_ns[parent]);
        }
        row->flags &= ~ENDED;
        moved[i] = (uint32_t)n_kept;
        until_ns[n_kept] = row->start_ns;
        *row_at(n, n_kept++) = *row;
    }
    n->n = n_kept;
}

/* Computes the members that are known only when all ranges have ended. */
static rln_status settle(struct rln__nesting *n, rln_error *err)
{
    struct rln__spill until = {0}; /* by row: the time up to which children count */
    struct rln__spill moves = {0}; /* by row: its index when others are left out */
    rln_status status = rln__spill_room(&until, n->n + 1, sizeof(int64_t), err);

    if (!status)
        status = rln__spill_room(&moves, n->n + 1, sizeof(uint32_t), err);
    if (!status) {
        find_parents(n, &until);
        compact(n, &until, &moves);
    }
    rln__spill_clear(&until);
    rln__spill_clear(&moves);
    return status;
}

rln_status rln__nesting_new(rln_reader *reader, struct rln__nesting **out,
                            rln_error *err)
{
    struct rln__nesting *n = rln__alloc(1, sizeof(*n));
    rln_status status;

    *out = NULL;
    if (!n)
        return rln__fail_nomem(err);
    n->reader = reader;
    n->n_holders = 1;
    n->spill = rln__alloc(1, sizeof(*n->spill));
    status = n->spill ? read_events(n, reader, err) : rln__fail_nomem(err);
    rln__key_index_clear(&n->names.keys); /* numbers are no longer looked up */
    rln__map_clear(&n->open);
    if (!status)
        status = settle(n, err);
    if (status) {
        rln__nesting_free(n);
        return status;
    }
    *out = n;
    return RLN_OK;
}

struct rln__nesting *rln__nesting_hold(struct rln__nesting *n)
{
    n->n_holders++;
    return n;
}

void rln__nesting_free(struct rln__nesting *n)
{
    if (!n || --n->n_holders)
        return;
    if (n->spill)
        rln__spill_clear(n->spill);
    rln__free(n->spill);
    rln__range_names_clear(&n->names);
    rln__map_clear(&n->open);
    rln__free(n);
}

size_t rln__nesting_count(const struct rln__nesting *n)
{
    return n->n;
}

size_t rln__nesting_count_names(const struct rln__nesting *n)
{
    return n->names.n;
}

int rln__nesting_get(const struct rln__nesting *n, size_t index,
                     struct rln__nesting_row *out)
{
    const struct rln__range_name *name;
    const struct row *row;

    if (index >= n->n)
        return 0;
    row = row_at(n, index);
    name = &n->names.items[row->name];
    *out = (struct rln__nesting_row){
        .start_ns = row->start_ns,
        .end_ns = row->end_ns,
        .children_ns = row->children_ns,
        .parent = row->parent == RLN__NONE ? SIZE_MAX : row->parent,
        .level = row->level,
        .n_children = row->n_children,
        .flags = row->flags,
        .name = row->name,
        .thread = row->thread,
        .process = row->process,
        .pid = n->reader->names.processes[row->process].record.pid,
        .tid = row->tid,
        .is_default_domain = name->domain == 0,
        .domain_name = name->domain_name,
        .message = name->message,
        .self_ns = (uint64_t)(row->end_ns - row->start_ns) - row->inside_ns,
    };
    return 1;
}
