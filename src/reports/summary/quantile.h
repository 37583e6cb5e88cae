/* SPDX-License-Identifier: Apache-2.0 */
/* quantile.h - all durations of a name, for an exact median.
 *
 *   blocks --> [16] --> [32] --> ... --> [8192]      four bytes per duration
 *   large  --> [8 bytes each]                        those over 4.29 s
 */
#ifndef RLN_REPORTS_SUMMARY_QUANTILE_H
#define RLN_REPORTS_SUMMARY_QUANTILE_H

#include "base/wide_int.h"

#include <stddef.h>
#include <stdint.h>

struct rln__sample_block {
    struct rln__sample_block *next;
    uint32_t n, capacity;
    uint32_t values[];
};

struct rln__samples {
    struct rln__sample_block *block; /* owned: the newest; `next` is older */
    uint64_t *large;                 /* owned */
    size_t n_large, large_capacity;
    size_t n;
};

struct rln__spread {
    double average;
    double median;
    double stddev; /* of a sample */
};

/* Makes room and adds. 0, or -1 when there is no memory. */
int rln__samples_add_slow(struct rln__samples *samples, uint64_t value);

static inline int rln__samples_add(struct rln__samples *samples, uint64_t value)
{
    struct rln__sample_block *block = samples->block;

    if (value > UINT32_MAX || !block || block->n == block->capacity)
        return rln__samples_add_slow(samples, value);
    block->values[block->n++] = (uint32_t)value;
    samples->n++;
    return 0;
}

/* 0, or -1 when there is no memory. `total` is the sum of all samples. */
int rln__samples_spread(const struct rln__samples *samples, uint64_t total,
                        struct rln__spread *out);
void rln__samples_clear(struct rln__samples *samples);

/* The standard deviation of a sample of `n` values with this sum and sum of squares:
 * the same number for the same values, in whatever order and parts they were added. 0
 * for fewer than two. */
double rln__stddev(uint64_t n, uint64_t total, rln__u128 squares);

/* Copies all to `out`, which has room for `samples->n`: in the order in which they were
 * added, but those over 4.29 s last. */
void rln__samples_copy(const struct rln__samples *samples, uint64_t *out);

/* The item at `rank` if `values` were sorted; reorders them. */
uint64_t rln__select(uint64_t *values, size_t n, size_t rank);

#endif
