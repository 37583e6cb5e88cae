/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/event/overload.h"

static const uint64_t longest_wait_ns =
    1000000000u; /* do not stall a program for ever */
static const uint64_t poll_ns = 5000000u;

/* The time since which this process has no space; now if it had some until now. */
static uint64_t begin(struct rln__process_context *p, uint64_t now_ns)
{
    uint64_t since_ns = 0;

    if (__atomic_compare_exchange_n(&p->no_room_since_ns, &since_ns, now_ns, 0,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return now_ns;
    return since_ns;
}

int rln__overload_wait(rln__sigmask mask)
{
    struct rln__process_context *p = rln__collector.process;
    const uint64_t now_ns = rln__sys_clock_ns(CLOCK_MONOTONIC);
    uint32_t never_woken = 0;

    if (rln__collector.config.on_overload != RLN__OVERLOAD_WAITS || !p ||
        p->state != RLN__READY || now_ns - begin(p, now_ns) >= longest_wait_ns)
        return 0;
    rln__restore_signals(mask);
    rln__sys_futex_wait(&never_woken, 0, poll_ns);
    (void)rln__block_signals();
    rln__count(n_waits, 1);
    rln__count(waited_ns, rln__sys_clock_ns(CLOCK_MONOTONIC) - now_ns);
    return 1;
}
