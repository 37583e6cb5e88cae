/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics/mann_whitney.h"
#include "base/alloc.h"
#include "statistics/percentile.h"

#include <math.h>
#include <string.h>

#define FEW 20u

/* --- The whole -------------------------------------------------------------------- */

/* Two sorted sets, merged. */
struct merged {
    double u;    /* pairs in which b is larger; equal ones count half */
    double ties; /* sum of t^3 - t over groups of t equal values */
};

static size_t count_equal(const uint64_t *values, size_t from, size_t n, uint64_t value)
{
    size_t to = from;

    while (to < n && values[to] == value)
        to++;
    return to - from;
}

static struct merged merge(const uint64_t *a, size_t n_a, const uint64_t *b, size_t n_b)
{
    struct merged m = {0};
    size_t i = 0, k = 0;

    while (i < n_a || k < n_b) {
        const uint64_t value = k == n_b || (i < n_a && a[i] <= b[k]) ? a[i] : b[k];
        const size_t of_a = count_equal(a, i, n_a, value);
        const size_t of_b = count_equal(b, k, n_b, value);
        const double t = (double)(of_a + of_b);

        m.u += (double)of_b * ((double)i + (double)of_a / 2);
        m.ties += t * t * t - t;
        i += of_a;
        k += of_b;
    }
    return m;
}

/* ways[i][u]: the number of orders of i values of a and the values of b so far in which
 * the pair count is u. A new value of b above j values of a adds j, so
 *     ways(i, k, u) = ways(i - 1, k, u) + ways(i, k - 1, u - i)
 * and the result is the share of orders with a count of at most `u`. -1 when there is
 * no memory. */
static double share_up_to(size_t n_a, size_t n_b, size_t u)
{
    const size_t n_u = n_a * n_b + 1;
    double *ways = rln__alloc((n_a + 1) * n_u, sizeof(*ways)); /* of one k */
    double below = 0, all = 0;

    if (!ways)
        return -1;
    for (size_t i = 0; i <= n_a; i++)
        ways[i * n_u] = 1; /* k is 0 */
    for (size_t k = 1; k <= n_b; k++) {
        /* Row i still holds k - 1; it becomes k from itself and row i - 1. */
        for (size_t i = 1; i <= n_a; i++) {
            double *row = ways + i * n_u;

            for (size_t v = n_u; v-- > 0;)
                row[v] = v >= i ? row[v - i] : 0;
            for (size_t v = 0; v < n_u; v++)
                row[v] += row[v - n_u];
        }
    }
    for (size_t v = 0; v < n_u; v++) {
        all += ways[n_a * n_u + v];
        below += v <= u ? ways[n_a * n_u + v] : 0;
    }
    rln__free(ways);
    return below / all;
}

static double exact_p(double u, size_t n_a, size_t n_b)
{
    const double pairs = (double)n_a * (double)n_b;
    const double share = share_up_to(n_a, n_b, (size_t)(u < pairs - u ? u : pairs - u));

    return share < 0 ? -1 : fmin(1, 2 * share);
}

static double normal_p(const struct merged *m, double n_a, double n_b)
{
    const double n = n_a + n_b;
    const double variance = n_a * n_b / 12 * (n + 1 - m->ties / (n * (n - 1)));
    const double off = fmax(0, fabs(m->u - n_a * n_b / 2) - 0.5);

    return variance > 0 ? erfc(off / sqrt(2 * variance)) : 1;
}

/* 2 / (n over k), as a product: lgamma() differs between libraries. */
static double least_p(size_t n_a, size_t n_b)
{
    const size_t least = n_a < n_b ? n_a : n_b, most = n_a < n_b ? n_b : n_a;
    double orders = 1;

    for (size_t i = 1; i <= least && orders < 1e290; i++)
        orders *= (double)(most + i) / (double)i;
    return fmin(1, 2 / orders);
}

int rln__mann_whitney(const uint64_t *a, size_t n_a, const uint64_t *b, size_t n_b,
                      struct rln__mann_whitney *out)
{
    const struct merged m = merge(a, n_a, b, n_b);
    const int is_exact = n_a <= FEW && n_b <= FEW && m.ties == 0;

    *out = (struct rln__mann_whitney){.superiority = 0.5, .p = 1, .least_p = 1};
    if (!n_a || !n_b)
        return 0;
    out->superiority = m.u / ((double)n_a * (double)n_b);
    out->least_p = least_p(n_a, n_b);
    out->p = is_exact ? exact_p(m.u, n_a, n_b) : normal_p(&m, (double)n_a, (double)n_b);
    return out->p < 0 ? -1 : 0;
}

/* --- The tail --------------------------------------------------------------------- */

uint64_t rln__percentile_95(const uint64_t *sorted, size_t n)
{
    return n ? sorted[rln__index_of_p95(n)] : 0;
}

static size_t count_above(const uint64_t *sorted, size_t n, uint64_t value)
{
    size_t low = 0, high = n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (sorted[middle] > value)
            high = middle;
        else
            low = middle + 1;
    }
    return n - low;
}

/* Two shares, compared by the normal approximation with their common share. */
void rln__tail_test(const uint64_t *a, size_t n_a, const uint64_t *b, size_t n_b,
                    struct rln__tail_test *out)
{
    const uint64_t limit = rln__percentile_95(a, n_a);
    const double of_a = (double)count_above(a, n_a, limit);
    const double of_b = (double)count_above(b, n_b, limit);
    const double x = (double)n_a, y = (double)n_b;
    const double common = (of_a + of_b) / (x + y);
    const double error = sqrt(common * (1 - common) * (1 / x + 1 / y));

    *out = (struct rln__tail_test){.ratio = 1, .p = 1};
    if (n_a < RLN__TAIL_LEAST || n_b < RLN__TAIL_LEAST || !(error > 0))
        return;
    /* Among many equal values none may be above: then the usual 5 % is assumed. */
    out->ratio = (of_b / y) / (of_a > 0 ? of_a / x : 0.05);
    out->p = erfc(fabs(of_a / x - of_b / y) / error / sqrt(2));
}
