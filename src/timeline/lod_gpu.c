/* SPDX-License-Identifier: Apache-2.0 */
/* lod_gpu.c - GPU work in an index: each stream has rows, as many as are needed for
 * operations not to overlap in one, and others for waits, which are no work. Nothing
 * encloses anything here; an operation has the call that requested it, which begins
 * earlier, and belongs to ranges of its thread or of the main thread (gpu_owner.h).
 *
 *     thread   [launch 7]                  call 7: from when to when, which thread
 *     stream              [ kernel 7 ]
 */
#include "timeline/lod_gpu.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/gpu_owner.h"
#include "timeline/lod_building.h"
#include "timeline/lod_fill.h"
#include "timeline/lod_lanes.h"
#include "timeline/lod_pass.h"
#include "timeline/lod_query.h"

static uint64_t id_of(const struct rln__gpu_batch *batch,
                      const struct rln__gpu_event *e)
{
    return (uint64_t)batch->process << 32 | e->correlation;
}

/* If several calls have one id, the first counts. */
static int add_call(struct rln__lod_calls *calls, const struct rln__gpu_batch *batch,
                    const struct rln__gpu_event *e)
{
    struct rln__lod_call *item;

    if (e->why_unplaced || !e->correlation || e->thread == RLN__NONE ||
        rln__map_get(&calls->by_id, id_of(batch, e)))
        return 0;
    item = rln__append(&calls->items, &calls->n, &calls->capacity, sizeof(*item));
    if (!item)
        return -1;
    *item = (struct rln__lod_call){e->start_ns, e->end_ns, e->thread,
                                   batch->is_by_other_clock};
    return rln__map_put(&calls->by_id, id_of(batch, e), calls->n);
}

static void put_call(const struct rln__lod_calls *calls,
                     const struct rln__gpu_batch *batch, const struct rln__gpu_event *e,
                     struct rln__range_bucket *bucket)
{
    const uint64_t found =
        e->correlation && !e->why_unplaced && batch->kind != RLN__GPU_SYNC
            ? rln__map_get(&calls->by_id, id_of(batch, e))
            : 0;
    const struct rln__lod_call *call = found ? &calls->items[found - 1] : NULL;

    if (!call)
        return;
    bucket->call_ns = call->start_ns;
    bucket->call_took = call->end_ns - call->start_ns < UINT32_MAX
                            ? (uint32_t)(call->end_ns - call->start_ns)
                            : UINT32_MAX;
    bucket->caller = (call->thread + 1) & ((1u << 30) - 1);
    bucket->is_by_other_clock = call->is_by_other_clock & 1u;
}

static int add(struct rln__lod *lod, const struct rln__lod_calls *calls,
               const struct rln__gpu_batch *batch, const struct rln__gpu_event *e)
{
    struct rln__range_bucket bucket = {
        .start_ns = e->start_ns,
        .end_ns = e->end_ns,
        .attr = e->attr,
        .n = 1,
    };
    const uint32_t row = rln__lod_row_for(lod, e->thread, e->start_ns, e->end_ns,
                                          batch->kind == RLN__GPU_SYNC);

    put_call(calls, batch, e, &bucket);
    return row == RLN__NONE || rln__lod_add(lod, row, &bucket,
                                            (uint64_t)rln__range_bucket_ns(&bucket))
               ? -1
               : 0;
}

static rln_status add_if_accepted(struct rln__lod *lod,
                                  struct rln__predicate *predicate,
                                  struct rln__lod_calls *calls,
                                  const struct rln__gpu_batch *batch,
                                  const struct rln__gpu_event *e, rln_error *err)
{
    int accepts;
    rln_status status;

    if (batch->kind == RLN__GPU_CALL)
        return add_call(calls, batch, e) ? rln__fail_nomem(err) : RLN_OK;
    if (!rln__gpu_is_on_stream(batch->kind) || e->thread == RLN__NONE)
        return RLN_OK;
    status = rln__predicate_gpu(predicate, batch, e, &accepts, err);
    if (status || !accepts)
        return status;
    lod->first_ns =
        lod->n_events && lod->first_ns < e->start_ns ? lod->first_ns : e->start_ns;
    lod->last_ns = lod->n_events && lod->last_ns > e->end_ns ? lod->last_ns : e->end_ns;
    lod->n_events++;
    return add(lod, calls, batch, e) ? rln__fail_nomem(err) : RLN_OK;
}

rln_status rln__lod_begin_gpu(struct rln__lod *lod, rln_error *err)
{
    struct rln__lod_building *b = lod->building;

    b->gpu_predicate.reader = lod->reader;
    return rln__gpu_order_init(&b->gpu, lod->reader, err);
}

rln_status rln__lod_read_some_gpu(struct rln__lod *lod, size_t n, rln_error *err)
{
    struct rln__lod_building *b = lod->building;
    const struct rln__gpu_batch *batch;
    const struct rln__gpu_event *e;
    rln_status status = RLN_OK;

    for (size_t i = 0; i < n && !status; i++) {
        status = rln__gpu_order_next(&b->gpu, &e, &batch, err);
        if (!status)
            status = add_if_accepted(lod, &b->gpu_predicate, &b->calls, batch, e, err);
    }
    return status;
}

/* --- Whose it is ------------------------------------------------------------------ */

/* The rows of each thread, in lists. */
struct threads {
    const struct rln__lod *lod; /* borrowed */
    uint32_t *first;            /* by thread: its first row, + 1; owned, as the next */
    uint32_t *next;             /* by row: the next of the thread, + 1 */
};

/* Several threads may have one id: one stands for them. */
static uint32_t thread_of(struct rln__lod *lod, uint32_t process, uint32_t tid)
{
    return rln__reader_thread_of_tid(lod->reader, &lod->threads_by_tid, process, tid);
}

static int list_rows(struct threads *t, struct rln__lod *lod)
{
    t->first = rln__alloc(lod->reader->n_threads + 1, sizeof(*t->first));
    t->next = rln__alloc(lod->n_rows + 1, sizeof(*t->next));
    if (!t->first || !t->next)
        return -1;
    for (uint32_t i = 0; i < lod->n_rows; i++) {
        const struct rln__lod_row *row = &lod->rows[i];
        const struct rln__trace_thread *of;
        uint32_t *first;

        if (row->is_stream || row->thread == RLN__NONE ||
            (row->kind != RLN__LOD_PUSHED && row->kind != RLN__LOD_STARTED))
            continue;
        of = &lod->reader->threads[row->thread];
        first = &t->first[thread_of(lod, of->process, of->tid)];
        t->next[i] = *first;
        *first = i + 1;
    }
    return 0;
}

static void clear_threads(struct threads *t)
{
    rln__free(t->first);
    rln__free(t->next);
}

/* Reports do not count ranges that were never closed, or by another thread. What is
 * merged counts: most likely one of them is around the call. */
static int has_range(const struct threads *t, uint32_t thread,
                     const struct rln__gpu_call_span *call)
{
    for (uint32_t row = t->first[thread]; row; row = t->next[row - 1]) {
        struct rln__lod_row *of = &t->lod->rows[row - 1];
        size_t i = rln__range_buckets_from(&of->buckets, call->from_ns);

        for (; i < of->buckets.n; i++) {
            const struct rln__range_bucket *b = &of->buckets.items[i];

            if (b->start_ns > call->from_ns)
                break;
            if (rln__gpu_is_around(call, b->start_ns, b->end_ns) &&
                (b->n > 1 || (!b->is_open && rln__lod_end_thread(of, b) == RLN__NONE)))
                return 1;
        }
    }
    return 0;
}

int rln__lod_adopt_gpu(struct rln__lod *lod)
{
    struct threads threads = {.lod = lod};
    int failed = 0, is_listed = 0;

    for (size_t i = 0; i < lod->n_rows && !failed; i++) {
        struct rln__lod_row *row = &lod->rows[i];

        for (size_t k = 0; row->is_stream && k < row->buckets.n && !failed; k++) {
            struct rln__range_bucket *b = &row->buckets.items[k];
            const struct rln__gpu_call_span call = rln__lod_call_span(b);

            if (!rln__lod_has_call(row, b))
                continue;
            failed = is_listed++ ? 0 : list_rows(&threads, lod);
            b->is_adopted = !failed && !has_range(&threads, rln__lod_caller(b), &call);
        }
    }
    clear_threads(&threads);
    return failed;
}
