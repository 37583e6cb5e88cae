/* SPDX-License-Identifier: Apache-2.0 */
/* excluded_pushes.h - lists the open pushes that a thread does not record because of
 * their category (categories.h). Their pops are not recorded either.
 *
 * They count in their domain's depth, which identifies them. A forked child inherits
 * its parent's list, because it may pop them.
 */
#ifndef RLN_COLLECT_CAPTURE_EXCLUDED_PUSHES_H
#define RLN_COLLECT_CAPTURE_EXCLUDED_PUSHES_H

#include "collect/event/thread.h"

/* Whether the list has a free entry; if not, the push is recorded. */
static inline int rln__excluded_pushes_has_room(void)
{
    return __atomic_load_n(&rln__own_kept()->n_excluded, __ATOMIC_RELAXED) <
           RLN__MOST_EXCLUDED;
}

/* Adds the push at that depth, which has been counted. */
void rln__excluded_pushes_add(uint32_t domain, uint32_t depth);

/* Removes the range that the domain's next pop ends, if it is excluded; 1 if it was.
 * Call this before the depth changes: ranges of a handler in between have larger
 * depths. */
int rln__excluded_pushes_take(uint32_t domain);

/* The number of the domain's open ranges that are excluded. */
uint32_t rln__excluded_pushes_in(uint32_t domain);

#endif
