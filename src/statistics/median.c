/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics/median.h"
#include "statistics/sort_numbers.h"

double rln__median(double *values, size_t n)
{
    if (!n)
        return 0;
    rln__sort_doubles(values, n);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}
