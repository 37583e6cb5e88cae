/* SPDX-License-Identifier: Apache-2.0 */
/* leaves.h - what stands in one row of a picture, at a resolution that fits memory.
 *
 *   ranges  |--| |-|||-|  |--------|  |||||||        disjoint, in the order of starts
 *   leaves  |--| [   5   ] |--------|  [  7  ]       40 bytes each, whatever they hold
 *
 * A leaf is one range, or several neighbours that together are not longer than the
 * row's resolution: how many, how much of the time they fill, and the longest one. The
 * resolution is 0 until leaves become too many; then all rows get a coarser one. Where
 * few ranges are, or long ones, each stays alone.
 *
 * So sums of `n` are exact at any resolution: nothing is ever left out.
 */
#ifndef RLN_ANALYZE_LEAVES_H
#define RLN_ANALYZE_LEAVES_H

#include <stddef.h>
#include <stdint.h>

struct rln__leaf {
    int64_t start_ns, end_ns;
    union {
        uint64_t covered_ns; /* of several */
        uint64_t place;      /* of one: where its begin is recorded; 0 if unknown */
    };
    union {
        uint64_t longest_ns;
        struct {
            uint32_t end_thread; /* index of the thread that ended it */
            uint32_t value_type; /* enum rln_payload_type of what stands at `place` */
        };
    };
    uint32_t attr; /* index of attributes; of several, those of the longest */
    uint32_t n : 30;
    uint32_t is_varied : 1; /* of several: their attributes differ */
    uint32_t is_open : 1;   /* nobody closed it */
};

_Static_assert(sizeof(struct rln__leaf) == 40, "memory is reckoned in these");

struct rln__leaves {
    struct rln__leaf *items; /* owned */
    size_t n, capacity;
    /* Of each 64 leaves, all of them as one, for whoever looks from afar. Owned; gone
     * as soon as anything changes. */
    struct rln__leaf *blocks;
    size_t n_blocks;
    /* Some overlap, or came late: sorted by start when they are asked for. */
    uint8_t is_mixed, is_unsorted;
};

static inline int64_t rln__leaf_ns(const struct rln__leaf *leaf)
{
    return leaf->end_ns - leaf->start_ns;
}

static inline uint64_t rln__leaf_covered(const struct rln__leaf *leaf)
{
    return leaf->n > 1 ? leaf->covered_ns : (uint64_t)rln__leaf_ns(leaf);
}

/* Adds a range; it may become a part of the last leaf. 0, or -1: no memory. */
int rln__leaves_add(struct rln__leaves *leaves, const struct rln__leaf *leaf,
                    int64_t resolution_ns);

/* How many there would be, about. */
size_t rln__leaves_estimate(struct rln__leaves *leaves, int64_t resolution_ns);

/* Merges what is closer together than that; memory is given back. */
void rln__leaves_coarsen(struct rln__leaves *leaves, int64_t resolution_ns);

/* Nothing is added any more: makes what is asked quicker to find. 0, or -1: no memory,
 * and nothing is lost but time. */
int rln__leaves_settle(struct rln__leaves *leaves);

/* The first leaf that ends at or behind a time; of mixed ones, simply the first. */
size_t rln__leaves_from(struct rln__leaves *leaves, int64_t ns);

/* What a picture shows of [from_ns, to_ns]: leaves, and those that are narrower than
 * `pixel_ns` together as long as they are not wider in sum. Begin with *at from above;
 * 1, or 0 when there is no more. */
int rln__leaves_next(const struct rln__leaves *leaves, size_t *at, int64_t to_ns,
                     int64_t pixel_ns, struct rln__leaf *out);

void rln__leaves_clear(struct rln__leaves *leaves);

#endif
