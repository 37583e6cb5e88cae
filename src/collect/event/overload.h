/* SPDX-License-Identifier: Apache-2.0 */
/* overload.h - what a thread does when its event finds no room: RANGELINE_ON_OVERLOAD.
 *
 *   (not set)  it makes room itself, waiting for the kernel, and drops the event if
 *              the disk is full
 *   drop       it drops the event unless the helper has made room in advance: no event
 *              waits for a disk, except a process's first ones
 *   wait       it makes room itself; if the disk is full it waits for room. All threads
 *              of the process together wait for a second, and then drop events until
 *              there is room again
 *
 * Signals are handled while it waits.
 */
#ifndef RLN_COLLECT_EVENT_OVERLOAD_H
#define RLN_COLLECT_EVENT_OVERLOAD_H

#include "collect/collector.h"

/* Whether events use only room that already exists. Without a helper nobody would make
 * it. */
static inline int rln__drops_on_overload(void)
{
    return rln__collector.config.on_overload == RLN__OVERLOAD_DROPS &&
           rln__collector.config.has_helper;
}

/* Cold, with signals blocked; call when there is no room. Waits a moment, with the
 * signal mask `mask`, if the configuration says to wait, and returns whether to try
 * again. */
int rln__overload_wait(rln__sigmask mask);

/* Notes that there is room again. */
static inline void rln__overload_ends(struct rln__process_context *p)
{
    if (__atomic_load_n(&p->no_room_since_ns, __ATOMIC_RELAXED))
        __atomic_store_n(&p->no_room_since_ns, 0, __ATOMIC_RELAXED);
}

#endif
