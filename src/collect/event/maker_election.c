/* SPDX-License-Identifier: Apache-2.0 */
/* maker_election.c - elects one thread to make something; the others wait. */
#include "collect/event/maker_election.h"

#include "base/sys.h"

/* How long to wait for one maker. A thread without CPU time among a thousand others
 * will finish eventually, and so will one that waits for a busy disk; a waiter that
 * gave up early would reserve as much space again. A child of vfork may be gone, so
 * waiters check sooner whether the thread exists. */
enum { POLL_NS = 1000000 };
static const uint64_t patience_ns = 5000000000u, patience_with_others_ns = 100000000u;

static int must_take_over(uint64_t waited_ns, uint32_t maker)
{
    return waited_ns > patience_ns ||
           (waited_ns > patience_with_others_ns &&
            rln__sys_tgkill(rln__sys_getpid(), maker, 0) < 0);
}

int rln__maker_election_begin(struct rln__maker_election *election,
                              void *const *current, const void *used_up)
{
    const uint32_t self = rln__sys_gettid();
    uint32_t awaited = 0;
    uint64_t since_ns = 0;

    while (__atomic_load_n(current, __ATOMIC_ACQUIRE) == used_up) {
        uint32_t maker = 0;

        if (__atomic_compare_exchange_n(&election->maker, &maker, self, 0,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return 1;
        if (maker != awaited) {
            awaited = maker;
            since_ns = rln__sys_clock_ns(CLOCK_MONOTONIC);
        } else if (must_take_over(rln__sys_clock_ns(CLOCK_MONOTONIC) - since_ns,
                                  maker) &&
                   __atomic_compare_exchange_n(&election->maker, &maker, self, 0,
                                               __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
            return 1;
        }
        rln__sys_futex_wait(&election->maker, maker, POLL_NS);
    }
    return 0;
}

void rln__maker_election_end(struct rln__maker_election *election)
{
    uint32_t self = rln__sys_gettid();

    /* Fails if another thread took over because this one was slow. */
    __atomic_compare_exchange_n(&election->maker, &self, 0, 0, __ATOMIC_RELEASE,
                                __ATOMIC_RELAXED);
    rln__sys_futex_wake(&election->maker);
}
