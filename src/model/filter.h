/* SPDX-License-Identifier: Apache-2.0 */
/* filter.h - which events are wanted, by what is known of them.
 *
 *     process   pid, or name of the program       thread   tid, or name
 *     domain    name, or `default`                category number, or name
 *     name      message                           payload  tests: payload_test.h
 *     least_ns  duration, which is known as they end: of ranges alone
 *
 * Names are patterns: pattern.h. Of one kind any may match, of several kinds all must.
 * A range's payloads are those of its begin and of its end.
 *
 * A filter that the reader has (rln_reader.filter) is kept by rln_ranges_next() and by
 * what is made of ranges: sums, statistics, the call tree. rln_events_next() hands out
 * all events, since pops say nothing of what they end: who counts events asks.
 */
#ifndef RLN_MODEL_FILTER_H
#define RLN_MODEL_FILTER_H

#include "model/event_payloads.h"
#include "model/load.h"
#include "model/payload_test.h"

enum rln__filter_kind {
    RLN__FILTER_PROCESS,
    RLN__FILTER_THREAD,
    RLN__FILTER_DOMAIN,
    RLN__FILTER_CATEGORY,
    RLN__FILTER_NAME,
    RLN__N_PATTERN_FILTERS,
    RLN__FILTER_PAYLOAD = RLN__N_PATTERN_FILTERS,
    RLN__N_FILTERS,
};

struct rln__filter {
    struct rln__pattern *patterns[RLN__N_PATTERN_FILTERS]; /* owned */
    size_t n[RLN__N_PATTERN_FILTERS], capacity[RLN__N_PATTERN_FILTERS];
    struct rln__payload_tests payload;
    int64_t least_ns; /* ranges that took less are not wanted */
};

/* `pattern` stays the caller's. RLN_ERR_NOMEM, RLN_ERR_ARGUMENT: it is no regular
 * expression, or no test. */
rln_status rln__filter_add(struct rln__filter *filter, enum rln__filter_kind kind,
                           const char *pattern, rln_error *err);
int rln__filter_is_empty(const struct rln__filter *filter);
void rln__filter_clear(struct rln__filter *filter);

/* `thread` is UINT32_MAX where there is none. */
int rln__filter_has(const struct rln__filter *filter, const rln_reader *reader,
                    const rln_attributes *with, uint32_t process, uint32_t thread);

/* The two halves of that question. */
int rln__filter_has_attributes(const struct rln__filter *filter,
                               const rln_attributes *with);
int rln__filter_has_thread(const struct rln__filter *filter, const rln_reader *reader,
                           uint32_t process, uint32_t thread);

/* Parts of these, for what has nothing else that could be asked. */
int rln__filter_has_process(const struct rln__filter *filter, const rln_reader *reader,
                            uint32_t process);
int rln__filter_has_domain(const struct rln__filter *filter, uint32_t domain,
                           rln_text domain_name);

/* What of the payload tests holds of the payloads at a place, which are decoded to `p`
 * if there are any: added to `*held`. */
rln_status rln__filter_hear(const struct rln__filter *filter,
                            struct rln__event_payloads *p, rln_reader *reader,
                            const struct rln__event_place *place, uint64_t *held,
                            rln_error *err);

/* Whether there are any such tests. */
static inline int rln__filter_listens(const struct rln__filter *filter)
{
    return filter && filter->payload.n_choices;
}

/* Without a limit, of any: in a damaged trace a range may end before it begins. */
static inline int rln__filter_has_duration(const struct rln__filter *filter, int64_t ns)
{
    return filter->least_ns <= 0 || ns >= filter->least_ns;
}

/* The name of the program that a process ran: the last part of its path. */
rln_text rln__process_name(const rln_reader *reader, uint32_t process);
/* The name that the program gave to a thread, else the system's. */
rln_text rln__thread_name(const rln_reader *reader, uint32_t process, uint32_t tid,
                          uint32_t thread);

#endif
