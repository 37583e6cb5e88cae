/* SPDX-License-Identifier: Apache-2.0 */
/* maker_election.h - elects the thread that makes a block or a chunk while others wait
 * for it.
 *
 * If each of a thousand threads made one, they would use gigabytes of disk. This cannot
 * be a lock: the maker may be a child of vfork that never finishes. So a thread that
 * has waited long enough for a maker becomes the maker, and the others wait for that
 * thread.
 */
#ifndef RLN_COLLECT_EVENT_MAKER_ELECTION_H
#define RLN_COLLECT_EVENT_MAKER_ELECTION_H

#include <stdint.h>

struct rln__maker_election {
    uint32_t maker; /* atomic, futex: the thread that makes it now, or 0 */
};

/* Call when `*current` is `used_up`. Returns 1 if the caller must make the next one and
 * then call rln__maker_election_end(), or 0 if `*current` has changed meanwhile. With
 * signals blocked. */
int rln__maker_election_begin(struct rln__maker_election *election,
                              void *const *current, const void *used_up);
void rln__maker_election_end(struct rln__maker_election *election);

#endif
