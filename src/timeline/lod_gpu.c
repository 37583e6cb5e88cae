/* SPDX-License-Identifier: Apache-2.0 */
/* lod_gpu.c - GPU work in an index: each stream has rows, as many as are needed for
 * operations not to overlap in one. Nothing encloses anything here. */
#include "base/fail.h"
#include "ranges/event_filter.h"
#include "ranges/events.h"
#include "timeline/lod_build.h"
#include "trace/order/gpu_order.h"

/* Payloads are not read here: with a filter that tests them, there is no GPU work. */
static int matches(const struct rln__lod *lod, const struct rln__gpu_batch *batch,
                   const struct rln__gpu_event *e)
{
    const struct rln_filter *filter = lod->reader->filter;
    rln_attributes with;

    if (!rln__span_has_range(&lod->reader->span, batch->part, e->start_ns, e->end_ns))
        return 0;
    if (!filter)
        return 1;
    rln__fill_attributes(lod->reader, e->attr, 0, &with);
    return !rln__filter_has_payload_tests(filter) &&
           rln__filter_has_duration(filter, e->end_ns - e->start_ns) &&
           rln__filter_has(filter, lod->reader, &with, batch->process, e->thread);
}

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

    return row == RLN__NONE || rln__lod_add(lod, row, &bucket, 0) ? -1 : 0;
}

rln_status rln__lod_build_gpu(struct rln__lod *lod, rln_error *err)
{
    struct rln__gpu_order order;
    const struct rln__gpu_batch *batch;
    const struct rln__gpu_event *e;
    rln_status status = rln__gpu_order_init(&order, lod->reader, err);

    while (!status && !(status = rln__gpu_order_next(&order, &e, &batch, err))) {
        if (rln__lod_has_to_pause(lod)) {
            rln__gpu_order_clear(&order);
            return RLN_END;
        }
        if (!rln__gpu_is_on_stream(batch->kind) || e->why_unplaced ||
            e->thread == RLN__NONE || !matches(lod, batch, e))
            continue;
        lod->first_ns =
            lod->n_events && lod->first_ns < e->start_ns ? lod->first_ns : e->start_ns;
        lod->last_ns =
            lod->n_events && lod->last_ns > e->end_ns ? lod->last_ns : e->end_ns;
        lod->n_events++;
        if (add(lod, e))
            status = rln__fail_nomem(err);
    }
    rln__gpu_order_clear(&order);
    return status == RLN_END ? RLN_OK : status;
}
