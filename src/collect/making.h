/* SPDX-License-Identifier: Apache-2.0 */
/* making.h - what one thread makes while others wait for it: a block, a chunk of names.
 *
 * A thousand threads that all made one would take gigabytes of a disk. Yet it is no
 * lock: a child of vfork may have begun, and never comes back to end it. So who has
 * waited long enough for one maker takes its place, and the others wait for that one.
 */
#ifndef RLN_COLLECT_MAKING_H
#define RLN_COLLECT_MAKING_H

#include <stdint.h>

struct rln__making {
    uint32_t maker; /* atomic, futex: the thread that makes it now, or 0 */
};

/* For who found the thing at `*place` used up: whether the caller is to make the next,
 * and says so by rln__making_end(). 0 if `*place` has become another meanwhile. With
 * signals blocked. */
int rln__making_begin(struct rln__making *making, void *const *place,
                      const void *used_up);
void rln__making_end(struct rln__making *making);

#endif
