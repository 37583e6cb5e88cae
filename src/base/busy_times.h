/* SPDX-License-Identifier: Apache-2.0 */
/* busy_times.h - what overlaps counts once: when work of several kinds went on.
 *
 *     kernels   [         ]      [     ]
 *     copies          [   ..  ]
 *     pieces    |-----|---|---|  |-----|     each with all kinds that go on during it
 *
 * Work comes in the order of its starts, whatever stream it was on.
 */
#ifndef RLN_BASE_BUSY_TIMES_H
#define RLN_BASE_BUSY_TIMES_H

#include <stdint.h>

/* Of one kind: the part of a piece of work in which nothing before it was busy, which
 * `*until_ns` says, INT64_MIN at first; it becomes the end of all so far. */
static inline uint64_t rln__busy_more(int64_t *until_ns, int64_t start_ns,
                                      int64_t end_ns)
{
    const int64_t from_ns = start_ns > *until_ns ? start_ns : *until_ns;

    if (end_ns > *until_ns)
        *until_ns = end_ns;
    return end_ns > from_ns ? (uint64_t)(end_ns - from_ns) : 0;
}

#define RLN__MOST_BUSY_KINDS 4u

/* Takes the next piece; `kinds` has a bit for each kind. 0, or -1: no memory. */
typedef int rln__busy_taker(void *context, int64_t start_ns, int64_t end_ns,
                            unsigned kinds);

/* Zeroed, except the first two. */
struct rln__busy_sweep {
    rln__busy_taker *take;
    void *context;
    int64_t at_ns;                          /* the end of what was taken */
    unsigned kinds;                         /* that go on there */
    int64_t until_ns[RLN__MOST_BUSY_KINDS]; /* of each that goes on */
};

/* Both return 0, or -1 if the taker did. Work that takes no time is ignored. */
int rln__busy_add(struct rln__busy_sweep *sweep, int64_t start_ns, int64_t end_ns,
                  unsigned kinds);
/* After the last: it may begin again then. */
int rln__busy_end(struct rln__busy_sweep *sweep);

#endif
