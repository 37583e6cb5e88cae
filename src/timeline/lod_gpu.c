/* SPDX-License-Identifier: Apache-2.0 */
/* lod_gpu.c - GPU work in an index: each stream has rows, as many as are needed for
 * operations not to overlap in one, and others for waits, which are no work. Nothing
 * encloses anything here; an operation has the call that requested it, which begins
 * earlier.
 *
 *     thread   [launch 7]                  call 7: from when to when, which thread
 *     stream              [ kernel 7 ]
 */
#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/predicate.h"
#include "timeline/lod_build.h"
#include "trace/order/gpu_order.h"

struct call {
    int64_t start_ns, end_ns;
    uint32_t thread; /* index */
};

struct calls {
    struct rln__map by_id; /* process, correlation -> index + 1 */
    struct call *items;    /* owned */
    size_t n, capacity;
};

static uint64_t id_of(const struct rln__gpu_batch *batch,
                      const struct rln__gpu_event *e)
{
    return (uint64_t)batch->process << 32 | e->correlation;
}

/* If several calls have one id, the first counts. */
static int add_call(struct calls *calls, const struct rln__gpu_batch *batch,
                    const struct rln__gpu_event *e)
{
    struct call *items;

    if (e->why_unplaced || !e->correlation || e->thread == RLN__NONE ||
        rln__map_get(&calls->by_id, id_of(batch, e)))
        return 0;
    items = rln__grow(calls->items, &calls->capacity, calls->n + 1, sizeof(*items));
    if (!items)
        return -1;
    calls->items = items;
    items[calls->n++] = (struct call){e->start_ns, e->end_ns, e->thread};
    return rln__map_put(&calls->by_id, id_of(batch, e), calls->n);
}

static void put_call(const struct calls *calls, const struct rln__gpu_batch *batch,
                     const struct rln__gpu_event *e, struct rln__range_bucket *bucket)
{
    const uint64_t found =
        e->correlation && !e->why_unplaced && batch->kind != RLN__GPU_SYNC
            ? rln__map_get(&calls->by_id, id_of(batch, e))
            : 0;
    const struct call *call = found ? &calls->items[found - 1] : NULL;

    if (!call)
        return;
    bucket->call_ns = call->start_ns;
    bucket->call_took = call->end_ns - call->start_ns < UINT32_MAX
                            ? (uint32_t)(call->end_ns - call->start_ns)
                            : UINT32_MAX;
    bucket->caller = call->thread + 1;
}

static int add(struct rln__lod *lod, const struct calls *calls,
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
                                  struct rln__predicate *predicate, struct calls *calls,
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

rln_status rln__lod_build_gpu(struct rln__lod *lod, rln_error *err)
{
    struct rln__predicate predicate = {.reader = lod->reader};
    struct calls calls = {.n = 0};
    struct rln__gpu_order order;
    const struct rln__gpu_batch *batch;
    const struct rln__gpu_event *e;
    int has_to_pause = 0;
    rln_status status = rln__gpu_order_init(&order, lod->reader, err);

    while (!status && !has_to_pause &&
           !(status = rln__gpu_order_next(&order, &e, &batch, err))) {
        status = add_if_accepted(lod, &predicate, &calls, batch, e, err);
        has_to_pause = rln__lod_has_to_pause(lod);
    }
    rln__predicate_clear(&predicate);
    rln__map_clear(&calls.by_id);
    rln__free(calls.items);
    rln__gpu_order_clear(&order);
    if (!status && has_to_pause)
        return RLN_END;
    return status == RLN_END ? RLN_OK : status;
}
