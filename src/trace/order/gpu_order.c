/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/order/gpu_order.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/heap.h"

#include <string.h>

static const struct rln__gpu_event *head_of(const struct rln__gpu_feed *feed)
{
    return &feed->events.items[feed->at];
}

/* At equal times, batches come in their order. */
static int is_before(const void *a, const void *b)
{
    const struct rln__gpu_feed *f = *(struct rln__gpu_feed *const *)a;
    const struct rln__gpu_feed *g = *(struct rln__gpu_feed *const *)b;
    const int64_t x = head_of(f)->start_ns, y = head_of(g)->start_ns;

    return x != y ? x < y : f->batch < g->batch;
}

/* --- Batches -----------------------------------------------------------------------
 */

static void free_feed(struct rln__gpu_feed *feed)
{
    if (feed)
        rln__free(feed->events.items);
    rln__free(feed);
}

static void retire(struct rln__gpu_order *o, struct rln__gpu_feed *feed)
{
    if (o->spare)
        free_feed(feed);
    else
        o->spare = feed;
}

static rln_status enter(struct rln__gpu_order *o, rln_error *err)
{
    struct rln__gpu_feed **heap =
        rln__grow(o->heap, &o->capacity, o->n_heap + 1, sizeof(struct rln__gpu_feed *));
    struct rln__gpu_feed *feed;
    rln_status status;

    if (!heap)
        return rln__fail_nomem(err);
    o->heap = heap;
    feed = o->spare ? o->spare : rln__alloc(1, sizeof(*feed));
    o->spare = NULL;
    if (!feed)
        return rln__fail_nomem(err);
    feed->batch = &o->batches.all[o->next++];
    feed->at = 0;
    status = rln__gpu_batch_read(&o->batches, feed->batch, &feed->events, err);
    if (status || !feed->events.n) {
        retire(o, feed);
        return status;
    }
    rln__heap_add(heap, ++o->n_heap, &feed, sizeof(feed), is_before);
    return RLN_OK;
}

/* Takes the first event off the heap. */
static void take_first(struct rln__gpu_order *o)
{
    struct rln__gpu_feed *feed = o->heap[0];

    o->taken = *head_of(feed);
    if (++feed->at == feed->events.n) {
        retire(o, feed);
        feed = o->heap[--o->n_heap];
    }
    rln__heap_replace(o->heap, o->n_heap, &feed, sizeof(feed), is_before);
}

/* --- Outside -----------------------------------------------------------------------
 */

rln_status rln__gpu_order_init(struct rln__gpu_order *o, rln_reader *reader,
                               rln_error *err)
{
    memset(o, 0, sizeof(*o));
    return rln__gpu_batches_find(&o->batches, reader, err);
}

void rln__gpu_order_clear(struct rln__gpu_order *o)
{
    for (size_t i = 0; i < o->n_heap; i++)
        free_feed(o->heap[i]);
    free_feed(o->spare);
    rln__free(o->heap);
    rln__gpu_batches_clear(&o->batches);
    memset(o, 0, sizeof(*o));
}

static int64_t next_batch_ns(const struct rln__gpu_order *o)
{
    return o->next < o->batches.n ? o->batches.all[o->next].first_ns : INT64_MAX;
}

int64_t rln__gpu_order_ns(const struct rln__gpu_order *o)
{
    const int64_t of_batch = next_batch_ns(o);
    const int64_t of_heap = o->n_heap ? head_of(o->heap[0])->start_ns : INT64_MAX;

    return of_batch < of_heap ? of_batch : of_heap;
}

rln_status rln__gpu_order_next(struct rln__gpu_order *o,
                               const struct rln__gpu_event **event,
                               const struct rln__gpu_batch **batch, rln_error *err)
{
    while (o->next < o->batches.n &&
           (!o->n_heap || next_batch_ns(o) <= head_of(o->heap[0])->start_ns)) {
        const rln_status status = enter(o, err);

        if (status)
            return status;
    }
    if (!o->n_heap)
        return RLN_END;
    *batch = o->heap[0]->batch;
    take_first(o);
    *event = &o->taken;
    return RLN_OK;
}
