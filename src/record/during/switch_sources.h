/* SPDX-License-Identifier: Apache-2.0 */
/* switch_sources.h - what has the context switches of a program and of all that it
 * creates, in one of three ways:
 *
 *   up to 32 processors     a ring for each processor: all threads inherit its event
 *   more                    two rings for each thread, opened when it is born
 *   the kernel refuses      no rings, and no switches: the clocks of each thread
 *
 * A thread inherits an event per processor, and each of its switches visits all of them:
 * with 2, a switch takes 0.2 to 1 us longer, and with 256 it would be 4 us more, and the
 * creation of a thread 0.3 ms. Events of single threads cost the same on any machine,
 * 2 us a switch, but what a thread does in the first 0.1 ms or so of its life is not seen.
 * Containers mostly forbid events; clocks must be read again and again, and say how much of
 * the time between two readings a thread was on a processor, not when.
 */
#ifndef RLN_RECORD_DURING_SWITCH_SOURCES_H
#define RLN_RECORD_DURING_SWITCH_SOURCES_H

#include "base/hash.h"
#include "record/during/cpu_clocks.h"
#include "record/during/switch_ring.h"

enum rln__switch_way {
    RLN__SWITCHES_BY_PROCESSOR,
    RLN__SWITCHES_BY_THREAD,
    RLN__CLOCKS_BY_THREAD,
};

/* Of a processor, or of a thread. */
struct rln__switch_source {
    struct rln__switch_ring switches;
    struct rln__switch_ring lives; /* of a thread; a processor's ring has both */
    struct rln__cpu_clocks clocks; /* of a thread, instead of rings */
    uint32_t pid, tid;             /* of a thread */
    bool has_ended;                /* the thread, and its number may be another's */
    bool is_over;                  /* what it has now is all that it will ever have */
};

struct rln__switch_sources {
    struct rln__switch_source **all; /* owned, as are the items */
    size_t n, capacity;
    int waits;                /* epoll; the descriptor is owned */
    int refusal;              /* by clocks: the -errno of the kernel's refusal */
    size_t n_processors;      /* that the child may run on; 0: unknown */
    enum rln__switch_way way; /* the rest is of threads only */
    size_t most;              /* for which there are descriptors */
    size_t n_bytes;           /* of their rings */
    struct rln__map by_tid;   /* index + 1 */
    struct rln__map n_by_pid; /* of its threads */
};

/* Opens them for a child that has not called exec() yet, from which on rings are filled.
 * To be waited for, besides: `stop`, the end of a pipe. 0 or -errno, with nothing left open. */
int rln__switch_sources_open(struct rln__switch_sources *sources, pid_t child,
                             int stop);
void rln__switch_sources_close(struct rln__switch_sources *sources);

/* Waits until a ring is filled far enough, a thread is born, `stop` can be read, or `ms` have
 * passed; false: the other end of `stop` is closed. */
bool rln__switch_sources_wait(struct rln__switch_sources *sources, int ms);

/* Begins to record a thread that exists. 0: it is recorded now; -EEXIST: it was before;
 * -ESRCH: it has ended; -ENOMEM, -EPERM: there is no room for more rings; or another
 * -errno. */
int rln__switch_sources_add(struct rln__switch_sources *sources, uint32_t pid,
                            uint32_t tid);

/* The thread has another number since it called exec(). */
void rln__switch_sources_rename(struct rln__switch_sources *sources, size_t index,
                                uint32_t tid);

/* Closes one that is over; the last one takes its index. */
void rln__switch_sources_remove(struct rln__switch_sources *sources, size_t index);

#endif
