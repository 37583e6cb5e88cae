/* SPDX-License-Identifier: Apache-2.0 */
/* overload.h - what a thread does whose event finds no room: RANGELINE_ON_OVERLOAD.
 *
 *   (not set)  it makes room itself, waiting for the kernel, and drops the event where
 *              the disk has none
 *   drop       it drops the event unless the helper has made room before: no event
 *              waits for a disk, but for a process's first ones
 *   wait       it makes room itself; where the disk has none it waits until there is
 *              some, all threads of the process together for a second, and then drops
 *              until there is again
 *
 * While it waits, signals are handled.
 */
#ifndef RLN_COLLECT_OVERLOAD_H
#define RLN_COLLECT_OVERLOAD_H

#include "collect/collector.h"

/* Whether events take only room that is there. Without a helper nobody would make it.
 */
static inline int rln__drops_on_overload(void)
{
    return rln__collector.config.on_overload == RLN__OVERLOAD_DROPS &&
           rln__collector.config.has_helper;
}

/* Cold, and with signals blocked: there is no room. Waits a moment if it is to be
 * waited for, with the signal mask `mask`, and says whether to try again. */
int rln__overload_wait(rln__sigmask mask);

/* There is room. */
static inline void rln__overload_ends(struct rln__process *p)
{
    if (__atomic_load_n(&p->no_room_since_ns, __ATOMIC_RELAXED))
        __atomic_store_n(&p->no_room_since_ns, 0, __ATOMIC_RELAXED);
}

#endif
