/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sorter.h"
#include "base/alloc.h"
#include "base/fail.h"

#include <stdlib.h>
#include <string.h>

#define RUN_BYTES ((size_t)8 << 20)

static char *item_at(const struct rln__sorter *s, size_t index)
{
    return (char *)s->items.items + index * s->item_bytes;
}

/* Sorts the items since the last run, and makes them one or a part of the last. */
static rln_status end_run(struct rln__sorter *s, rln_error *err)
{
    const size_t begin = s->n_runs ? s->runs[s->n_runs - 1].end : 0;
    struct rln__sorted_run *added;

    if (begin == s->n)
        return RLN_OK;
    qsort(item_at(s, begin), s->n - begin, s->item_bytes, s->compare);
    if (s->n_runs && s->compare(item_at(s, begin - 1), item_at(s, begin)) < 0) {
        s->runs[s->n_runs - 1].end = s->n;
    } else {
        added = rln__append(&s->runs, &s->n_runs, &s->capacity, sizeof(*added));
        if (!added)
            return rln__fail_nomem(err);
        *added = (struct rln__sorted_run){.begin = begin, .end = s->n};
    }
    rln__spill_rest(&s->items);
    return RLN_OK;
}

rln_status rln__sorter_add(struct rln__sorter *s, const void *item, rln_error *err)
{
    const size_t begin = s->n_runs ? s->runs[s->n_runs - 1].end : 0;
    rln_status status = rln__spill_room(&s->items, s->n + 1, s->item_bytes, err);

    if (status)
        return status;
    memcpy(item_at(s, s->n++), item, s->item_bytes);
    return (s->n - begin) * s->item_bytes < RUN_BYTES ? RLN_OK : end_run(s, err);
}

static const void *head_of(const struct rln__sorter *s, size_t at)
{
    return item_at(s, s->runs[s->heap[at]].at);
}

/* Moves an entry down to where its children are greater. */
static void sift(struct rln__sorter *s, size_t at)
{
    for (size_t child; (child = 2 * at + 1) < s->n_heap; at = child) {
        const size_t run = s->heap[at];

        if (child + 1 < s->n_heap &&
            s->compare(head_of(s, child + 1), head_of(s, child)) < 0)
            child++;
        if (s->compare(head_of(s, at), head_of(s, child)) < 0)
            return;
        s->heap[at] = s->heap[child];
        s->heap[child] = run;
    }
}

static void rewind_runs(struct rln__sorter *s)
{
    s->n_given = 0;
    s->n_heap = s->n_runs;
    for (size_t i = 0; i < s->n_runs; i++) {
        s->runs[i].at = s->runs[i].begin;
        s->heap[i] = i;
    }
    for (size_t i = s->n_heap; i-- > 0;)
        sift(s, i);
}

rln_status rln__sorter_end(struct rln__sorter *s, rln_error *err)
{
    const rln_status status = end_run(s, err);

    if (status)
        return status;
    s->heap = rln__alloc(s->n_runs, sizeof(*s->heap));
    if (!s->heap)
        return rln__fail_nomem(err);
    rewind_runs(s);
    return RLN_OK;
}

const void *rln__sorter_next(struct rln__sorter *s)
{
    struct rln__sorted_run *run;
    const void *item;

    if (!s->n_heap)
        return NULL;
    run = &s->runs[s->heap[0]];
    item = item_at(s, run->at++);
    if (run->at == run->end)
        s->heap[0] = s->heap[--s->n_heap];
    sift(s, 0);
    s->n_given++;
    rln__spill_touch(&s->items);
    return item;
}

/* Returns whether `order` is there. */
static int find_order(struct rln__sorter *s)
{
    if (s->order)
        return 1;
    s->order = rln__alloc(s->n, sizeof(*s->order));
    if (!s->order)
        return 0;
    rewind_runs(s);
    for (size_t i = 0; i < s->n; i++) {
        s->order[i] = s->runs[s->heap[0]].at;
        (void)rln__sorter_next(s);
    }
    return 1;
}

const void *rln__sorter_item(struct rln__sorter *s, size_t rank)
{
    if (rank >= s->n)
        return NULL;
    if (rank == 0)
        rewind_runs(s);
    if (rank == s->n_given)
        return rln__sorter_next(s);
    if (!find_order(s))
        return NULL;
    rln__spill_touch(&s->items);
    return item_at(s, s->order[rank]);
}

void rln__sorter_clear(struct rln__sorter *s)
{
    rln__spill_clear(&s->items);
    rln__free(s->runs);
    rln__free(s->heap);
    rln__free(s->order);
    memset(s, 0, sizeof(*s));
}
