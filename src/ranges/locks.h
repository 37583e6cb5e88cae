/* SPDX-License-Identifier: Apache-2.0 */
/* locks.h - tracks who waits for which synchronization object, and who holds it.
 *
 *   waits ------> has it ------> releases       steps that a thread reports
 *   |<- waiting ->|<- holding ->|
 *   |<- waiting ->| gave up
 *
 *   object --> newest --> ... --> oldest        waits and holds that are still open
 *
 * A thread may wait and hold several times (recursive locks), and several threads may
 * hold an object (readers). A release ends the newest hold of its own thread or, if
 * there is none, of any other: any thread may release a semaphore.
 */
#ifndef RLN_RANGES_LOCKS_H
#define RLN_RANGES_LOCKS_H

#include "base/hash.h"
#include "format/layout.h"

struct rln__sync_open {
    int64_t t_ns;
    uint32_t process; /* index */
    uint32_t object;  /* its number in the process */
    uint32_t thread;  /* index */
    uint32_t older;   /* of the same object, or of the free list; UINT32_MAX: none */
    uint8_t is_hold;
    uint8_t is_free;
};

struct rln__syncs {
    struct rln__sync_open *pool; /* owned */
    size_t n_pool, capacity;
    uint32_t free;             /* + 1; 0 is none */
    struct rln__map by_object; /* process, object -> newest + 1 */
};

/* One step of a thread with an object. */
struct rln__sync_event {
    int64_t t_ns;
    uint32_t process, object, thread;
    enum rln__sync_step step;
};

/* 1: it ended `*closed`; 0: it ended nothing; -1: there is no memory. */
int rln__sync_step(struct rln__syncs *syncs, const struct rln__sync_event *moment,
                   struct rln__sync_open *closed);

/* Sorts open waits and holds to the front of the pool, by the time of their begins, and
 * returns their number. The struct is unusable afterwards. */
size_t rln__syncs_drain(struct rln__syncs *syncs);
void rln__syncs_clear(struct rln__syncs *syncs);

#endif
