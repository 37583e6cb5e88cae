/* SPDX-License-Identifier: Apache-2.0 */
/* sums.c - feeds the sums, in one pass over events and one over ranges. */
#include "reports/sums.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/events.h"

#define OF_EVENTS (RLN__SUM_MARKS | RLN__SUM_COUNTERS)
#define OF_RANGES                                                                      \
    (RLN__SUM_CATEGORIES | RLN__SUM_SYNC | RLN__SUM_PAYLOADS | RLN__SUM_RANKS)

static rln_status add_events(struct rln__sums *s, rln_reader *reader, unsigned which,
                             rln_error *err)
{
    const rln_event *event;
    rln_events *events;
    rln_status status = rln_events_open(reader, &events, err);

    while (!status && (status = rln_events_next(events, &event, err)) == RLN_OK) {
        if (((which & RLN__SUM_MARKS) && rln__mark_sum_add(&s->marks, event)) ||
            ((which & RLN__SUM_COUNTERS) &&
             rln__counter_sum_add(&s->counters, event))) {
            status = rln__fail_nomem(err);
        }
    }
    rln_events_close(events);
    return status == RLN_END ? RLN_OK : status;
}

static rln_status add_ranges(struct rln__sums *s, rln_reader *reader, unsigned which,
                             rln_error *err)
{
    const rln_range *range;
    rln_ranges *ranges;
    rln_status status = rln_ranges_open(reader, &ranges, err);

    if (status)
        return status;
    while ((status = rln_ranges_next(ranges, &range, err)) == RLN_OK) {
        const rln_range inside = rln__range_inside(reader, range);

        if (((which & RLN__SUM_CATEGORIES) &&
             rln__category_sum_add(&s->categories, &inside)) ||
            ((which & RLN__SUM_SYNC) && rln__sync_sum_add(&s->sync, &inside)) ||
            ((which & RLN__SUM_RANKS) && rln__rank_sum_add(&s->ranks, &inside)))
            status = rln__fail_nomem(err);
        else if (which & RLN__SUM_PAYLOADS)
            status = rln__payload_sum_add(&s->payloads, reader, ranges, &inside, err);
        if (status)
            break;
    }
    rln_ranges_close(ranges);
    return status == RLN_END ? RLN_OK : status;
}

rln_status rln__sums_new(rln_reader *reader, unsigned which, struct rln__sums **out,
                         rln_error *err)
{
    struct rln__sums *s = rln__alloc(1, sizeof(*s));
    rln_status status = RLN_OK;

    *out = NULL;
    if (!s)
        return rln__fail_nomem(err);
    if (which & OF_EVENTS)
        status = add_events(s, reader, which, err);
    if (!status && (which & RLN__SUM_RANKS) && rln__rank_sum_begin(&s->ranks, reader))
        status = rln__fail_nomem(err);
    if (!status && (which & OF_RANGES))
        status = add_ranges(s, reader, which, err);
    if (status)
        goto fail;
    rln__mark_sum_end(&s->marks);
    rln__sync_sum_end(&s->sync);
    rln__counter_sum_end(&s->counters);
    rln__payload_sum_end(&s->payloads);
    if (rln__category_sum_end(&s->categories) || rln__rank_sum_end(&s->ranks)) {
        status = rln__fail_nomem(err);
        goto fail;
    }
    *out = s;
    return RLN_OK;

fail:
    rln__sums_free(s);
    return status;
}

void rln__sums_free(struct rln__sums *s)
{
    if (!s)
        return;
    rln__mark_sum_clear(&s->marks);
    rln__category_sum_clear(&s->categories);
    rln__sync_sum_clear(&s->sync);
    rln__counter_sum_clear(&s->counters);
    rln__payload_sum_clear(&s->payloads);
    rln__rank_sum_clear(&s->ranks);
    rln__free(s);
}
