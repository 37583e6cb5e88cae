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

/* P(|T| >= t) of Student's distribution: Abramowitz and Stegun, 26.7.3 and 26.7.4. By
 * the angle's tangent: sin(), cos() and tan() differ between libraries. */
static double two_sided_p(double t, size_t freedom)
{
    const double tangent = t / sqrt((double)freedom);
    const double cosine = 1 / sqrt(1 + tangent * tangent);
    const double sine = cosine > 0 ? tangent * cosine : 1;
    const int is_odd = freedom % 2 == 1;
    double term = is_odd ? cosine : 1, sum = 0;

    for (size_t i = is_odd ? 3 : 2; i <= freedom; i += 2) {
        sum += term;
        term *= cosine * cosine * (double)(i - 1) / (double)i;
    }
    return is_odd ? 1 - (atan(tangent) + sine * sum) / acos(0) : 1 - sine * sum;
}

/* How far apart the means are, b's less a's, and what the standard error of that is.
 * `share` is the variance of the difference of means, as a multiple of that of one
 * value, which has a deviation of at least `spread`. */
struct apart {
    double off, error;
    size_t freedom;
};

static struct apart apart(const double *a, size_t n_a, const double *b, size_t n_b,
                          double share, double spread)
{
    const double mean_a = mean_of(a, n_a), mean_b = mean_of(b, n_b);
    const double squares = squares_of(a, n_a, mean_a) + squares_of(b, n_b, mean_b);
    const size_t freedom = n_a + n_b - 2;
    const double variance = fmax(squares / (double)freedom, spread * spread);

    return (struct apart){mean_b - mean_a, sqrt(variance * share), freedom};
}

static double p_of(struct apart x)
{
    if (!(x.error > 0))
        return fabs(x.off) > 0 ? 0 : 1;
    return fmax(0, two_sided_p(fabs(x.off) / x.error, x.freedom));
}

static int has_enough(size_t n_a, size_t n_b)
{
    return n_a && n_b && n_a + n_b > 2;
}

/* The t of which that is the p, found between 0 and infinity by halving t / (t + 1). */
static double t_of(double p, size_t freedom)
{
    double least = 0, most = 1;

    for (int i = 0; i < 50; i++) {
        const double middle = (least + most) / 2;

        *(two_sided_p(middle / (1 - middle), freedom) > p ? &least : &most) = middle;
    }
    return least / (1 - least);
}

static double share_of_means(size_t n_a, size_t n_b)
{
    return 1 / (double)n_a + 1 / (double)n_b;
}

double rln__t_test(const double *a, size_t n_a, const double *b, size_t n_b,
                   double spread)
{
    return has_enough(n_a, n_b)
               ? p_of(apart(a, n_a, b, n_b, share_of_means(n_a, n_b), spread))
               : 1;
}

void rln__t_bounds(const double *a, size_t n_a, const double *b, size_t n_b,
                   double spread, double p, double *least, double *most)
{
    struct apart x;
    double reach;

    *least = *most = NAN;
    if (!has_enough(n_a, n_b))
        return;
    x = apart(a, n_a, b, n_b, share_of_means(n_a, n_b), spread);
    reach = x.error * t_of(p, x.freedom);
    *least = x.off - reach;
    *most = x.off + reach;
}

double rln__stretch_test(const double *a, size_t n_a, const double *b, size_t n_b)
{
    return has_enough(n_a, n_b) ? p_of(apart(a, n_a, b, n_b, 2, 0)) : 1;
}
