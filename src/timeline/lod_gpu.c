/* SPDX-License-Identifier: Apache-2.0 */
/* lod_gpu.c - GPU work in an index: each stream has rows, as many as are needed for
 * operations not to overlap in one. Nothing encloses anything here. */
#include "base/fail.h"
#include "ranges/predicate.h"
#include "timeline/lod_build.h"
#include "trace/order/gpu_order.h"

static int add(struct rln__lod *lod, const struct rln__gpu_event *e)
{
    struct rln__range_bucket bucket = {
        .start_ns = e->start_ns,
        .end_ns = e->end_ns,
        .end_thread = e->thread,
        .attr = e->attr,
        .n = 1,
    };
    const uint32_t row = rln__lod_row_for(lod, e->thread, e->start_ns, e->end_ns);

    return row == RLN__NONE || rln__lod_add(lod, row, &bucket,
                                            (uint64_t)rln__range_bucket_ns(&bucket))
               ? -1
               : 0;
}

static rln_status add_if_accepted(struct rln__lod *lod,
                                  struct rln__predicate *predicate,
                                  const struct rln__gpu_batch *batch,
                                  const struct rln__gpu_event *e, rln_error *err)
{
    int accepts;
    rln_status status;

    if (!rln__gpu_is_on_stream(batch->kind) || e->thread == RLN__NONE)
        return RLN_OK;
    status = rln__predicate_gpu(predicate, batch, e, &accepts, err);
    if (status || !accepts)
        return status;
    lod->first_ns =
        lod->n_events && lod->first_ns < e->start_ns ? lod->first_ns : e->start_ns;
    lod->last_ns = lod->n_events && lod->last_ns > e->end_ns ? lod->last_ns : e->end_ns;
    lod->n_events++;
    return add(lod, e) ? rln__fail_nomem(err) : RLN_OK;
}

rln_status rln__lod_build_gpu(struct rln__lod *lod, rln_error *err)
{
    struct rln__predicate predicate = {.reader = lod->reader};
    struct rln__gpu_order order;
    const struct rln__gpu_batch *batch;
    const struct rln__gpu_event *e;
    int has_to_pause = 0;
    rln_status status = rln__gpu_order_init(&order, lod->reader, err);

    while (!status && !has_to_pause &&
           !(status = rln__gpu_order_next(&order, &e, &batch, err))) {
        status = add_if_accepted(lod, &predicate, batch, e, err);
        has_to_pause = rln__lod_has_to_pause(lod);
    }
    rln__predicate_clear(&predicate);
    rln__gpu_order_clear(&order);
    if (!status && has_to_pause)
        return RLN_END;
    return status == RLN_END ? RLN_OK : status;
}
