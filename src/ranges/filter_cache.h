/* SPDX-License-Identifier: Apache-2.0 */
/* filter_cache.h - caches the filter's verdicts on attributes and threads: a scan has
 * millions of ranges, and few of either. */
#ifndef RLN_RANGES_FILTER_CACHE_H
#define RLN_RANGES_FILTER_CACHE_H

#include "trace/decode/event_payloads.h"
#include "trace/decode/stream.h"
#include "trace/open/load.h"

/* By index: 0 if not tested yet. */
struct rln__answers {
    uint8_t *items; /* owned */
    size_t capacity;
};

/* Zeroed: nothing tested yet. */
struct rln__filter_cache {
    struct rln__answers attrs, threads;
};

/* Whether a range with these attributes on this thread matches the filter, if it took
 * `ns` and passed the payload tests in `held`. Without a filter every range matches;
 * lanes of deferred events are not threads, and match any. */
int rln__filter_cache_has(struct rln__filter_cache *cache, const rln_reader *reader,
                          uint32_t attr, uint32_t thread, int64_t ns, uint64_t held);
void rln__filter_cache_clear(struct rln__filter_cache *cache);

/* Adds to `*held` the filter's payload tests that an event passes; its payloads are at
 * offset `place`. For filters with such tests (rln__filter_has_payload_tests()). */
rln_status rln__filter_cache_test_payloads(rln_reader *reader,
                                           struct rln__event_payloads *payloads,
                                           const struct rln__item *item,
                                           const struct rln__event_place *place,
                                           uint64_t *held, rln_error *err);

#endif
