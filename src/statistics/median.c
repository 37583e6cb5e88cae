/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics/median.h"

#include <stdlib.h>

int rln__compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double rln__median(double *values, size_t n)
{
    if (!n)
        return 0;
    qsort(values, n, sizeof(*values), rln__compare_doubles);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}
