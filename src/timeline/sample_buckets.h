/* SPDX-License-Identifier: Apache-2.0 */
/* sample_buckets.h - the samples of one counter, at a resolution that fits memory: like
 * range_buckets.h, for numbers. */
#ifndef RLN_TIMELINE_SAMPLE_BUCKETS_H
#define RLN_TIMELINE_SAMPLE_BUCKETS_H

#include <stddef.h>
#include <stdint.h>

/* One sample, or several: the last value, and their bounds. */
struct rln__sample_bucket {
    int64_t first_ns, last_ns;
    double value, least, most; /* none: NaN */
    double change; /* the sum of all, for counters whose values are changes */
    uint32_t n;
};

struct rln__sample_buckets {
    struct rln__sample_bucket *items; /* owned */
    size_t n, capacity;
    uint8_t is_unsorted; /* some came late */
};

/* Of two, the smaller and the larger one; a number if one is NaN. If they are equal, as
 * 0 and -0 are, the first: that of fmin() depends on the library. */
static inline double rln__least_value(double a, double b)
{
    return b < a || a != a ? b : a;
}

static inline double rln__most_value(double a, double b)
{
    return b > a || a != a ? b : a;
}

/* 0, or -1: no memory. */
int rln__sample_buckets_add(struct rln__sample_buckets *sample_buckets,
                            const struct rln__sample_bucket *sample_bucket,
                            int64_t resolution_ns);
void rln__sample_buckets_coarsen(struct rln__sample_buckets *sample_buckets,
                                 int64_t resolution_ns);

/* Call when all is added, if values are changes: adds them up to levels. */
void rln__sample_buckets_add_up(struct rln__sample_buckets *sample_buckets);

/* The last bucket that begins before a time, or 0: its value may still apply then. */
size_t rln__sample_buckets_from(struct rln__sample_buckets *sample_buckets, int64_t ns);

/* As rln__range_buckets_next(); also returns one bucket after `to_ns`, for lines that
 * lead there. */
int rln__sample_buckets_next(const struct rln__sample_buckets *sample_buckets,
                             size_t *at, int64_t to_ns, int64_t pixel_ns,
                             struct rln__sample_bucket *out);
void rln__sample_buckets_clear(struct rln__sample_buckets *sample_buckets);

#endif
