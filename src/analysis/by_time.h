/* SPDX-License-Identifier: Apache-2.0 */
/* by_time.h - searches what is in the order of time, by halving. */
#ifndef RLN_ANALYSIS_BY_TIME_H
#define RLN_ANALYSIS_BY_TIME_H

#include <stddef.h>
#include <stdint.h>

/* How many items are before `t`. `first_ns` is the time in the first of them, and each
 * has its own in the same place. */
static inline size_t rln__count_before(const int64_t *first_ns, size_t n,
                                       size_t item_bytes, int64_t t)
{
    size_t low = 0, high = n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const char *at = (const char *)first_ns + middle * item_bytes;

        if (*(const int64_t *)(const void *)at < t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many are at `t` or before. */
static inline size_t rln__count_until(const int64_t *first_ns, size_t n,
                                      size_t item_bytes, int64_t t)
{
    return t < INT64_MAX ? rln__count_before(first_ns, n, item_bytes, t + 1) : n;
}

#endif
