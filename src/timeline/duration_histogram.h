/* SPDX-License-Identifier: Apache-2.0 */
/* duration_histogram.h - how long the ranges of one name are, in bounded memory.
 *
 *   up to 4,096   each length                      exact quantiles
 *   beyond        counts, 16 for each doubling     quantiles to within 5 %
 */
#ifndef RLN_TIMELINE_DURATION_HISTOGRAM_H
#define RLN_TIMELINE_DURATION_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#define RLN__LENGTHS_EXACT 4096u
#define RLN__LENGTHS_STEPS 16u
#define RLN__LENGTHS_BARS 24u

struct rln__lengths {
    uint64_t n;
    uint64_t min_ns, max_ns;
    uint64_t *items; /* owned: lengths, or counts by step */
    size_t capacity;
};

struct rln__lengths_bar {
    double from_ns, to_ns;
    uint64_t n;
};

struct rln__lengths_spread {
    double median_ns;
    uint64_t p95_ns;
    struct rln__lengths_bar bars[RLN__LENGTHS_BARS]; /* bounds grow by one factor */
    size_t n_bars;
};

/* 0, or -1: no memory. */
int rln__lengths_add(struct rln__lengths *lengths, uint64_t ns);

/* 0, or -1: no memory. Without lengths, all is 0. */
int rln__lengths_spread(const struct rln__lengths *lengths,
                        struct rln__lengths_spread *out);
void rln__lengths_clear(struct rln__lengths *lengths);

#endif
