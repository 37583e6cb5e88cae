/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/diff/t_test.h"

#include <math.h>

static double mean_of(const double *values, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum / (double)n;
}

static double squares_of(const double *values, size_t n, double mean)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (values[i] - mean) * (values[i] - mean);
    return sum;
}

/* P(|T| >= t) of Student's distribution: Abramowitz and Stegun, 26.7.3 and 26.7.4. */
static double two_sided_p(double t, size_t freedom)
{
    const double angle = atan(t / sqrt((double)freedom));
    const double cosine = cos(angle);
    const int is_odd = freedom % 2 == 1;
    double term = is_odd ? cosine : 1, sum = 0;

    for (size_t i = is_odd ? 3 : 2; i <= freedom; i += 2) {
        sum += term;
        term *= cosine * cosine * (double)(i - 1) / (double)i;
    }
    return is_odd ? 1 - (angle + sin(angle) * sum) / acos(0) : 1 - sin(angle) * sum;
}

/* `share` is the variance of the difference of means, as a multiple of that of one
 * value. */
static double test(const double *a, size_t n_a, const double *b, size_t n_b,
                   double share)
{
    const double mean_a = mean_of(a, n_a), mean_b = mean_of(b, n_b);
    const double squares = squares_of(a, n_a, mean_a) + squares_of(b, n_b, mean_b);
    const double off = fabs(mean_b - mean_a);
    const double error = sqrt(squares / (double)(n_a + n_b - 2) * share);

    if (!(error > 0))
        return off > 0 ? 0 : 1;
    return fmax(0, two_sided_p(off / error, n_a + n_b - 2));
}

double rln__t_test(const double *a, size_t n_a, const double *b, size_t n_b)
{
    return n_a && n_b && n_a + n_b > 2
               ? test(a, n_a, b, n_b, 1 / (double)n_a + 1 / (double)n_b)
               : 1;
}

double rln__stretch_test(const double *a, size_t n_a, const double *b, size_t n_b)
{
    return n_a && n_b && n_a + n_b > 2 ? test(a, n_a, b, n_b, 2) : 1;
}
