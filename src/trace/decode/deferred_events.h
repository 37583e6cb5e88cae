/* SPDX-License-Identifier: Apache-2.0 */
/* deferred_events.h - reads deferred events, which the program submits with times of
 * their own (docs/reference/FORMAT.md 7), and puts them into time order.
 *
 *   record    [submitted event]  [batch of events: element element ...]  [samples ...]
 *                   |                        |
 *                   v                        v   timestamps --time_domain.h--> ns
 *   ranges    |------------|     |-----|   |---|
 *                   |
 *   lanes     0  push      push pop  pop         ranges of a lane nest or follow each
 *             1       push           pop         other, so that a stack pairs them
 *
 * A lane is the stack of deferred events without a thread: one per thread, domain and
 * scope, or several where ranges overlap without nesting. An event without a usable
 * time is put where it was submitted, and marked.
 *
 * Memory holds all of them, at 64 bytes each, because they come in any order. GPU work
 * is not among them: gpu_batches.h.
 */
#ifndef RLN_TRACE_DECODE_DEFERRED_EVENTS_H
#define RLN_TRACE_DECODE_DEFERRED_EVENTS_H

#include "base/key_index.h"
#include "trace/decode/event_payloads.h"
#include "trace/decode/stream.h"

/* A record of a chunk of deferred events. */
struct rln__deferred_record {
    uint64_t offset; /* in its file */
    uint64_t ticks;  /* of the call */
    uint64_t id;     /* schema of a batch, or counter */
    uint32_t n_payloads;
    uint32_t sub; /* enum rln__deferred_sub */
    uint32_t part, process, thread;
    uint32_t domain_id; /* the process's own */
};

struct rln__deferred_event {
    int64_t t_ns;
    int64_t timestamp;    /* as the program gave it */
    uint64_t time_domain; /* id */
    uint32_t record;      /* index */
    uint32_t element;
    uint32_t order; /* breaks ties in time, so that a lane's ranges nest */
    uint32_t ref;   /* as in rln__item */
    uint32_t lane;
    uint32_t number;      /* of a range that starts and ends */
    uint32_t tid;         /* of the thread it happened on; 0 if unknown */
    uint32_t scope_path;  /* string number */
    uint8_t kind;         /* enum rln__kind */
    uint8_t why_unplaced; /* rln__unplaced_cause, or 0 */
    uint8_t has_timestamp;
    uint8_t is_other_end; /* an end; its begin has the payloads of both */
};

struct rln__deferred_events {
    struct rln__deferred_record *records; /* owned, like the next */
    size_t n_records, records_capacity;
    struct rln__deferred_event *events; /* by time, then by order */
    size_t n, capacity;
    struct rln__map by_tid; /* process, tid -> thread + 1 */
    uint32_t n_lanes;
};

/* Reads all chunks of deferred events. */
rln_status rln__deferred_events_load(struct rln__deferred_events *deferred,
                                     rln_reader *reader, rln_error *err);
void rln__deferred_events_clear(struct rln__deferred_events *deferred);

/* Makes an item of the event. Its thread is its lane, numbered after all threads. */
void rln__deferred_events_item(const struct rln__deferred_events *deferred,
                               const rln_reader *reader,
                               const struct rln__deferred_event *event,
                               struct rln__item *out);

/* Where something happened; the thread is UINT32_MAX if unknown. */
struct rln__event_origin {
    uint32_t process, thread, tid;
};

/* The thread is the one that the payload names, else the one that submitted it. */
struct rln__event_origin rln__deferred_origin(struct rln__deferred_events *deferred,
                                              const rln_reader *reader,
                                              const struct rln__deferred_event *event);

/* Where its payloads are. */
struct rln__record_address
rln__deferred_event_address(const struct rln__deferred_events *deferred,
                            const struct rln__deferred_event *event);

/* The same, without a tid, of one that is not loaded. RLN_END: there is none. */
rln_status rln__deferred_address_at(rln_reader *reader, uint32_t part, uint64_t offset,
                                    uint32_t element, struct rln__record_address *out,
                                    rln_error *err);

#endif
