/* SPDX-License-Identifier: Apache-2.0 */
/* making.c - one thread makes, others wait. */
#include "collect/making.h"

#include "base/sys.h"

enum {
    LOOK_NS = 1000000,
    PATIENCE_NS = 100000000, /* with one maker: a busy disk is slow, too */
};

int rln__making_begin(struct rln__making *making, void *const *place,
                      const void *used_up)
{
    const uint32_t self = rln__sys_gettid();
    uint32_t awaited = 0;
    uint64_t since_ns = 0;

    while (__atomic_load_n(place, __ATOMIC_ACQUIRE) == used_up) {
        uint32_t maker = 0;

        if (__atomic_compare_exchange_n(&making->maker, &maker, self, 0,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return 1;
        if (maker != awaited) {
            awaited = maker;
            since_ns = rln__sys_clock_ns(CLOCK_MONOTONIC);
        } else if (rln__sys_clock_ns(CLOCK_MONOTONIC) - since_ns > PATIENCE_NS &&
                   __atomic_compare_exchange_n(&making->maker, &maker, self, 0,
                                               __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
            return 1;
        }
        rln__sys_futex_wait(&making->maker, maker, LOOK_NS);
    }
    return 0;
}

void rln__making_end(struct rln__making *making)
{
    uint32_t self = rln__sys_gettid();

    /* Another thread's by now, if this one took too long. */
    __atomic_compare_exchange_n(&making->maker, &self, 0, 0, __ATOMIC_RELEASE,
                                __ATOMIC_RELAXED);
    rln__sys_futex_wake(&making->maker);
}
