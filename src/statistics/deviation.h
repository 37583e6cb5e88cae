/* SPDX-License-Identifier: Apache-2.0 */
/* deviation.h - the standard deviation, of sums that can be added up in any order. */
#ifndef RLN_STATISTICS_DEVIATION_H
#define RLN_STATISTICS_DEVIATION_H

#include "base/wide_int.h"

#include <stdint.h>

/* The standard deviation of a sample of `n` values with this sum and sum of squares:
 * the same number for the same values, in whatever order and parts they were added. 0
 * for fewer than two. */
double rln__stddev(uint64_t n, uint64_t total, rln__u128 squares);

#endif
