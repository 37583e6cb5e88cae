/* SPDX-License-Identifier: Apache-2.0 */
/* maker_election.h - one thread makes a block or a chunk of names while others wait for
 * it.
 *
 * If each of a thousand threads made one, it would take gigabytes of disk. Yet this
 * cannot be a lock: the maker may be a child of vfork that never returns to finish. So
 * a thread that has waited long enough for one maker takes its place, and the others
 * wait for that thread.
 */
#ifndef RLN_COLLECT_EVENT_MAKER_ELECTION_H
#define RLN_COLLECT_EVENT_MAKER_ELECTION_H

#include <stdint.h>

struct rln__maker_election {
    uint32_t maker; /* atomic, futex: the thread that makes it now, or 0 */
};

/* Call when `*place` is `used_up`. Returns 1 if the caller must make the next and then
 * call rln__maker_election_end(), or 0 if `*place` has changed meanwhile. With signals
 * blocked.
 */
int rln__maker_election_begin(struct rln__maker_election *making, void *const *place,
                              const void *used_up);
void rln__maker_election_end(struct rln__maker_election *making);

#endif
