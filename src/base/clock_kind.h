/* SPDX-License-Identifier: Apache-2.0 */
/* clock_kind.h - the clocks that a trace may have: what readers know of clock.h. */
#ifndef RLN_BASE_CLOCK_KIND_H
#define RLN_BASE_CLOCK_KIND_H

#include <stdint.h>

enum rln__clock_kind {
    RLN__CLOCK_TSC = 1,           /* x86 time stamp counter */
    RLN__CLOCK_CNTVCT = 2,        /* Arm generic timer */
    RLN__CLOCK_MONOTONIC_RAW = 3, /* ticks are nanoseconds */
};

/* One instant on three clocks. `uncertainty_ticks` is the width of the window in which
 * the system's monotonic clock was read. */
struct rln__clock_tuple {
    uint64_t ticks;
    uint64_t monotonic_ns;
    uint64_t realtime_ns;
    uint64_t uncertainty_ticks;
};

#endif
