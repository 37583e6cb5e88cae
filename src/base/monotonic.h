/* SPDX-License-Identifier: Apache-2.0 */
/* monotonic.h - what the command measures waiting by. Events have ticks: clock.h. */
#ifndef RLN_BASE_MONOTONIC_H
#define RLN_BASE_MONOTONIC_H

#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC in nanoseconds, in milliseconds. */
static inline int64_t rln__monotonic_ns(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline int64_t rln__monotonic_ms(void)
{
    return rln__monotonic_ns() / 1000000;
}

#endif
