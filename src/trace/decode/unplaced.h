/* SPDX-License-Identifier: Apache-2.0 */
/* unplaced.h - time domains whose deferred events cannot be placed, with the cause and
 * the number of events. */
#ifndef RLN_TRACE_DECODE_UNPLACED_H
#define RLN_TRACE_DECODE_UNPLACED_H

#include "trace/decode/deferred_events.h"
#include "trace/open/time_domain.h"

/* Deferred events of a time domain that have no known time, all for one reason. */
struct rln__unplaced_info {
    uint32_t process;     /* Index for rln_info_process(). */
    uint32_t domain;      /* Index for rln_info_domain(). */
    uint64_t time_domain; /* NVTX's id, in this domain and process. */
    uint64_t n_events;
    enum rln__unplaced_cause why;
};

/* Empty when zeroed. */
struct rln__unplaced {
    struct rln__key_index keys; /* process, why and domain, time domain -> index */
    struct rln__unplaced_info *clocks; /* owned; in the order of their first events */
    size_t n, capacity;
};

/* Counts an event that cannot be placed. 0, or -1 when there is no memory. */
int rln__unplaced_add(struct rln__unplaced *unplaced, rln_reader *reader,
                      const struct rln__deferred_record *record,
                      const struct rln__deferred_event *event);
void rln__unplaced_clear(struct rln__unplaced *unplaced);

/* Describes in a phrase why the time of an event is unknown, and how to provide it.
 * NULL if there is no such reason. */
const char *rln__unplaced_cause_name(enum rln__unplaced_cause why);

#endif
