/* SPDX-License-Identifier: Apache-2.0 */
/* time_domain.h - places timestamps of a program's own clocks on the time line.
 *
 *   timestamp --+-- ticks of the tool, or of its processor       clock_fit.h
 *               +-- CLOCK_MONOTONIC, CLOCK_REALTIME and others   clock tuples
 *               +-- points shared with another time domain       straight lines between
 *               |   that can be placed                           them, and beyond
 *               +-- a factor to another time domain              that one's place
 *               +-- none of these: it cannot be placed
 *
 * A standard clock takes precedence over what the program states about it; otherwise
 * the shortest path counts. FORMAT.md 6 (records 33 to 35) has the statements.
 */
#ifndef RLN_TRACE_OPEN_TIME_DOMAIN_H
#define RLN_TRACE_OPEN_TIME_DOMAIN_H

#include "base/key_index.h"
#include "rangeline/model.h"
#include "trace/open/load.h"

/* Why the time of a deferred event is unknown. */
enum rln__unplaced_cause {
    /* No sync point or conversion relates its time domain to a known clock, or its time
     * domain is unknown. */
    RLN__UNPLACED_UNTIED = 1,
    /* Sync points or factors of its time domain contradict each other: time stops or
     * runs backward, or the event ends before it begins. */
    RLN__UNPLACED_CONTRADICTORY = 2,
    RLN__UNPLACED_UNTIMED = 3 /* The event has no timestamp. */
};

struct rln__time_map;

struct rln__time_domains {
    rln_reader *reader;         /* borrowed */
    struct rln__key_index keys; /* process, domain, time domain -> map */
    struct rln__time_map *maps; /* owned */
    size_t n, capacity;
    struct rln__clock_tuple *tuples; /* owned: of all parts, by part and real time */
    uint32_t *first_tuple;           /* owned: of each part, and the end */
};

rln_status rln__time_domains_init(struct rln__time_domains *times, rln_reader *reader,
                                  rln_error *err);
void rln__time_domains_clear(struct rln__time_domains *times);

/* The number of a time domain, from the ids of a process; UINT32_MAX when there is no
 * memory. Time domain 0 is the tool's, unless points say otherwise. */
uint32_t rln__time_domains_find(struct rln__time_domains *times, uint32_t process,
                                uint32_t domain_id, uint64_t id);

/* Whether it is a clock of the machine itself, and not one that can be set. */
int rln__time_domains_is_own(const struct rln__time_domains *times, uint32_t number);

/* Whether it is a clock of the system, which counts nanoseconds. */
int rln__time_domains_counts_ns(const struct rln__time_domains *times, uint32_t number);

/* Whether the trace does not name the clock, which is then taken for the tool's if the
 * times agree. */
int rln__time_domains_is_guess(const struct rln__time_domains *times, uint32_t number);

/* 0, or why it cannot be placed: rln__unplaced_cause. */
unsigned rln__time_domains_ns(struct rln__time_domains *times, uint32_t number,
                              int64_t timestamp, int64_t *ns);

#endif
