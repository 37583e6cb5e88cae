/* SPDX-License-Identifier: Apache-2.0 */
/* last_switches.h - the last switch of each thread: what the thread is doing.
 *
 * It outlives what is not written, outside windows, and what is overwritten.
 */
#ifndef RLN_RECORD_DURING_LAST_SWITCHES_H
#define RLN_RECORD_DURING_LAST_SWITCHES_H

#include <stdbool.h>

#include "base/hash.h"
#include "record/during/switch_ring.h"

/* Zeroed: of no thread. */
struct rln__last_switches {
    struct rln__map by_tid; /* ticks and kind */
    bool has_ended;         /* one in it */
    uint64_t
        lost_until; /* ticks: later switches of any thread may be missing until then */
};

struct rln__last_switch {
    uint64_t ticks;
    unsigned kind; /* enum rln__switch_kind */
    uint32_t tid;
};

/* Notes a record, with its time as ticks. */
void rln__last_switches_note(struct rln__last_switches *last,
                             const struct rln__ring_record *record, uint64_t ticks);

/* When all rings have been read: no earlier switch of a thread that has ended can come. */
void rln__last_switches_forget_ended(struct rln__last_switches *last);

/* Those after which none is missing, one after the other, also of threads that have ended
 * since the rings were read last: `*at` is 0 at first. False: there are no more. */
bool rln__last_switches_next(const struct rln__last_switches *last, size_t *at,
                             struct rln__last_switch *out);

void rln__last_switches_clear(struct rln__last_switches *last);

#endif
