/* SPDX-License-Identifier: Apache-2.0 */
/* lod_gpu.c - GPU work in an index: each stream has rows, as many as are needed for
 * operations not to overlap in one, and others for waits, which are no work; calls have
 * rows of their thread, below its ranges. Nothing encloses anything here; an operation
 * has the call that requested it, which begins earlier, and belongs to ranges of its
 * thread or of the main thread (lod_gpu_owners.c).
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

/* The first row of calls of a thread in which none ends after the begin, or the last: a
 * call of the runtime has calls of the driver in it. RLN__NONE: no memory. */
static uint32_t row_of_call(struct rln__lod *lod, const struct rln__gpu_event *e)
{
    struct rln__lod_thread *t = rln__lod_thread_at(lod, e->thread);
    uint32_t level = 0;

    if (!t)
        return RLN__NONE;
    while (level + 1 < RLN__LOD_CALL_LEVELS && t->calls_until_ns[level] > e->start_ns)
        level++;
    if (e->end_ns > t->calls_until_ns[level])
        t->calls_until_ns[level] = e->end_ns;
    return rln__lod_row(lod, RLN__LOD_CALLS,
                        &(struct rln__lod_row_key){
                            .thread = e->thread, .lane = RLN__NONE, .level = level});
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
    const int is_call = batch->kind == RLN__GPU_CALL;
    const uint32_t row = is_call
                             ? row_of_call(lod, e)
                             : rln__lod_row_for(lod, e->thread, e->start_ns, e->end_ns,
                                                batch->kind == RLN__GPU_SYNC);

    if (!is_call)
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
    const int is_call = batch->kind == RLN__GPU_CALL;
    int accepts, has_any;
    rln_status status;

    if (is_call && add_call(calls, batch, e))
        return rln__fail_nomem(err);
    if ((!rln__gpu_is_on_stream(batch->kind) && !is_call) || e->thread == RLN__NONE)
        return RLN_OK;
    status = rln__predicate_gpu(predicate, batch, e, &accepts, err);
    if (status || !accepts)
        return status;
    has_any = lod->n_events || lod->last_ns;
    lod->first_ns =
        has_any && lod->first_ns < e->start_ns ? lod->first_ns : e->start_ns;
    lod->last_ns = has_any && lod->last_ns > e->end_ns ? lod->last_ns : e->end_ns;
    lod->n_events += !is_call;
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
