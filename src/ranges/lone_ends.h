/* SPDX-License-Identifier: Apache-2.0 */
/* lone_ends.h - ends that wait for their starts, which may come at the same time.
 *
 * One thread may end what another has started at the same nanosecond, and be read
 * first. Such an end waits until its start has come, or time has passed it.
 */
#ifndef RLN_RANGES_LONE_ENDS_H
#define RLN_RANGES_LONE_ENDS_H

#include "base/hash.h"
#include "trace/order/merge.h"

struct rln__lone_end {
    struct rln__merged merged;
    struct rln__item item; /* its */
    uint8_t is_taken;
};

/* Zeroed, none waits. */
struct rln__lone_ends {
    struct rln__lone_end *items; /* owned */
    size_t n, first, capacity;
    struct rln__map by_id;     /* id -> index + 1 of the first of its ends */
    size_t started;            /* index + 1: its start has come */
    struct rln__lone_end last; /* that no longer waits, if is_last */
    struct rln__merged next;   /* read in advance, if has_next, like its status */
    rln_status next_status;
    uint8_t has_next;
    uint8_t is_last; /* the item that was read last is such an end */
};

/* Copies an end. 0, or -1: no memory. */
int rln__lone_ends_wait(struct rln__lone_ends *lone, const struct rln__merged *end);

/* A range has started: its end, if one waits, comes next. */
static inline void rln__lone_ends_start(struct rln__lone_ends *lone, uint64_t id)
{
    if (lone->n)
        lone->started = (size_t)rln__map_remove(&lone->by_id, id);
}

/* Whether the next item is one of `merge`: nothing waits, nothing was read in advance.
 */
static inline int rln__lone_ends_is_idle(const struct rln__lone_ends *lone)
{
    return lone->n == 0 && !lone->has_next;
}

/* The next item: one that no longer waits, or one of `merge`. As rln__merge_next(). */
rln_status rln__lone_ends_next(struct rln__lone_ends *lone, struct rln__merge *merge,
                               struct rln__merged *out, rln_error *err);

void rln__lone_ends_clear(struct rln__lone_ends *lone);

#endif
