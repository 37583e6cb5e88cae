/* SPDX-License-Identifier: Apache-2.0 */
/* lod_gpu_owners.c - which ranges the work of GPUs belongs to (ranges/gpu_owner.h), once
 * all are in their rows; and these ranges as rows above the work of each stream.
 *
 *     thread    |---- step ------|
 *                |load|  |train|
 *     stream          |-------- step ---------|     projected: from the first operation
 *                     |load|  |----train------|     that belongs to it to the last one,
 *                     [k][k]  [k]      [k][k]       of this stream
 */
#include "timeline/lod_gpu_owners.h"

#include "base/alloc.h"
#include "base/key_index.h"
#include "timeline/lod_facts.h"
#include "timeline/lod_fill.h"
#include "timeline/lod_query.h"

#include <stdlib.h>

/* The rows of each thread, in lists. */
struct threads {
    struct rln__lod *lod; /* borrowed */
    uint32_t *first;      /* by thread: its first row, + 1; owned, as the next */
    uint32_t *next;       /* by row: the next of the thread, + 1 */
};

/* Several threads may have one id: one stands for them. */
static uint32_t thread_of(struct rln__lod *lod, uint32_t thread)
{
    const struct rln__trace_thread *t = &lod->reader->threads[thread];

    return rln__reader_thread_of_tid(lod->reader, &lod->threads_by_tid, t->process,
                                     t->tid);
}

static int list_rows(struct threads *t, struct rln__lod *lod)
{
    t->lod = lod;
    t->first = rln__alloc(lod->reader->n_threads + 1, sizeof(*t->first));
    t->next = rln__alloc(lod->n_rows + 1, sizeof(*t->next));
    if (!t->first || !t->next)
        return -1;
    for (uint32_t i = 0; i < lod->n_rows; i++) {
        const struct rln__lod_row *row = &lod->rows[i];
        uint32_t *first;

        if (!rln__lod_is_of_ranges(row) || row->thread == RLN__NONE)
            continue;
        first = &t->first[thread_of(lod, row->thread)];
        t->next[i] = *first;
        *first = i + 1;
    }
    return 0;
}

/* Of a row, the range around a call; NULL: none. Reports do not count ranges that were
 * never closed, or by another thread. What is merged counts: most likely one of them is
 * around the call. */
static const struct rln__range_bucket *around_in(struct rln__lod_row *row,
                                                 const struct rln__gpu_call_span *call)
{
    size_t i = rln__range_buckets_from(&row->buckets, call->from_ns);

    for (; i < row->buckets.n; i++) {
        const struct rln__range_bucket *b = &row->buckets.items[i];

        if (b->start_ns > call->from_ns)
            break;
        if (rln__gpu_is_around(call, b->start_ns, b->end_ns) &&
            (b->n > 1 || (!b->is_open && rln__lod_end_thread(row, b) == RLN__NONE)))
            return b;
    }
    return NULL;
}

static int has_range(const struct threads *t, uint32_t thread,
                     const struct rln__gpu_call_span *call)
{
    for (uint32_t row = t->first[thread_of(t->lod, thread)]; row;
         row = t->next[row - 1]) {
        if (around_in(&t->lod->rows[row - 1], call))
            return 1;
    }
    return 0;
}

static void adopt(struct threads *t, struct rln__lod_row *row)
{
    for (size_t i = 0; i < row->buckets.n; i++) {
        struct rln__range_bucket *b = &row->buckets.items[i];
        const struct rln__gpu_call_span call = rln__lod_call_span(b);

        if (rln__lod_has_call(row, b))
            b->is_adopted = !has_range(t, rln__lod_caller(b), &call);
    }
}

/* --- Projection ------------------------------------------------------------------- */

/* A range around a call. */
struct around {
    const struct rln__range_bucket *bucket; /* borrowed */
    uint32_t row;
};

/* A range, as it will be in a row of the stream. */
struct projected {
    struct rln__range_bucket bucket;
    uint32_t depth;
    uint32_t around; /* index of the one that it is in; RLN__NONE: none */
    uint32_t level;  /* of its row, once that is known */
};

struct stream {
    struct threads *threads; /* borrowed */
    uint32_t thread;
    int is_merged; /* some operations are: what belongs to a range is not known */
    const struct rln__range_bucket **operations; /* owned, as the next three */
    size_t n, capacity;
    struct rln__key_index keys; /* {row, start} of a range -> its index */
    struct projected *all;
    size_t n_all, all_capacity;
    int64_t until_ns[RLN__LOD_PROJECTED_LEVELS]; /* by level */
};

static int by_start(const void *a, const void *b)
{
    const struct rln__range_bucket *x = *(const struct rln__range_bucket *const *)a;
    const struct rln__range_bucket *y = *(const struct rln__range_bucket *const *)b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns);
}

static int is_outer(const struct rln__range_bucket *a,
                    const struct rln__range_bucket *b)
{
    return a->start_ns < b->start_ns ||
           (a->start_ns == b->start_ns && a->end_ns > b->end_ns);
}

/* The outermost ranges around an operation's call, in order. Merged ones are not known.
 */
static size_t find_around(const struct stream *s,
                          const struct rln__range_bucket *operation, struct around *out)
{
    struct rln__lod *lod = s->threads->lod;
    const struct rln__gpu_call_span call = rln__lod_call_span(operation);
    const uint32_t owner = thread_of(lod, rln__lod_owner(lod, operation));
    size_t n = 0;

    for (uint32_t row = s->threads->first[owner]; row;
         row = s->threads->next[row - 1]) {
        const struct rln__range_bucket *b = around_in(&lod->rows[row - 1], &call);
        size_t at = n;

        if (!b || b->n > 1)
            continue;
        while (at && is_outer(b, out[at - 1].bucket))
            at--;
        if (at == RLN__LOD_PROJECTED_LEVELS)
            continue;
        n += n < RLN__LOD_PROJECTED_LEVELS;
        for (size_t i = n - 1; i > at; i--)
            out[i] = out[i - 1];
        out[at] = (struct around){b, row - 1};
    }
    return n;
}

/* An operation of a range: this begins, or goes on. Returns its index. */
static uint32_t extend(struct stream *s, const struct rln__range_bucket *operation,
                       const struct around *of, uint32_t depth, uint32_t around)
{
    const struct rln__key key = {{of->row, (uint64_t)of->bucket->start_ns, 0}};
    const uint32_t number = rln__key_index_number(&s->keys, &key);
    struct projected *p =
        rln__key_index_item(&s->all, &s->n_all, &s->all_capacity, number, sizeof(*p));

    if (!p)
        return RLN__NONE;
    if (!p->bucket.n)
        *p = (struct projected){{.start_ns = operation->start_ns,
                                 .end_ns = operation->end_ns,
                                 .call_ns = of->bucket->start_ns,
                                 .call_took = of->row,
                                 .caller = operation->caller,
                                 .attr = of->bucket->attr,
                                 .n = 1},
                                depth,
                                around,
                                0};
    if (p->bucket.end_ns < operation->end_ns)
        p->bucket.end_ns = operation->end_ns;
    return number;
}

static int project(struct stream *s, const struct rln__range_bucket *operation)
{
    struct around around[RLN__LOD_PROJECTED_LEVELS];
    const size_t n = find_around(s, operation, around);
    uint32_t last = RLN__NONE;

    for (uint32_t i = 0; i < n; i++) {
        last = extend(s, operation, &around[i], i, last);
        if (last == RLN__NONE)
            return -1;
    }
    return 0;
}

/* Puts a range into the first row that is free, below that of the range around it:
 * ranges of several threads overlap. It is not counted: it is in a row of its thread. */
static int put(struct stream *s, struct projected *p)
{
    struct rln__lod *lod = s->threads->lod;
    struct rln__lod_row_key key = {.thread = s->thread, .lane = RLN__NONE};
    struct rln__lod_row *row;
    uint32_t number;

    p->level = p->around == RLN__NONE ? 0 : s->all[p->around].level + 1;
    while (p->level + 1 < RLN__LOD_PROJECTED_LEVELS &&
           s->until_ns[p->level] > p->bucket.start_ns)
        p->level++;
    if (p->level >= RLN__LOD_PROJECTED_LEVELS)
        p->level = RLN__LOD_PROJECTED_LEVELS - 1;
    if (s->until_ns[p->level] < p->bucket.end_ns)
        s->until_ns[p->level] = p->bucket.end_ns;
    key.level = p->level;
    number = rln__lod_row(lod, RLN__LOD_PROJECTED, &key);
    if (number == RLN__NONE)
        return -1;
    row = &lod->rows[number];
    row->is_stream = 0;
    return rln__lod_put(lod, row, &p->bucket) ? 0 : -1;
}

/* An outer range before those inside it: they begin with one operation, or later. */
static int by_begin(const void *a, const void *b)
{
    const struct projected *x = *(struct projected *const *)a;
    const struct projected *y = *(struct projected *const *)b;

    if (x->bucket.start_ns != y->bucket.start_ns)
        return x->bucket.start_ns < y->bucket.start_ns ? -1 : 1;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return (x > y) - (x < y);
}

static int put_all(struct stream *s)
{
    struct projected **sorted = rln__alloc(s->n_all, sizeof(*sorted));
    int failed = !sorted;

    for (size_t i = 0; i < s->n_all && sorted; i++)
        sorted[i] = &s->all[i];
    if (s->n_all && sorted)
        qsort(sorted, s->n_all, sizeof(struct projected *), by_begin);
    for (size_t i = 0; i < RLN__LOD_PROJECTED_LEVELS; i++)
        s->until_ns[i] = INT64_MIN;
    for (size_t i = 0; i < s->n_all && !failed; i++)
        failed = put(s, sorted[i]);
    rln__free(sorted);
    return failed;
}

static int add_operations(struct stream *s, struct rln__lod_row *row)
{
    for (size_t i = 0; i < row->buckets.n; i++) {
        const struct rln__range_bucket **added;

        s->is_merged |= row->buckets.items[i].n > 1;
        if (!rln__lod_has_call(row, &row->buckets.items[i]))
            continue;
        added = rln__append(&s->operations, &s->n, &s->capacity, sizeof(*added));
        if (!added)
            return -1;
        *added = &row->buckets.items[i];
    }
    return 0;
}

/* Of the stream that has this row as its first. */
static int project_stream(struct threads *t, uint32_t first, uint32_t n_rows)
{
    struct stream s = {.threads = t, .thread = t->lod->rows[first].thread};
    int failed = 0;

    for (uint32_t i = first; i < n_rows && !failed; i++) {
        if (t->lod->rows[i].is_stream && t->lod->rows[i].thread == s.thread)
            failed = add_operations(&s, &t->lod->rows[i]);
    }
    if (s.n)
        qsort(s.operations, s.n, sizeof(const struct rln__range_bucket *), by_start);
    for (size_t i = 0; i < s.n && !failed && !s.is_merged; i++)
        failed = project(&s, s.operations[i]);
    failed = failed || put_all(&s);
    rln__free(s.all);
    rln__key_index_clear(&s.keys);
    rln__free(s.operations);
    return failed;
}

int rln__lod_own_gpu(struct rln__lod *lod)
{
    const uint32_t n_rows = (uint32_t)lod->n_rows; /* more come */
    struct threads threads = {.lod = lod};
    int failed = 0, is_listed = 0;

    for (uint32_t i = 0; i < n_rows && !failed; i++) {
        if (!lod->rows[i].is_stream)
            continue;
        failed = is_listed++ ? 0 : list_rows(&threads, lod);
        if (!failed)
            adopt(&threads, &lod->rows[i]);
    }
    for (uint32_t i = 0; i < n_rows && !failed; i++) {
        if (lod->rows[i].is_stream && lod->rows[i].level == 0 &&
            lod->rows[i].thread != RLN__NONE)
            failed = project_stream(&threads, i, n_rows);
    }
    rln__free(threads.first);
    rln__free(threads.next);
    return failed ? -1 : 0;
}
