/* SPDX-License-Identifier: Apache-2.0 */
/* sort_numbers.h - sorts many numbers, several times as fast as qsort(): digit by digit,
 * and only by digits in which they differ. */
#ifndef RLN_STATISTICS_SORT_NUMBERS_H
#define RLN_STATISTICS_SORT_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

/* Without memory for a copy of them, these take longer. */
void rln__sort_lengths(uint64_t *lengths, size_t n);

/* None is NaN; -0 comes before 0. */
void rln__sort_doubles(double *values, size_t n);

#endif
