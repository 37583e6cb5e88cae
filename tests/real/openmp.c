/* SPDX-License-Identifier: Apache-2.0 */
/* openmp.c - seven parallel regions of OpenMP, at two places. */
#include <stdio.h>

static double sum_to(int n)
{
    double sum = 0;

#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += i;
    return sum;
}

int main(void)
{
    double sum = 0;

    for (int i = 0; i < 6; i++)
        sum += sum_to(1000);
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
        sum += 1;
    }
    (void)printf("%.0f\n", sum);
    return 0;
}
