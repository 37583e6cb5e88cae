/* SPDX-License-Identifier: Apache-2.0 */
/* switch_rings.h - the context switches of a program and of all that it starts, which
 * the kernel records for every user: perf_event_open(2).
 *
 *   thread of the program   on processor 0 ......... leaves it      comes to processor 1
 *   ring of processor 0     [..., BLOCKED]
 *   ring of processor 1                                             [ON, ...]
 *
 * The events belong to the child between its fork and its exec, and its threads and
 * children inherit them. The program runs none of our code and gets no descriptor; the
 * rings are memory of this process, and what finds no room in them is lost and counted.
 */
#ifndef RLN_RECORD_DURING_SWITCH_RINGS_H
#define RLN_RECORD_DURING_SWITCH_RINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A thread inherits an event per processor, and each of its switches visits all of them:
 * with 32 a switch is 0.4 us longer, with 256 it would be 4 us, and creating a thread
 * 0.3 ms. */
#define RLN__MOST_SWITCH_RINGS 32u

/* What a ring has. */
struct rln__ring_record {
    unsigned kind;    /* enum rln__switch_kind, or RLN__SUB_BORN, _SWITCHES_LOST */
    uint64_t time_ns; /* of CLOCK_MONOTONIC_RAW, as the next */
    uint64_t from_ns; /* LOST: of the record before */
    uint64_t n_lost;
    uint32_t pid, tid;
    uint32_t parent_pid, parent_tid; /* BORN */
};

struct rln__switch_ring {
    int fd;
    uint32_t processor;
    void *pages; /* owned: the kernel's, then the ring */
    uint64_t last_ns;
    bool is_over; /* none of the threads that had its event is left */
};

struct rln__switch_rings {
    struct rln__switch_ring rings[RLN__MOST_SWITCH_RINGS];
    size_t n;
    size_t ring_bytes; /* of each: a power of two */
};

/* Opens the events for a child that has not called exec() yet, from which on they count.
 * Allocates nothing that a failure leaves. 0 or -errno; -E2BIG: the child may run on
 * more processors than RLN__MOST_SWITCH_RINGS. */
int rln__switch_rings_open(struct rln__switch_rings *rings, pid_t child);
void rln__switch_rings_close(struct rln__switch_rings *rings);

/* Waits until a ring is a quarter full, `fd` can be read, or `ms` have passed. */
void rln__switch_rings_wait(struct rln__switch_rings *rings, int fd, int ms);

bool rln__switch_ring_has_any(const struct rln__switch_ring *ring);

/* Takes out all that a ring has now, in the order of time. */
void rln__switch_ring_read(
    const struct rln__switch_rings *rings, struct rln__switch_ring *ring,
    void (*take)(void *context, const struct rln__ring_record *record), void *context);

#endif
