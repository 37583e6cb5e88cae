/* SPDX-License-Identifier: Apache-2.0 */
/* duration_histogram.h - how long the ranges of one name are, in bounded memory.
 *
 *   up to 4,096   each length                       exact quantiles
 *   beyond        counts, 128 for each doubling     quantiles to within 0.4 %
 *
 *   counts   [first step used] ... [last step used]     in the order of lengths
 *
 * Lengths can be forgotten to save room: how many there are, the least and the most stay.
 *
 * The content is a function of the set of lengths alone, however they were added and
 * merged.
 */
#ifndef RLN_STATISTICS_DURATION_HISTOGRAM_H
#define RLN_STATISTICS_DURATION_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#define RLN__DURATION_HISTOGRAM_EXACT 4096u
#define RLN__DURATION_HISTOGRAM_STEPS 128u
#define RLN__DURATION_HISTOGRAM_BARS 24u

/* All steps: lengths below 256 have one each, and each of 56 doublings has 128. */
#define RLN__DURATION_HISTOGRAM_N_STEPS (58u * RLN__DURATION_HISTOGRAM_STEPS)

struct rln__duration_histogram {
    uint64_t n;
    uint64_t min_ns, max_ns;
    uint64_t *items; /* owned: lengths, or counts by step; NULL: none, or forgotten */
    size_t capacity;
    uint32_t first_step, n_steps; /* of the counts */
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

/* The step of a length: those below 256 have one each, longer ones share it with their
 * neighbors. */
static inline uint32_t rln__duration_histogram_step(uint64_t ns)
{
    const unsigned log = ns ? 63 - (unsigned)__builtin_clzll(ns) : 0;
    const unsigned least = 7; /* the logarithm of RLN__DURATION_HISTOGRAM_STEPS */

    return log < least ? (uint32_t)ns
                       : (log - least + 1) * RLN__DURATION_HISTOGRAM_STEPS +
                             (uint32_t)(ns >> (log - least) &
                                        (RLN__DURATION_HISTOGRAM_STEPS - 1));
}

/* Whether there is each length, in `items`. */
static inline int
rln__duration_histogram_is_exact(const struct rln__duration_histogram *histogram)
{
    return histogram->n <= RLN__DURATION_HISTOGRAM_EXACT;
}

/* duration_histogram.c, for the function below */
int rln__duration_histogram_add_slow(struct rln__duration_histogram *histogram,
                                     uint64_t ns);

/* 0, or -1: no memory. */
static inline int rln__duration_histogram_add(struct rln__duration_histogram *histogram,
                                              uint64_t ns)
{
    const uint32_t at = rln__duration_histogram_step(ns) - histogram->first_step;

    if (histogram->n <= RLN__DURATION_HISTOGRAM_EXACT || at >= histogram->n_steps)
        return rln__duration_histogram_add_slow(histogram, ns);
    histogram->items[at]++;
    histogram->min_ns = histogram->min_ns < ns ? histogram->min_ns : ns;
    histogram->max_ns = histogram->max_ns > ns ? histogram->max_ns : ns;
    histogram->n++;
    return 0;
}

/* Adds the lengths of another one. 0, or -1: no memory. */
int rln__duration_histogram_merge(struct rln__duration_histogram *histogram,
                                  const struct rln__duration_histogram *other);

/* Adds `n` lengths of a step to counts, without `n`, `min_ns` and `max_ns`, which the
 * caller sets: for reading them from a file. 0, or -1: no memory. */
int rln__duration_histogram_count(struct rln__duration_histogram *histogram,
                                  uint32_t step, uint64_t n);

/* Sorts each length. */
void rln__duration_histogram_sort(struct rln__duration_histogram *histogram);

/* 0, or -1: no memory. */
int rln__duration_histogram_median(const struct rln__duration_histogram *histogram,
                                   double *out);

/* At most `most` lengths, 4,096 or more, ascending and evenly chosen: each one of up to
 * 4,096; of others one to within 0.8 %. Owned by the caller; NULL: no memory. */
uint64_t *
rln__duration_histogram_lengths(const struct rln__duration_histogram *histogram,
                                size_t most, size_t *n);

/* For merging and spreading only; no length can be added any more. */
void rln__duration_histogram_forget(struct rln__duration_histogram *histogram);

/* 0, or -1: no memory. Without lengths, all is 0. */
int rln__duration_histogram_spread(const struct rln__duration_histogram *histogram,
                                   struct rln__duration_histogram_spread *out);
void rln__duration_histogram_clear(struct rln__duration_histogram *histogram);

#endif
