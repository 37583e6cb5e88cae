/* SPDX-License-Identifier: Apache-2.0 */
/* left_out.h - pushes of a thread that are not recorded because of what they are
 * (categories.h), and not because no window is open: nobody is told of them, nor of the
 * pops that end them.
 *
 * They are counted in their domain's depth, and known by it. A forked child has its
 * parent's: it may pop them.
 */
#ifndef RLN_COLLECT_LEFT_OUT_H
#define RLN_COLLECT_LEFT_OUT_H

#include "collect/thread.h"

/* Whether there is room for one more; if not, it is recorded. */
static inline int rln__left_out_has_room(void)
{
    return __atomic_load_n(&rln__own_kept()->n_left_out, __ATOMIC_RELAXED) <
           RLN__MOST_LEFT_OUT;
}

/* The push to that depth has been counted. */
void rln__left_out_add(uint32_t domain, uint32_t depth);

/* Takes the range that the next pop in the domain ends, if it is left out. Before the
 * depth changes: what a handler pushes and pops in between lies above. */
int rln__left_out_take(uint32_t domain);

/* How many of the domain's open ranges are. */
uint32_t rln__left_out_in(uint32_t domain);

#endif
