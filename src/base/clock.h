/* SPDX-License-Identifier: Apache-2.0 */
/* clock.h - reads ticks for events, and tuples that relate ticks to the system's
 * clocks.
 *
 * A tick is one step of the processor's constant-rate counter if there is a reliable
 * one, else a nanosecond of CLOCK_MONOTONIC_RAW. All processes of a run use the same
 * kind, which is in the superblock.
 */
#ifndef RLN_BASE_CLOCK_H
#define RLN_BASE_CLOCK_H

#include "base/clock_kind.h"
#include "base/sys.h"

/* The processor's counter. Not ordered against other instructions on purpose: a fence
 * would cost more than the whole rest of an event. */
static inline uint64_t rln__counter(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    uint64_t ticks;

    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#endif
}

/* Whether this process may read that clock: if it has denied itself the counter,
 * reading it is SIGSEGV. */
int rln__clock_is_allowed(enum rln__clock_kind kind);

/* The best clock for this process: the counter if the kernel trusts it (invariant, in
 * step on all processors) and the process may read it. */
enum rln__clock_kind rln__clock_choose(void);

/* Ticks per second if the machine reports it, else 0. */
uint64_t rln__clock_rate(enum rln__clock_kind kind);

/* Reads all three clocks as closely together as a few tries allow. */
void rln__clock_read(enum rln__clock_kind kind, struct rln__clock_tuple *out);

#endif
