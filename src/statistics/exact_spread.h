/* SPDX-License-Identifier: Apache-2.0 */
/* exact_spread.h - the exact median and deviation of values, which are all kept, most of
 * them short durations.
 *
 *   blocks --> [16] --> [32] --> ... --> [8192]      four bytes each
 *   counts     one for each value below 65,536       in place of those in blocks, once
 *                                                    there are many
 *   large  --> [8 bytes each]                        those over 4.29 s
 */
#ifndef RLN_STATISTICS_EXACT_SPREAD_H
#define RLN_STATISTICS_EXACT_SPREAD_H

#include <stddef.h>
#include <stdint.h>

#define RLN__N_COUNTS 65536u

struct rln__sample_block {
    struct rln__sample_block *next;
    uint32_t n, capacity;
    uint32_t values[];
};

/* Empty when zeroed. */
struct rln__samples {
    struct rln__sample_block *block; /* owned: the newest; `next` is older */
    uint64_t *counts; /* owned: of each value below RLN__N_COUNTS; or NULL */
    uint64_t *large;  /* owned */
    size_t n_large, large_capacity;
    size_t n;
    int keeps_order; /* they are copied later: none are counted */
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

    if (samples->counts && value < RLN__N_COUNTS)
        samples->counts[value]++;
    else if (value > UINT32_MAX || !block || block->n == block->capacity)
        return rln__samples_add_slow(samples, value);
    else
        block->values[block->n++] = (uint32_t)value;
    samples->n++;
    return 0;
}

/* Takes all of `from`, whose order is lost. 0, or -1 when there is no memory. */
int rln__samples_merge(struct rln__samples *samples, struct rln__samples *from);

/* 0, or -1 when there is no memory. `total` is the sum of all samples. */
int rln__samples_spread(const struct rln__samples *samples, uint64_t total,
                        struct rln__spread *out);
void rln__samples_clear(struct rln__samples *samples);

/* Copies all to `out`, which has room for `samples->n`: in the order in which they were
 * added, but those over 4.29 s last. Only of those that keep it. */
void rln__samples_copy(const struct rln__samples *samples, uint64_t *out);

#endif
