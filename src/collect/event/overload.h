/* SPDX-License-Identifier: Apache-2.0 */
/* overload.h - waits or drops an event when the file has no space for it:
 * RANGELINE_ON_OVERLOAD.
 *
 *   (not set)  the thread reserves a block, which waits for the kernel, and drops the
 *              event if the disk is full
 *   drop       the thread drops the event unless the helper has reserved a block in
 *              advance: no event waits for a disk, except a process's first ones
 *   wait       the thread reserves a block; if the disk is full, it waits for space.
 * All threads of the process together wait for at most 1 s, and then drop events until
 * there is space again
 *
 * Signals are handled while a thread waits.
 */
#ifndef RLN_COLLECT_EVENT_OVERLOAD_H
#define RLN_COLLECT_EVENT_OVERLOAD_H

#include "collect/collector.h"

/* Whether events use only blocks that exist already. That needs a helper, which makes
 * them. */
static inline int rln__drops_on_overload(void)
{
    return rln__collector.config.on_overload == RLN__OVERLOAD_DROPS &&
           rln__collector.config.has_helper;
}

/* Called without space; cold, with signals blocked. If the configuration is `wait`,
 * waits 5 ms with the signal mask `mask`. Returns whether to retry. */
int rln__overload_wait(rln__sigmask mask);

/* Records that there is space again. */
static inline void rln__overload_ends(struct rln__process_context *p)
{
    if (__atomic_load_n(&p->no_room_since_ns, __ATOMIC_RELAXED))
        __atomic_store_n(&p->no_room_since_ns, 0, __ATOMIC_RELAXED);
}

#endif
