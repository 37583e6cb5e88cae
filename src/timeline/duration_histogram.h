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

#define RLN__DURATION_HISTOGRAM_EXACT 4096u
#define RLN__DURATION_HISTOGRAM_STEPS 16u
#define RLN__DURATION_HISTOGRAM_BARS 24u

struct rln__duration_histogram {
    uint64_t n;
    uint64_t min_ns, max_ns;
    uint64_t *items; /* owned: lengths, or counts by step */
    size_t capacity;
};

struct rln__duration_histogram_bar {
    double from_ns, to_ns;
    uint64_t n;
};

struct rln__duration_histogram_spread {
    double median_ns;
    uint64_t p95_ns;
    struct rln__duration_histogram_bar
        bars[RLN__DURATION_HISTOGRAM_BARS]; /* bounds grow by one factor */
    size_t n_bars;
};

/* 0, or -1: no memory. */
int rln__duration_histogram_add(struct rln__duration_histogram *lengths, uint64_t ns);

/* Adds the lengths of another one. 0, or -1: no memory. */
int rln__duration_histogram_merge(struct rln__duration_histogram *lengths,
                                  const struct rln__duration_histogram *other);

/* 0, or -1: no memory. Without lengths, all is 0. */
int rln__duration_histogram_spread(const struct rln__duration_histogram *lengths,
                                   struct rln__duration_histogram_spread *out);
void rln__duration_histogram_clear(struct rln__duration_histogram *lengths);

#endif
