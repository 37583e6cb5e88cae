/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/gpu_filter.h"
#include "ranges/events.h"

rln_status rln__gpu_filter_accepts(struct rln__gpu_filter *f,
                                   const struct rln__gpu_batch *batch,
                                   const struct rln__gpu_event *event, int *accepts,
                                   rln_error *err)
{
    const struct rln_filter *filter = f->reader->filter;
    struct rln__event_place place;
    rln_attributes with;
    uint64_t held = 0;
    rln_status status;

    *accepts =
        !event->why_unplaced && rln__span_overlaps(&f->reader->span, batch->part,
                                                   event->start_ns, event->end_ns);
    if (!*accepts || !filter)
        return RLN_OK;
    rln__fill_attributes(f->reader, event->attr, 0, &with);
    *accepts = rln__filter_has_duration(filter, event->end_ns - event->start_ns) &&
               rln__filter_has(filter, f->reader, &with, batch->process, event->thread);
    if (!*accepts || !rln__filter_has_payload_tests(filter))
        return RLN_OK;
    place = rln__gpu_event_place(batch, event);
    status =
        rln__filter_test_payloads(filter, &f->payloads, f->reader, &place, &held, err);
    *accepts = !status && rln__payload_matches(&filter->payload, held);
    return status;
}

void rln__gpu_filter_clear(struct rln__gpu_filter *f)
{
    rln__event_payloads_clear(&f->payloads);
}
