/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics/deviation.h"

#include <math.h>

/* With the mean q + r / n, the squares of the distances from q are whole numbers: their
 * sum is S - 2qT + nq^2, which is correct modulo 2^128. From the mean, they sum up to
 * r^2 / n less. */
double rln__stddev(uint64_t n, uint64_t total, rln__u128 squares)
{
    const uint64_t q = n ? total / n : 0, r = n ? total % n : 0;
    const rln__u128 from_q = squares - 2 * (rln__u128)q * total + (rln__u128)q * q * n;

    if (n < 2)
        return 0;
    return sqrt(((double)from_q - (double)r * (double)r / (double)n) / (double)(n - 1));
}
