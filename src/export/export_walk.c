/* SPDX-License-Identifier: Apache-2.0 */
/* export_walk.c - reads a trace once, in time order, and calls a format's operations.
 *
 *   filter's time     ----------[=========]----------
 *   a                    |------:-----|                opened as the time comes
 *   b                       |-| :                      never opened
 *   c                           :   |-------|
 *
 * Whether a window or a time includes a range is not known when it begins before it: so
 * earlier ranges are held back, and opened, in the order of begins, at the first event
 * inside. Their slots keep what the format knows about open ranges.
 */
#include "export/export_walk.h"

#include "base/alloc.h"
#include "export/gpu_fields.h"
#include "export/payloads.h"
#include "export/rows.h"
#include "ranges/range_prefilter.h"
#include "ranges/ranges.h"

#include <stdlib.h>

#define EVENTS_PER_REFRESH 65536u /* from one question of progress to the next */

struct held {
    uint64_t key;
    size_t slot;
    rln_range range;
};

struct walk {
    const struct rln__exporter *exporter;
    void *state;           /* owned: the format's */
    struct rln__export *x; /* borrowed */
    struct rln__range_prefilter prefilter;
    struct rln__span span;
    int is_bounded;   /* by a span or a filter: some ranges are left out */
    int is_before;    /* nothing inside the span has come yet */
    uint64_t *opened; /* owned: by slot, 0 or the row's number + 1 */
    size_t n_opened, opened_capacity;
    struct rln__map held; /* key -> its index + 1 */
    struct held *waiting; /* owned: what began before the span; key 0: it has ended */
    size_t n_waiting, waiting_capacity;
    struct rln__rows rows;
    struct rln__buf json, blob;
    uint64_t n_events;
};

static int needs_rows(const struct walk *w)
{
    return w->exporter->row != NULL;
}

/* Whether it is of use how a range began. */
static int needs_begins(const struct walk *w)
{
    return !needs_rows(w) || w->exporter->needs_begins;
}

/* --- To the format ---------------------------------------------------------------- */

static rln_status take_row(void *context, const struct rln__row *row, rln_error *err)
{
    struct walk *w = context;

    if (w->x->times.n &&
        !rln__time_ranges_have(&w->x->times, row->range->start_ns, row->range->end_ns))
        return RLN_OK;
    return w->exporter->row(w->state, row, err);
}

static rln_status set_aside(void *context, uint64_t number, const rln_range *range,
                            rln_error *err)
{
    struct walk *w = context;

    return w->exporter->aside ? w->exporter->aside(w->state, number,
                                                   needs_begins(w) ? range : NULL, err)
                              : RLN_OK;
}

static int keep_opened(struct walk *w, size_t slot, uint64_t number)
{
    if (slot >= w->n_opened) {
        uint64_t *opened = rln__grow_to(w->opened, &w->n_opened, &w->opened_capacity,
                                        slot, sizeof(*opened));

        if (!opened)
            return -1;
        w->opened = opened;
    }
    w->opened[slot] = number + 1;
    return 0;
}

/* `range` may be changed. Formats of rows do not get it: they have whole ranges only at
 * the end. */
static rln_status call_open(struct walk *w, size_t slot, rln_range *range,
                            rln_error *err)
{
    uint64_t number = 0;
    rln_status status = RLN_OK;

    w->x->n_opened++;
    if (needs_rows(w)) {
        status = rln__rows_open(&w->rows, needs_begins(w) ? range : NULL, &number, err);
    } else if (w->exporter->open) {
        /* Of one that was open before its window, this is the first that is heard. */
        if (range->start_ns < w->x->last_ns && (range->flags & RLN_FLAG_RESUMED))
            range->start_ns = w->x->last_ns;
        status = w->exporter->open(w->state, range, err);
    }
    if (!status && keep_opened(w, slot, number))
        status = rln__fail_nomem(err);
    return status;
}

/* Payloads of the current row, if it has room for them. */
static rln_status fill_payloads(struct walk *w, struct rln__row *row, rln_error *err)
{
    const rln_range *range = row->time ? NULL : row->range;
    rln_status status = RLN_OK;

    w->json.length = w->blob.length = 0;
    if (rln__export_needs(w->x, RLN_EXPORT_JSON) || w->exporter->needs_payloads)
        status = rln__payloads_json(w->x->ranges, range, &w->json, err);
    if (!status && rln__export_needs(w->x, RLN_EXPORT_BLOBS))
        status = rln__payloads_blob(w->x->ranges, range, &w->blob, err);
    row->json = (rln_text){w->json.bytes, w->json.length};
    row->blob = (rln_text){w->blob.bytes, w->blob.length};
    if (!status && (w->json.has_failed || w->blob.has_failed))
        status = rln__fail_nomem(err);
    return status;
}

/* Of a range that ends: the number of its row + 1, 0 if it was not opened. */
static uint64_t was_opened(struct walk *w, const struct rln__step *step)
{
    uint64_t opened;

    if (!step->key || step->slot >= w->n_opened)
        return 0;
    opened = w->opened[step->slot];
    w->opened[step->slot] = 0;
    return opened;
}

static rln_status call_close(struct walk *w, const struct rln__step *step,
                             rln_error *err)
{
    const uint64_t opened = was_opened(w, step);
    struct rln__row row = {.range = step->range};
    rln_status status = RLN_OK;

    if (!opened)
        return RLN_OK;
    if (!needs_rows(w))
        return w->exporter->close ? w->exporter->close(w->state, step->range, err)
                                  : RLN_OK;
    if (step->range->n_payloads)
        status = fill_payloads(w, &row, err);
    return status ? status : rln__rows_close(&w->rows, opened - 1, &row, err);
}

static rln_status call_mark(struct walk *w, const rln_event *event, rln_error *err)
{
    struct rln__row row = {.time = event->type};
    rln_range time;
    rln_status status;

    w->x->n_opened += event->type == RLN_EVENT_MARK;
    if (!needs_rows(w))
        return w->exporter->mark && event->type == RLN_EVENT_MARK
                   ? w->exporter->mark(w->state, event, err)
                   : RLN_OK;
    time = rln__range_of_event(event);
    time.n_payloads = event->n_payloads;
    row.range = &time;
    status = event->n_payloads ? fill_payloads(w, &row, err) : RLN_OK;
    return status ? status : rln__rows_add(&w->rows, &row, err);
}

static rln_status call_sample(struct walk *w, const rln_event *event, rln_error *err)
{
    if (!w->exporter->sample ||
        (w->x->times.n &&
         !rln__time_ranges_have(&w->x->times, event->t_ns, event->t_ns)))
        return RLN_OK;
    w->x->n_opened++;
    return w->exporter->sample(w->state, event, err);
}

/* Waits overlap the work that the program waits for. */
static rln_status is_operation(struct walk *w, const rln_range *range, int *is_so,
                               rln_error *err)
{
    struct rln__gpu_fields fields;
    const rln_status status = rln__gpu_fields_read(w->x->ranges, &fields, err);

    *is_so = range->style == RLN_RANGE_GPU && fields.kind != RLN__GPU_SYNC;
    return status;
}

/* GPU work has no open state: its event is the whole range. `range` may be changed. */
static rln_status call_gpu(struct walk *w, rln_range *range, rln_error *err)
{
    struct rln__row row = {.range = range, .is_gpu = 1};
    rln_status status = RLN_OK;
    int is_exported = 1;

    if (w->x->times.n &&
        !rln__time_ranges_have(&w->x->times, range->start_ns, range->end_ns))
        return RLN_OK;
    if (w->exporter->has_only_operations) {
        range->attributes.domain_name = (rln_text){NULL, 0}; /* that of all */
        status = is_operation(w, range, &is_exported, err);
    }
    if (status || !is_exported)
        return status;
    w->x->n_opened++;
    w->json.length = 0;
    if (w->exporter->needs_payloads)
        status = rln__payloads_json_of_work(w->x->ranges, &w->json, err);
    if (!status && w->json.has_failed)
        status = rln__fail_nomem(err);
    row.json = (rln_text){w->json.bytes, w->json.length};
    if (status)
        return status;
    return w->exporter->has_gpu_rows ? rln__rows_add(&w->rows, &row, err)
                                     : w->exporter->gpu(w->state, &row, err);
}

/* --- What began before the span --------------------------------------------------- */

static rln_status hold(struct walk *w, const struct rln__step *step,
                       const rln_range *range, rln_error *err)
{
    struct held *added;

    /* Those that have ended go when they are half of all. */
    if (w->n_waiting == w->waiting_capacity && w->held.n < w->n_waiting / 2) {
        size_t n = 0;

        for (size_t i = 0; i < w->n_waiting; i++) {
            if (!w->waiting[i].key)
                continue;
            w->waiting[n] = w->waiting[i];
            if (rln__map_put(&w->held, w->waiting[n].key, n + 1))
                return rln__fail_nomem(err);
            n++;
        }
        w->n_waiting = n;
    }
    added =
        rln__append(&w->waiting, &w->n_waiting, &w->waiting_capacity, sizeof(*added));
    if (!added)
        return rln__fail_nomem(err);
    *added = (struct held){step->key, step->slot, *range};
    return rln__map_put(&w->held, step->key, w->n_waiting) ? rln__fail_nomem(err)
                                                           : RLN_OK;
}

static int by_start(const void *a, const void *b)
{
    const struct held *x = a, *y = b;

    if (x->range.start_ns != y->range.start_ns)
        return x->range.start_ns < y->range.start_ns ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

static rln_status open_held(struct walk *w, rln_error *err)
{
    rln_status status = RLN_OK;

    w->is_before = 0;
    if (w->n_waiting)
        qsort(w->waiting, w->n_waiting, sizeof(*w->waiting), by_start);
    for (size_t i = 0; i < w->n_waiting && !status; i++)
        if (w->waiting[i].key)
            status = call_open(w, w->waiting[i].slot, &w->waiting[i].range, err);
    rln__map_clear(&w->held);
    rln__free(w->waiting);
    w->waiting = NULL;
    w->n_waiting = w->waiting_capacity = 0;
    return status;
}

static void unhold(struct walk *w, uint64_t key)
{
    const uint64_t index = rln__map_remove(&w->held, key);

    if (index)
        w->waiting[index - 1].key = 0;
}

/* --- From the trace --------------------------------------------------------------- */

static uint32_t part_of(const struct walk *w, uint32_t process)
{
    return w->x->reader->names.processes[process].part;
}

static rln_status test_filter(struct walk *w, const rln_event *event, int *matches,
                              rln_error *err)
{
    *matches = 1;
    return w->prefilter.filter
               ? rln__range_prefilter_accepts(&w->prefilter,
                                              rln__ranges_events(w->x->ranges), event,
                                              matches, err)
               : RLN_OK;
}

/* Where some ranges are left out. */
static rln_status see_bounded_begin(struct walk *w, const struct rln__step *step,
                                    rln_error *err)
{
    const uint32_t part = part_of(w, step->event->process);
    const int64_t start_ns = rln__ranges_start(w->x->ranges);
    const int is_inside = rln__span_has(&w->span, part, start_ns);
    rln_range begun;
    int matches;
    const rln_status status = test_filter(w, step->event, &matches, err);

    if (status || !matches)
        return status;
    if (!is_inside &&
        !(w->is_before && rln__span_has_range(&w->span, part, start_ns, INT64_MAX)))
        return RLN_OK;
    rln__ranges_begun(w->x->ranges, step->event, &begun);
    return is_inside ? call_open(w, step->slot, &begun, err)
                     : hold(w, step, &begun, err);
}

static rln_status see_begin(struct walk *w, const struct rln__step *step,
                            rln_error *err)
{
    rln_range begun;

    if (w->is_bounded)
        return see_bounded_begin(w, step, err);
    if (needs_begins(w))
        rln__ranges_begun(w->x->ranges, step->event, &begun);
    return call_open(w, step->slot, &begun, err);
}

static int is_moment(rln_event_type type)
{
    return type == RLN_EVENT_MARK || type == RLN_EVENT_SAMPLE ||
           type == RLN_EVENT_THREAD_NAME || type == RLN_EVENT_DOMAIN_DESTROY;
}

/* A mark or a sample, which is written at once. Names are always included. */
static rln_status see_moment(struct walk *w, const rln_event *event, rln_error *err)
{
    int matches = 1;
    rln_status status = RLN_OK;

    if (!rln__span_has(&w->span, part_of(w, event->process), event->t_ns))
        return RLN_OK;
    if (event->type != RLN_EVENT_THREAD_NAME)
        status = test_filter(w, event, &matches, err);
    if (status || !matches)
        return status;
    return event->type == RLN_EVENT_SAMPLE ? call_sample(w, event, err)
                                           : call_mark(w, event, err);
}

static rln_status see_gpu(struct walk *w, const struct rln__step *step, rln_error *err)
{
    rln_range range = *step->range;
    int matches;
    rln_status status;

    if (!(w->exporter->gpu || w->exporter->has_gpu_rows) ||
        !rln__span_overlaps(&w->span, part_of(w, range.process), range.start_ns,
                            range.end_ns))
        return RLN_OK;
    status = test_filter(w, step->event, &matches, err);
    return status || !matches ? status : call_gpu(w, &range, err);
}

static rln_status see(struct walk *w, const struct rln__step *step, rln_error *err)
{
    const rln_event *event = step->event;
    rln_status status = RLN_OK;

    if (w->is_before && event->t_ns >= w->span.opened_ns)
        status = open_held(w, err);
    if (status)
        return status;
    if (event->t_ns > w->x->last_ns)
        w->x->last_ns = event->t_ns;
    if (step->range && rln__is_gpu_event(event->type))
        return see_gpu(w, step, err);
    if (step->range) {
        if (w->n_waiting)
            unhold(w, step->key);
        return call_close(w, step, err);
    }
    if (step->key)
        return see_begin(w, step, err);
    return is_moment(event->type) ? see_moment(w, event, err) : RLN_OK;
}

/* Ranges never closed come the oldest first; formats of events nest, so these get the
 * newest first. */
static rln_status close_rest(struct walk *w, struct rln__step *step, rln_error *err)
{
    rln_range *open = NULL; /* owned */
    size_t n = 0, capacity = 0;
    rln_status status = RLN_OK;

    while (step->range && !status) {
        if (needs_rows(w)) {
            status = call_close(w, step, err);
        } else if (was_opened(w, step)) {
            rln_range *added = rln__append(&open, &n, &capacity, sizeof(*added));

            if (!added) {
                status = rln__fail_nomem(err);
                break;
            }
            *added = *step->range;
        }
        if (!status)
            status = rln__ranges_step(w->x->ranges, step, err);
    }
    while (status == RLN_END && n && w->exporter->close) {
        const rln_status closed = w->exporter->close(w->state, &open[--n], err);

        status = closed ? closed : RLN_END;
    }
    rln__free(open);
    return status;
}

static rln_status walk(struct walk *w, rln_error *err)
{
    const rln_export_options *options = &w->x->options;
    struct rln__step step;
    rln_status status;

    while ((status = rln__ranges_step(w->x->ranges, &step, err)) == RLN_OK) {
        status = step.event ? see(w, &step, err) : close_rest(w, &step, err);
        if (status)
            break;
        if (options->progress && ++w->n_events % EVENTS_PER_REFRESH == 0)
            options->progress(options->context,
                              rln__events_progress(rln__ranges_events(w->x->ranges)),
                              w->n_events);
    }
    return status == RLN_END ? RLN_OK : status;
}

rln_status rln__export_walk(struct rln__export *x, rln_error *err)
{
    const struct rln_filter *filter = x->reader->filter;
    struct walk w = {
        .exporter = x->exporter,
        .x = x,
        .span = x->reader->span,
        .is_before = x->reader->span.is_window,
        .is_bounded = filter || x->reader->span.is_window,
    };
    rln_status status;

    w.rows.take = take_row;
    w.rows.aside = set_aside;
    w.rows.context = &w;
    status = rln__range_prefilter_init(&w.prefilter, x->reader, filter, err);
    if (status)
        return status;
    w.state = rln__alloc(1, x->exporter->state_bytes);
    if (!w.state) {
        rln__range_prefilter_clear(&w.prefilter);
        return rln__fail_nomem(err);
    }
    status = rln_ranges_open(x->reader, &x->ranges, err);
    if (!status) {
        rln__events_ignore_window(rln__ranges_events(x->ranges));
        status = x->exporter->begin(w.state, x, err);
    }
    if (!status)
        status = walk(&w, err);
    if (!status)
        status = x->exporter->end(w.state, err);
    if (x->exporter->clear)
        x->exporter->clear(w.state);
    rln_ranges_close(x->ranges);
    x->ranges = NULL;
    rln__rows_clear(&w.rows);
    rln__free(w.opened);
    rln__map_clear(&w.held);
    rln__range_prefilter_clear(&w.prefilter);
    rln__free(w.waiting);
    rln__buf_clear(&w.json);
    rln__buf_clear(&w.blob);
    rln__free(w.state);
    return status;
}
