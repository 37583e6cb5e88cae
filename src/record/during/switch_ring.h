/* SPDX-License-Identifier: Apache-2.0 */
/* switch_ring.h - memory that the kernel writes records of threads into, in the order of
 * time: perf_event_open(2), which any user may call for programs of theirs.
 *
 *   a thread        comes to a processor .... leaves it, to wait
 *   its ring        [..., ON,                 BLOCKED]
 *
 * The thread runs none of our code for that and gets no descriptor; what finds no room
 * in the ring is lost and counted.
 */
#ifndef RLN_RECORD_DURING_SWITCH_RING_H
#define RLN_RECORD_DURING_SWITCH_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "format/layout.h"

/* CLOCK_MONOTONIC_RAW, which the times of all records are of, in ns. */
uint64_t rln__ring_now(void);

/* What a ring has. */
struct rln__ring_record {
    unsigned kind; /* enum rln__switch_kind, or RLN__SUB_BORN, _SWITCHES_LOST */
    uint64_t time_ns;
    uint64_t from_ns; /* LOST: of the record before */
    uint64_t n_lost;
    uint32_t pid, tid;               /* LOST: 0 */
    uint32_t parent_pid, parent_tid; /* BORN */
    uint32_t processor;
};

/* What is recorded of a thread. */
enum rln__ring_events {
    RLN__RING_SWITCHES = 1, /* that it comes to a processor, and leaves it */
    /* That it ends, becomes another program, and creates a thread or a process. */
    RLN__RING_LIVES = 2,
};

struct rln__ring_options {
    pid_t thread;
    int processor; /* on which alone records are made; -1: on any */
    unsigned events;
    bool is_inherited; /* by all that it creates; one processor only */
    bool begins_at_exec;
    size_t n_bytes;     /* of the ring: a power of two, of pages at least */
    size_t wakes_bytes; /* when it has that much, whoever waits for it is woken */
};

struct rln__switch_ring {
    int fd;      /* owned, as the next; -1: not open */
    void *pages; /* the kernel's, then the ring */
    size_t n_bytes;
    uint64_t last_ns;
    int processor; /* -1: each record says */
};

/* 0 or -errno, with nothing left open. */
int rln__switch_ring_open(struct rln__switch_ring *ring,
                          const struct rln__ring_options *options);
void rln__switch_ring_close(struct rln__switch_ring *ring);

bool rln__switch_ring_has_any(const struct rln__switch_ring *ring);

/* Takes out all that a ring has now. */
void rln__switch_ring_read(struct rln__switch_ring *ring,
                           void (*take)(void *context,
                                        const struct rln__ring_record *record),
                           void *context);

#endif
