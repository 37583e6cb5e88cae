/* SPDX-License-Identifier: Apache-2.0 */
/* query_links.c - relates ranges of threads to the work of GPUs that was requested in
 * them, and an operation to its call.
 *
 *     thread   |------- step -------|
 *                 [launch]                     the call runs in the range
 *     GPU 0               [kernel]             so the kernel belongs to it
 *
 * The index knows which of them a main thread has adopted (ranges/gpu_owner.h).
 */
#include "query/query_links.h"

#include "base/alloc.h"
#include "base/busy_times.h"
#include "base/json.h"
#include "timeline/lod_facts.h"
#include "timeline/lod_gpus.h"
#include "timeline/lod_narrow.h"
#include "timeline/lod_rows.h"

#include <stdlib.h>

struct operation {
    int64_t start_ns, end_ns;
    uint32_t row;
    const struct rln__range_bucket *bucket; /* borrowed */
};

/* The operations of one GPU that belong to a range. */
struct gpu {
    struct operation *items; /* owned */
    size_t n, capacity;
    size_t n_adopted;      /* that another thread launched meanwhile */
    uint32_t adopted_from; /* that thread; RLN__NONE: several */
};

struct work {
    struct rln__lod_gpus gpus;
    struct gpu *by_gpu; /* owned */
    int is_rough; /* some operations are merged: whether they belong is not known */
};

/* --- Finding ---------------------------------------------------------------------- */

static int belongs(struct rln__lod *lod, const struct rln__range_bucket *operation,
                   uint32_t thread, const struct rln__range_bucket *range)
{
    const struct rln__gpu_call_span call = rln__lod_call_span(operation);

    return rln__gpu_is_around(&call, range->start_ns, range->end_ns) &&
           rln__lod_is_same_thread(lod, rln__lod_owner(lod, operation), thread);
}

static void count_adopted(struct gpu *gpu, const struct rln__lod *lod,
                          const struct rln__range_bucket *b, uint32_t thread)
{
    const uint32_t caller = rln__lod_caller(b);

    if (rln__lod_is_same_thread(lod, caller, thread))
        return;
    gpu->adopted_from =
        !gpu->n_adopted || gpu->adopted_from == caller ? caller : RLN__NONE;
    gpu->n_adopted++;
}

static int add_row(struct work *work, struct rln__lod *lod, uint32_t number,
                   uint32_t thread, const struct rln__range_bucket *range)
{
    struct rln__lod_row *row = &lod->rows[number];
    struct gpu *gpu = &work->by_gpu[work->gpus.of_row[number]];
    size_t i = rln__range_buckets_from(&row->buckets, range->start_ns);

    for (; i < row->buckets.n; i++) {
        const struct rln__range_bucket *b = &row->buckets.items[i];
        struct operation *added;

        work->is_rough |= b->n > 1;
        if (!rln__lod_has_call(row, b) || !belongs(lod, b, thread, range))
            continue;
        added = rln__append(&gpu->items, &gpu->n, &gpu->capacity, sizeof(*added));
        if (!added)
            return -1;
        count_adopted(gpu, lod, b, thread);
        *added = (struct operation){b->start_ns, b->end_ns, number, b};
    }
    return 0;
}

/* --- Writing ---------------------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
    const struct operation *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static void put_item(struct rln__buf *out, const char *key, struct rln__lod *lod,
                     uint32_t row, const struct rln__range_bucket *bucket)
{
    rln__json_key(out, key);
    if (bucket)
        rln__query_put_item(out, lod, row, bucket);
    else
        rln__buf_text(out, "null");
}

/* The time in which at least one operation ran counts as busy. */
static void put_gpu(struct rln__buf *out, struct rln__lod *lod, rln_text name,
                    struct gpu *gpu)
{
    int64_t until_ns = INT64_MIN;
    uint64_t busy_ns = 0;

    qsort(gpu->items, gpu->n, sizeof(*gpu->items), by_start);
    for (size_t i = 0; i < gpu->n; i++) {
        const struct operation *o = &gpu->items[i];

        busy_ns += rln__busy_more(&until_ns, o->start_ns, o->end_ns);
    }
    rln__json_begin(out, NULL, '{');
    rln__put_text(out, "label", name);
    rln__json_u64(out, "n", gpu->n);
    rln__json_u64(out, "busy", busy_ns);
    rln__json_i64(out, "start", gpu->items[0].start_ns);
    rln__json_i64(out, "end", until_ns);
    rln__json_u64(out, "adopted", gpu->n_adopted);
    rln__json_i64(out, "by",
                  !gpu->n_adopted || gpu->adopted_from == RLN__NONE
                      ? -1
                      : (int64_t)gpu->adopted_from);
    put_item(out, "first", lod, gpu->items[0].row, gpu->items[0].bucket);
    rln__buf_char(out, '}');
}

static int put_operations(struct rln__buf *out, struct rln__lod *lod, uint32_t thread,
                          const struct rln__range_bucket *range)
{
    struct work work = {.is_rough = 0};
    int failed = rln__lod_find_gpus(lod, &work.gpus);

    if (!failed)
        work.by_gpu = rln__alloc(work.gpus.n, sizeof(*work.by_gpu));
    failed |= !work.by_gpu;
    for (uint32_t i = 0; i < lod->n_rows && !failed && range; i++) {
        if (work.gpus.of_row[i] != RLN__NONE)
            failed = add_row(&work, lod, i, thread, range);
    }
    rln__json_begin(out, "gpus", '[');
    for (size_t i = 0; i < work.gpus.n && !failed; i++) {
        if (work.by_gpu[i].n)
            put_gpu(out, lod, work.gpus.items[i].name, &work.by_gpu[i]);
    }
    rln__buf_char(out, ']');
    rln__buf_format(out, ",\"isRough\":%s", work.is_rough ? "true" : "false");
    for (size_t i = 0; i < work.gpus.n && work.by_gpu; i++)
        rln__free(work.by_gpu[i].items);
    rln__free(work.by_gpu);
    rln__lod_gpus_clear(&work.gpus);
    return failed;
}

/* The call of an operation, in the rows of its thread; NULL: it is not there, or merged.
 */
static const struct rln__range_bucket *
find_call(struct rln__lod *lod, const struct rln__range_bucket *operation,
          uint32_t *row)
{
    for (*row = 0; *row < lod->n_rows; ++*row) {
        const struct rln__lod_position at = {operation->call_ns, *row, RLN__NONE};
        const struct rln__range_bucket *found =
            lod->rows[*row].kind == RLN__LOD_CALLS &&
                    lod->rows[*row].thread == rln__lod_caller(operation)
                ? rln__lod_item(lod, &at)
                : NULL;

        if (found && found->n == 1)
            return found;
    }
    return NULL;
}

/* The call, and the shortest range around it, of the thread that launched or adopted
 * the operation. */
static void put_call(struct rln__buf *out, struct rln__lod *lod,
                     const struct rln__range_bucket *operation)
{
    const struct rln__gpu_call_span call = rln__lod_call_span(operation);
    const uint32_t owner = rln__lod_owner(lod, operation);
    const struct rln__range_bucket *best = NULL, *own;
    uint32_t best_row = 0, own_row;

    for (uint32_t i = 0; i < lod->n_rows; i++) {
        const struct rln__lod_row *row = &lod->rows[i];
        const struct rln__range_bucket *b;

        if (!rln__lod_is_of_ranges(row) ||
            !rln__lod_is_same_thread(lod, row->thread, owner))
            continue;
        b = rln__lod_at(lod, i, call.from_ns);
        if (!b || !rln__gpu_is_around(&call, b->start_ns, b->end_ns) ||
            (best && rln__range_bucket_ns(b) > rln__range_bucket_ns(best)))
            continue;
        best = b;
        best_row = i;
    }
    rln__json_begin(out, "call", '{');
    rln__json_i64(out, "start", operation->call_ns);
    rln__json_u64(out, "thread", rln__lod_caller(operation));
    put_item(out, "around", lod, best_row, best);
    own = find_call(lod, operation, &own_row);
    put_item(out, "own", lod, own_row, own);
    rln__buf_char(out, '}');
}

int rln__query_links(const struct rln__query_context *a, struct rln__buf *out)
{
    const struct rln__question *q = a->question;
    const struct rln__lod_position at = {q->start, q->row, q->tie_index};
    const struct rln__range_bucket *bucket;
    const struct rln__lod_row *row;
    int failed = 0;

    if (q->row >= a->lod->n_rows)
        return 404;
    row = &a->lod->rows[q->row];
    bucket = rln__lod_item(rln__lod_is_close(row)
                               ? rln__lod_refine(a->lod, q->start, q->start, 0)
                               : a->lod,
                           &at);
    rln__buf_char(out, '{');
    if (bucket && rln__lod_has_call(row, bucket))
        put_call(out, a->lod, bucket);
    else
        failed =
            put_operations(out, a->lod, row->thread,
                           row->is_stream || row->thread == RLN__NONE ? NULL : bucket);
    rln__buf_char(out, '}');
    return failed ? 500 : 200;
}
