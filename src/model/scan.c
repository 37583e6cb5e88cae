/* SPDX-License-Identifier: Apache-2.0 */
#include "model/scan.h"

#include <string.h>

#define MAX_HELD 64 /* as in merge.c */

struct rln__scan_thread *rln__scan_thread(struct rln__scan *scan, uint32_t thread)
{
    struct rln__scan_thread *threads;

    if (thread < scan->n_threads)
        return &scan->threads[thread];
    threads = rln__grow(scan->threads, &scan->threads_capacity, (size_t)thread + 1,
                        sizeof(*threads));
    if (!threads)
        return NULL;
    memset(threads + scan->n_threads, 0,
           ((size_t)thread + 1 - scan->n_threads) * sizeof(*threads));
    scan->threads = threads;
    scan->n_threads = (size_t)thread + 1;
    return &threads[thread];
}

static rln_status visit_last(struct rln__scan *scan, struct rln__scan_thread *t,
                             rln__visit *visit, void *context, rln_error *err)
{
    const struct rln__item item = t->last;

    t->n--;
    if (t->n)
        t->last = t->more[t->n - 1];
    return visit(context, &item, rln__reader_ns(scan->reader, t->part, item.ticks),
                 t->part, err);
}

rln_status rln__scan_hold(struct rln__scan *scan, struct rln__scan_thread *t,
                          const struct rln__item *item, rln__visit *visit,
                          void *context, rln_error *err)
{
    rln_status status = RLN_OK;

    while (t->n && t->last.ticks <= item->ticks && !status)
        status = visit_last(scan, t, visit, context, err);
    if (status)
        return status;
    if (t->n == 0 && rln__scan_is_next_later(&scan->stream, item->ticks))
        return visit(context, item, rln__reader_ns(scan->reader, t->part, item->ticks),
                     t->part, err);
    if (t->n == MAX_HELD)
        return visit(context, item, rln__reader_ns(scan->reader, t->part, item->ticks),
                     t->part, err);
    if (t->n && !t->more) {
        t->more = rln__alloc(MAX_HELD, sizeof(*t->more));
        if (!t->more)
            return rln__fail_nomem(err);
    }
    if (t->n)
        t->more[t->n - 1] = t->last;
    t->last = *item;
    t->n++;
    return RLN_OK;
}

rln_status rln__scan_flush(struct rln__scan *scan, rln__visit *visit, void *context,
                           rln_error *err)
{
    rln_status status = RLN_OK;

    for (size_t i = 0; i < scan->n_threads && !status; i++) {
        while (scan->threads[i].n && !status)
            status = visit_last(scan, &scan->threads[i], visit, context, err);
    }
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
