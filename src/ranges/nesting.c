/* SPDX-License-Identifier: Apache-2.0 */
/* nesting.c - one row per push/pop range, built in one scan.
 *
 *   engine --> tag     index + 1 of a new row: that of the range around it is its parent
 *          --> close   the row's times
 *   rows, thread by thread --nesting_settle.c--> rows in the order of time
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
#include "ranges/engine.h"
#include "ranges/nesting_settle.h"
#include "ranges/predicate.h"

#include <string.h>

/* While the trace is read. A row's name is its attributes. */
struct building {
    struct rln__nesting *nesting; /* borrowed */
    struct rln__spill rows;       /* owned, as all these */
    size_t n;
    struct rln__engine engine;
    struct rln__predicate predicate;
    uint32_t origin; /* of the deferred range that begins */
};

static struct rln__nested *row_at(struct building *b, size_t index)
{
    rln__spill_touch(&b->rows);
    return (struct rln__nested *)b->rows.items + index;
}

/* --- What the engine asks and tells ----------------------------------------------- */

RLN__INLINE uint32_t begin_row(void *building, uint32_t thread, uint32_t enclosing,
                               uint32_t attr)
{
    struct building *b = building;
    const int is_deferred = b->predicate.deferred != NULL;

    if (b->n >= RLN__NONE - 1)
        return RLN__NONE;
    if (b->n >= b->rows.capacity) {
        b->engine.status = rln__spill_room(&b->rows, b->n + 1,
                                           sizeof(struct rln__nested), b->engine.err);
        if (b->engine.status)
            return RLN__NONE;
    }
    *row_at(b, b->n) = (struct rln__nested){
        .parent = enclosing - 1, /* of none: RLN__NONE */
        .name = attr,
        .thread = is_deferred ? b->origin : thread,
        .flags = is_deferred ? RLN_FLAG_DEFERRED : 0,
    };
    return (uint32_t)++b->n;
}

static int note_begin(void *building, struct rln__open *range,
                      const struct rln__item *begin, uint32_t part)
{
    struct building *b = building;

    if (!begin)
        return 0;
    b->engine.status =
        rln__predicate_begin(&b->predicate, begin, part, range, b->engine.err);
    return b->engine.status ? -1 : 0;
}

/* The last rows are not needed if no part of them is in the window. */
static void drop_outside(struct building *b)
{
    while (b->n && row_at(b, b->n - 1)->flags & RLN__NESTED_OUTSIDE)
        b->n--;
}

/* A range that was open where events were lost may have ended among them. */
RLN__INLINE int end_row(struct building *b, const struct rln__closing *c,
                        int is_filtered)
{
    const struct rln__span *span = &b->nesting->reader->span;
    const int64_t end_ns = c->end_ns < c->start_ns ? c->start_ns : c->end_ns;
    struct rln__nested *row = row_at(b, c->tag - 1);
    int matches = 1;

    if (is_filtered) {
        b->engine.status =
            rln__predicate_end(&b->predicate, c, &matches, b->engine.err);
        if (b->engine.status)
            return -1;
    }
    row->name = c->attr;
    row->flags |= (c->is_left_open ? RLN_FLAG_OPEN : 0) |
                  (c->state & RLN__RESUMED ? RLN_FLAG_RESUMED : 0) |
                  (c->state & RLN__LOST || !matches ? RLN__NESTED_LEFT_OUT : 0);
    row->start_ns = rln__span_clip(span, c->start_ns);
    row->end_ns = rln__span_clip(span, end_ns);
    if (!rln__span_has_range(span, c->part, c->start_ns, end_ns)) {
        row->flags |= RLN__NESTED_LEFT_OUT | RLN__NESTED_OUTSIDE;
        drop_outside(b);
    }
    return 0;
}

RLN__INLINE int end_any(void *building, const struct rln__closing *closing)
{
    return end_row(building, closing, 0);
}

static int end_filtered(void *building, const struct rln__closing *closing)
{
    return end_row(building, closing, 1);
}

static const struct rln__range_ops any = {
    .tag = begin_row, .close = end_any, .leaves_self_out = 1};
static const struct rln__range_ops filtered = {
    .tag = begin_row, .open = note_begin, .close = end_filtered, .leaves_self_out = 1};

/* --- Reading ---------------------------------------------------------------------- */

RLN__INLINE rln_status visit(struct building *b, const struct rln__range_ops *ops,
                             const struct rln__item *item, int64_t t_ns, uint32_t part,
                             rln_error *err)
{
    int failed = 0;

    if (item->kind >= RLN__ITEM_THREAD)
        return rln__engine_restate(&b->engine, ops, b, item, t_ns, part, err);
    if (item->kind == RLN__PUSH || item->kind == RLN__POP)
        failed = rln__engine_event(&b->engine, ops, b, item, t_ns, part);
    else
        rln__part_ends_see(&b->engine.part_ends, part, t_ns);
    if (failed)
        return b->engine.status ? b->engine.status : rln__fail_nomem(err);
    return RLN_OK;
}

RLN__INLINE rln_status visit_any(void *context, const struct rln__item *item,
                                 int64_t t_ns, uint32_t part, rln_error *err)
{
    return visit(context, &any, item, t_ns, part, err);
}

RLN__INLINE rln_status visit_filtered(void *context, const struct rln__item *item,
                                      int64_t t_ns, uint32_t part, rln_error *err)
{
    return visit(context, &filtered, item, t_ns, part, err);
}

static rln_status visit_run(void *context, const struct rln__word_run *run,
                            size_t *n_taken, uint64_t *last_word, rln_error *err)
{
    struct building *b = context;

    return rln__engine_run(&b->engine, &any, b, run, n_taken, last_word, err);
}

static int is_same_origin(const struct rln__event_origin *a,
                          const struct rln__event_origin *b)
{
    return a->process == b->process && a->thread == b->thread && a->tid == b->tid;
}

/* The number of an origin, mostly that of one before; RLN__NONE: no memory. */
static uint32_t number_origin(struct rln__nesting *n,
                              const struct rln__event_origin *origin)
{
    struct rln__event_origin *added;

    if (n->n_origins && is_same_origin(&n->origins[n->n_origins - 1], origin))
        return (uint32_t)n->n_origins - 1;
    added =
        rln__append(&n->origins, &n->n_origins, &n->origins_capacity, sizeof(*added));
    if (!added)
        return RLN__NONE;
    *added = *origin;
    return (uint32_t)n->n_origins - 1;
}

static rln_status visit_deferred(void *context, const struct rln__item *item,
                                 const struct rln__deferred_source *deferred,
                                 int64_t t_ns, rln_error *err)
{
    struct building *b = context;
    const uint32_t part = deferred->address.part;
    rln_status status;

    if (item->kind == RLN__PUSH) {
        b->origin = number_origin(b->nesting, &deferred->origin);
        if (b->origin == RLN__NONE)
            return rln__fail_nomem(err);
    }
    b->predicate.deferred = deferred;
    status = b->predicate.reader->filter ? visit_filtered(b, item, t_ns, part, err)
                                         : visit_any(b, item, t_ns, part, err);
    b->predicate.deferred = NULL;
    return status;
}

/* `*n_of_threads` rows are of threads, and come first. */
static rln_status read_all(struct building *b, rln_reader *reader, size_t *n_of_threads,
                           rln_error *err)
{
    uint64_t n_unplaced;
    rln_status status;

    if (rln__engine_init(&b->engine, reader, err))
        return rln__fail_nomem(err);
    b->predicate.reader = reader;
    status = reader->filter ? rln__scan_all(reader, visit_filtered, NULL, b, err)
                            : rln__scan_all(reader, visit_any, visit_run, b, err);
    *n_of_threads = b->n;
    if (!status)
        status = rln__scan_deferred(reader, visit_deferred, b, &n_unplaced, err);
    if (!status && rln__engine_finish(&b->engine, reader->filter ? &filtered : &any, b))
        status = b->engine.status ? b->engine.status : rln__fail_nomem(err);
    *n_of_threads = *n_of_threads < b->n ? *n_of_threads : b->n;
    return status;
}

/* --- Outside ---------------------------------------------------------------------- */

rln_status rln__nesting_new(rln_reader *reader, struct rln__nesting **out,
                            rln_error *err)
{
    struct rln__nesting *n = rln__alloc(1, sizeof(*n));
    struct building b = {.nesting = n};
    size_t n_of_threads = 0;
    rln_status status;

    *out = NULL;
    if (!n)
        return rln__fail_nomem(err);
    n->reader = reader;
    n->n_holders = 1;
    n->rows = rln__alloc(1, sizeof(*n->rows));
    status = n->rows ? read_all(&b, reader, &n_of_threads, err) : rln__fail_nomem(err);
    rln__engine_clear(&b.engine);
    rln__predicate_clear(&b.predicate);
    if (!status)
        status = rln__nesting_settle(n, &b.rows, b.n, n_of_threads, err);
    rln__spill_clear(&b.rows);
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
    if (n->rows)
        rln__spill_clear(n->rows);
    rln__free(n->rows);
    rln__free(n->origins);
    rln__range_names_clear(&n->names);
    rln__free(n);
}
