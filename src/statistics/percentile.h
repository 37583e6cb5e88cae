/* SPDX-License-Identifier: Apache-2.0 */
/* percentile.h - which of sorted values is a percentile: the least that so many of them
 * do not exceed. */
#ifndef RLN_STATISTICS_PERCENTILE_H
#define RLN_STATISTICS_PERCENTILE_H

#include <stdint.h>

/* The index among n sorted values, n > 0: 94 of 100. */
static inline uint64_t rln__index_of_p95(uint64_t n)
{
    return n - n / 20 - 1;
}

/* The index of the 99.9th. */
static inline uint64_t rln__index_of_p999(uint64_t n)
{
    return n - n / 1000 - 1;
}

#endif
