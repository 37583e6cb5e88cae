/* SPDX-License-Identifier: Apache-2.0 */
/* excluded_pushes.h - pushes that a thread does not record because of their category
 * (categories.h), not because no window is open. Neither they nor the pops that end
 * them are reported.
 *
 * They count in their domain's depth, which identifies them. A forked child inherits
 * its parent's, because it may pop them.
 */
#ifndef RLN_COLLECT_CAPTURE_EXCLUDED_PUSHES_H
#define RLN_COLLECT_CAPTURE_EXCLUDED_PUSHES_H

#include "collect/event/thread.h"

/* Whether there is room for one more; if not, the push is recorded. */
static inline int rln__excluded_pushes_has_room(void)
{
    return __atomic_load_n(&rln__own_kept()->n_excluded, __ATOMIC_RELAXED) <
           RLN__MOST_EXCLUDED;
}

/* Remembers the push at that depth, which has been counted. */
void rln__excluded_pushes_add(uint32_t domain, uint32_t depth);

/* Removes the range that the domain's next pop ends, if it is left out. Call this
 * before the depth changes: what a handler pushes and pops in between lies above it. */
int rln__excluded_pushes_take(uint32_t domain);

/* How many of the domain's open ranges are left out. */
uint32_t rln__excluded_pushes_in(uint32_t domain);

#endif
