/* SPDX-License-Identifier: Apache-2.0 */
/* wait_ends.h - whose range ended each time a blocked thread could go on.
 *
 *     thread    [next batch: blocked ]         [next batch: blocked ]
 *     other        [decode          ]             [decode          ]
 *     near                        |----|                         |----|
 *
 * The other thread is of the same process, or of another one of the same part of the trace:
 * then more time passes until the thread goes on. That may be chance: a range that ends all
 * the time ends near each wait, too. And it does not say that the one has made the other
 * go on.
 */
#ifndef RLN_ANALYSIS_INPUTS_WAIT_ENDS_H
#define RLN_ANALYSIS_INPUTS_WAIT_ENDS_H

#include "analysis/inputs/blocked_waits.h"

struct rln__wait_end {
    size_t range;   /* one that ended so; SIZE_MAX: none did */
    double share;   /* of the waiting, after which one of its name did */
    bool is_across; /* in another process */
};

/* 0, or -1 when there is no memory. */
int rln__wait_end_find(const struct rln__run *run, struct rln__cpu_times *cpu,
                       const struct rln__track *track,
                       const struct rln__blocked_waits *waits,
                       struct rln__wait_end *out);

#endif
