/* SPDX-License-Identifier: Apache-2.0 */
/* median.h - the median of numbers. */
#ifndef RLN_STATISTICS_MEDIAN_H
#define RLN_STATISTICS_MEDIAN_H

#include <stddef.h>

/* Sorts the values; the mean of the middle two if there are two, 0 of none. */
double rln__median(double *values, size_t n);

#endif
