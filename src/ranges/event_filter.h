/* SPDX-License-Identifier: Apache-2.0 */
/* event_filter.h - the implementation of include/rangeline/filter.h. Patterns are in
 * pattern.h, tests of payloads in payload_condition.h. A range's duration is known at
 * its end.
 *
 * The reader's filter (rln_reader.filter) applies to rln_ranges_next() and to
 * everything made of ranges, and to events opened with rln_events_open().
 */
#ifndef RLN_RANGES_EVENT_FILTER_H
#define RLN_RANGES_EVENT_FILTER_H

#include "base/buf.h"
#include "rangeline/filter.h"
#include "ranges/payload_condition.h"
#include "trace/decode/event_payloads.h"
#include "trace/open/load.h"

enum {
    RLN__N_PATTERN_FILTERS = RLN_FILTER_PAYLOAD,
    RLN__N_FILTERS = RLN_FILTER_PAYLOAD + 1,
};

struct rln_filter {
    struct rln__pattern *patterns[RLN__N_PATTERN_FILTERS]; /* owned */
    size_t n[RLN__N_PATTERN_FILTERS], capacity[RLN__N_PATTERN_FILTERS];
    struct rln__payload_tests payload;
    int64_t least_ns; /* shorter ranges do not match */
};

/* Appends the options that make such a filter, in one order: equal texts are equal
 * filters. NULL is the empty filter, without text. 0, or -1: no memory. */
int rln__filter_describe(const struct rln_filter *filter, struct rln__buf *out);

/* `thread` is UINT32_MAX for none. */
int rln__filter_has(const struct rln_filter *filter, const rln_reader *reader,
                    const rln_attributes *with, uint32_t process, uint32_t thread);

/* The two halves of rln__filter_has(). */
int rln__filter_has_attributes(const struct rln_filter *filter,
                               const rln_attributes *with);
int rln__filter_has_thread(const struct rln_filter *filter, const rln_reader *reader,
                           uint32_t process, uint32_t thread);

/* Single tests, for things that have only a process or only a domain. */
int rln__filter_has_process(const struct rln_filter *filter, const rln_reader *reader,
                            uint32_t process);
int rln__filter_has_domain(const struct rln_filter *filter, uint32_t domain,
                           rln_text domain_name);

/* Decodes the payloads at an address, if there are any, to `p`, and adds the payload
 * tests that hold for them to `*held`. */
rln_status rln__filter_test_payloads(const struct rln_filter *filter,
                                     struct rln__event_payloads *p, rln_reader *reader,
                                     const struct rln__record_address *address,
                                     uint64_t *held, rln_error *err);

/* Whether there are any payload tests. */
static inline int rln__filter_has_payload_tests(const struct rln_filter *filter)
{
    return filter && filter->payload.n_choices;
}

/* Without a limit any duration passes, even a negative one: in a damaged trace a range
 * may end before it begins. */
static inline int rln__filter_has_duration(const struct rln_filter *filter, int64_t ns)
{
    return filter->least_ns <= 0 || ns >= filter->least_ns;
}

/* The name of the program that a process ran: the last part of its path. */
rln_text rln__process_name(const rln_reader *reader, uint32_t process);
/* Appends the same with the rank in a job, if there is one: "rank 3 · solver". */
void rln__process_label(const rln_reader *reader, uint32_t process,
                        struct rln__buf *out);
/* The name that the program gave to a thread, else the system's. */
rln_text rln__thread_name(const rln_reader *reader, uint32_t process, uint32_t tid,
                          uint32_t thread);

/* Tells whether everything matches the filter. */
int rln__filter_is_empty(const rln_filter *filter);

/* Tells whether a reader has a filter, or reads only a window or an interval of time.
 */
int rln__reader_is_restricted(const rln_reader *reader);

#endif
