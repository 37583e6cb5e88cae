/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/order/scan.h"
#include "trace/decode/deferred_events.h"
#include "trace/decode/feed.h"

#include <string.h>

struct rln__scan_thread *rln__scan_thread(struct rln__scan *scan, uint32_t thread)
{
    struct rln__scan_thread *threads;

    if (thread < scan->n_threads)
        return &scan->threads[thread];
    threads = rln__grow_to(scan->threads, &scan->n_threads, &scan->threads_capacity,
                           thread, sizeof(*threads));
    if (!threads)
        return NULL;
    scan->threads = threads;
    return &threads[thread];
}

static int is_in_chunk(const struct rln__chunk_info *chunk,
                       const struct rln__item *item, uint32_t part)
{
    return part == chunk->part && item->offset >= chunk->offset &&
           item->offset < chunk->end;
}

/* Items of other chunks say nothing about the order in this one. */
static rln_status visit_item(struct rln__scan *scan, const struct rln__scan_thread *t,
                             const struct rln__item *item, rln__visit *visit,
                             void *context, rln_error *err)
{
    if (is_in_chunk(&scan->stream.chunk, item, t->part))
        scan->stream.seen = item->ticks;
    return visit(context, item, rln__reader_ns(scan->reader, t->part, item->ticks),
                 t->part, err);
}

rln_status rln__scan_visit_last(struct rln__scan *scan, struct rln__scan_thread *t,
                                rln__visit *visit, void *context, rln_error *err)
{
    const struct rln__item item = t->last;

    t->n--;
    if (t->n)
        t->last = t->more[t->n - 1];
    return visit_item(scan, t, &item, visit, context, err);
}

rln_status rln__scan_hold(struct rln__scan *scan, struct rln__scan_thread *t,
                          const struct rln__item *item, rln__visit *visit,
                          void *context, rln_error *err)
{
    rln_status status = RLN_OK;

    while (t->n && t->last.ticks <= item->ticks && !status)
        status = rln__scan_visit_last(scan, t, visit, context, err);
    if (status)
        return status;
    if (t->n == RLN__MAX_HELD ||
        (t->n == 0 && rln__stream_is_next_later(&scan->stream, item->ticks)))
        return visit_item(scan, t, item, visit, context, err);
    if (t->n && !t->more) {
        t->more = rln__alloc(RLN__MAX_HELD, sizeof(*t->more));
        if (!t->more)
            return rln__fail_nomem(err);
    }
    if (t->n)
        t->more[t->n - 1] = t->last;
    t->last = *item;
    t->n++;
    return RLN_OK;
}

rln_status rln__scan_kept(const rln_reader *reader, rln__visit *visit, void *context,
                          rln_error *err)
{
    const struct rln__overwritten_chunks *overwritten = &reader->overwritten;
    rln_status status = RLN_OK;

    for (size_t i = 0; i < overwritten->n_kept && !status; i++)
        status = visit(context, &overwritten->kept[i].item, overwritten->kept[i].t_ns,
                       overwritten->kept[i].part, err);
    return status;
}

rln_status rln__scan_flush(struct rln__scan *scan, rln__visit *visit, void *context,
                           rln_error *err)
{
    rln_status status = RLN_OK;

    for (size_t i = 0; i < scan->n_threads && !status; i++) {
        while (scan->threads[i].n && !status)
            status = rln__scan_visit_last(scan, &scan->threads[i], visit, context, err);
    }
    return status;
}

rln_status rln__scan_deferred(rln_reader *reader, rln__visit_deferred *visit,
                              void *context, uint64_t *n_unplaced, rln_error *err)
{
    struct rln__deferred_events deferred_events;
    rln_status status = rln__deferred_events_load(&deferred_events, reader, err);

    *n_unplaced = 0;
    if (status)
        return status;
    for (size_t i = 0; i < deferred_events.n && !status; i++) {
        const struct rln__deferred_event *e = &deferred_events.events[i];
        struct rln__deferred_source deferred;
        struct rln__item item;

        if (e->why_unplaced) {
            *n_unplaced += !e->is_other_end;
            continue;
        }
        rln__deferred_events_item(&deferred_events, reader, e, &item);
        deferred.address = rln__deferred_event_address(&deferred_events, e);
        deferred.origin = rln__deferred_origin(&deferred_events, reader, e);
        status = visit(context, &item, &deferred, e->t_ns, err);
    }
    rln__deferred_events_clear(&deferred_events);
    return status;
}

void rln__scan_clear(struct rln__scan *scan)
{
    for (size_t i = 0; i < scan->n_threads; i++)
        rln__free(scan->threads[i].more);
    rln__free(scan->threads);
    rln__stream_clear(&scan->stream);
    memset(scan, 0, sizeof(*scan));
}

rln_status rln__scan_steps_init(struct rln__scan_steps *steps, rln_reader *reader,
                                rln_error *err)
{
    rln_status status;

    *steps = (struct rln__scan_steps){.scan = {.reader = reader}};
    status = rln__reader_chunks(reader, RLN__BY_THREAD, &steps->chunks, &steps->n, err);
    if (!status)
        status = rln__stream_init(&steps->scan.stream, reader, 32768, err);
    return status;
}

void rln__scan_steps_clear(struct rln__scan_steps *steps)
{
    rln__scan_clear(&steps->scan);
    rln__free(steps->chunks);
    steps->chunks = NULL;
}
