/* SPDX-License-Identifier: Apache-2.0 */
/* shift.h - how a clock goes to be that of another: align.c finds it out. */
#ifndef RLN_MODEL_SHIFT_H
#define RLN_MODEL_SHIFT_H

#include <stdint.h>

/* Zeroed, nothing changes. */
struct rln__shift {
    int64_t at_ns; /* there it is moved by... */
    int64_t by_ns;
    double rate; /* ...and by so much more for each ns behind that */
};

static inline int64_t rln__shift_at(const struct rln__shift *shift, int64_t ns)
{
    return shift->by_ns + (int64_t)(shift->rate * ((double)ns - (double)shift->at_ns));
}

#endif
