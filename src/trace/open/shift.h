/* SPDX-License-Identifier: Apache-2.0 */
/* shift.h - how to turn one clock's time into another's; align.c computes it. */
#ifndef RLN_TRACE_OPEN_SHIFT_H
#define RLN_TRACE_OPEN_SHIFT_H

#include <stdint.h>

/* Zeroed: no change. */
struct rln__shift {
    int64_t at_ns; /* at this time, add `by_ns`... */
    int64_t by_ns;
    double rate; /* ...and so much more for each ns after it */
};

static inline int64_t rln__shift_at(const struct rln__shift *shift, int64_t ns)
{
    return shift->by_ns + (int64_t)(shift->rate * ((double)ns - (double)shift->at_ns));
}

#endif
