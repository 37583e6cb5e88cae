/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/nesting_order.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/heap.h"

#include <stdlib.h>
#include <string.h>

static int by_order(const void *a, const void *b)
{
    const struct rln__nesting_run *x = a, *y = b;

    if (x->order_ns != y->order_ns)
        return x->order_ns < y->order_ns ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static int is_before(const void *a, const void *b)
{
    return by_order(*(struct rln__nesting_run *const *)a,
                    *(struct rln__nesting_run *const *)b) < 0;
}

static rln_status find_runs(struct rln__nesting_order *o, struct rln__spill *rows,
                            size_t n, size_t first_deferred, rln_error *err)
{
    const struct rln__nested *items = rows->items;
    struct rln__nesting_run *run = NULL;

    for (size_t i = 0; i < n; i++) {
        rln__spill_touch(rows);
        if (run && i != first_deferred && items[i].order_ns >= items[i - 1].order_ns)
            continue;
        if (run)
            run->end = i;
        run = rln__append(&o->runs, &o->n_runs, &o->capacity, sizeof(*run));
        if (!run)
            return rln__fail_nomem(err);
        *run = (struct rln__nesting_run){.order_ns = items[i].order_ns,
                                         .at = i,
                                         .rank = i < first_deferred ? n + i : i};
    }
    if (run)
        run->end = n;
    return RLN_OK;
}

rln_status rln__nesting_order_init(struct rln__nesting_order *o,
                                   struct rln__spill *rows, size_t n,
                                   size_t first_deferred, rln_error *err)
{
    rln_status status;

    memset(o, 0, sizeof(*o));
    status = find_runs(o, rows, n, first_deferred, err);
    if (!status) {
        o->heap = rln__alloc(o->n_runs + 1, sizeof(struct rln__nesting_run *));
        if (!o->heap)
            status = rln__fail_nomem(err);
    }
    if (status)
        rln__nesting_order_clear(o);
    else if (o->n_runs)
        qsort(o->runs, o->n_runs, sizeof(*o->runs), by_order);
    return status;
}

void rln__nesting_order_clear(struct rln__nesting_order *o)
{
    rln__free(o->runs);
    rln__free(o->heap);
    memset(o, 0, sizeof(*o));
}

/* Puts the lead where it belongs now, or removes it. */
static void settle_lead(struct rln__nesting_order *o)
{
    struct rln__nesting_run *first = o->lead;

    if (first->at == first->end)
        first = o->heap[--o->n_heap];
    rln__heap_replace(o->heap, o->n_heap, &first, sizeof(struct rln__nesting_run *),
                      is_before);
}

static int is_run_due(const struct rln__nesting_order *o)
{
    return o->n_begun < o->n_runs &&
           (!o->n_heap || o->runs[o->n_begun].order_ns <= o->heap[0]->order_ns);
}

int rln__nesting_order_choose(struct rln__nesting_order *o, size_t *index)
{
    if (o->lead)
        settle_lead(o);
    o->lead = NULL;
    while (is_run_due(o)) {
        struct rln__nesting_run *run = &o->runs[o->n_begun++];

        rln__heap_add(o->heap, ++o->n_heap, &run, sizeof(struct rln__nesting_run *),
                      is_before);
    }
    if (!o->n_heap)
        return 0;
    o->lead = o->heap[0];
    o->rival_ns = o->n_begun < o->n_runs ? o->runs[o->n_begun].order_ns : INT64_MAX;
    for (size_t i = 1; i < 3 && i < o->n_heap; i++)
        if (o->heap[i]->order_ns < o->rival_ns)
            o->rival_ns = o->heap[i]->order_ns;
    *index = o->lead->at;
    return 1;
}
