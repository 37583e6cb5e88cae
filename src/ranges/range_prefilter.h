/* SPDX-License-Identifier: Apache-2.0 */
/* range_prefilter.h - applies a filter for readers that see a range's begin and end
 * separately.
 *
 *   trace --first pass--> ranges that pass when they end: one bit each
 *         --second------> push: is its range one of them?   mark: tested by itself
 *
 * A range's payloads may come with its end, and its duration is known only then, but
 * writers must decide at its begin. Filters that test neither need no first pass.
 */
#ifndef RLN_RANGES_RANGE_PREFILTER_H
#define RLN_RANGES_RANGE_PREFILTER_H

#include "ranges/event_filter.h"
#include "ranges/events.h"

struct rln__range_prefilter {
    rln_reader *reader;              /* borrowed, like the next */
    const struct rln_filter *filter; /* NULL: everything matches */
    uint8_t *bits;                   /* owned; by rln__range_key() */
    size_t n_bytes;
};

/* On failure there is nothing to clear. */
rln_status rln__range_prefilter_init(struct rln__range_prefilter *prefilter,
                                     rln_reader *reader,
                                     const struct rln_filter *filter, rln_error *err);
void rln__range_prefilter_clear(struct rln__range_prefilter *prefilter);

/* Whether the last event of an iteration matches. For the begin or end of a range:
 * whether the range does. */
rln_status rln__range_prefilter_accepts(const struct rln__range_prefilter *prefilter,
                                        rln_events *events, const rln_event *event,
                                        int *matches, rln_error *err);

/* Whether the range with this key passes the tests that are made when ranges end. */
int rln__range_prefilter_passes(const struct rln__range_prefilter *prefilter,
                                uint64_t key);

#endif
