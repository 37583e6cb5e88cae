/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/trend.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "statistics/median.h"

#define N RLN__TREND_BLOCKS

static int cut(const struct rln__track *track, struct rln__trend *t)
{
    const size_t n = track->n - track->n_warm_up;
    double *values = rln__alloc(n + 1, sizeof(*values));

    if (!values)
        return -1;
    for (size_t b = 0; b <= N; b++)
        t->first[b] = track->n_warm_up + n * b / N;
    for (size_t b = 0; b < N; b++) {
        const size_t n_calls = t->first[b + 1] - t->first[b];

        for (size_t i = 0; i < n_calls; i++)
            values[i] = track->calls[t->first[b] + i].ns;
        t->medians[b] = rln__median(values, n_calls);
    }
    rln__free(values);
    return 0;
}

static double median_of(const double *values, size_t n)
{
    double copy[N];

    memcpy(copy, values, n * sizeof(*copy));
    return rln__median(copy, n);
}

static double error_of(const double *values, size_t n, double level)
{
    double error = 0;

    for (size_t i = 0; i < n; i++)
        error += fabs(values[i] - level);
    return error;
}

/* Returns the error. */
static double fit_line(struct rln__trend *t)
{
    double slopes[N * (N - 1) / 2], at_start[N], error = 0;
    double n_rising = 0; /* a tie, as on a stair, is half a rise */
    size_t n = 0;

    for (size_t i = 0; i < N; i++)
        for (size_t k = i + 1; k < N; k++) {
            slopes[n] = (t->medians[k] - t->medians[i]) / (double)(k - i);
            n_rising += slopes[n] > 0 ? 1 : slopes[n] < 0 ? 0 : 0.5;
            n++;
        }
    t->slope = rln__median(slopes, n);
    t->agreement = n_rising / (double)n;
    for (size_t i = 0; i < N; i++)
        at_start[i] = t->medians[i] - t->slope * (double)i;
    t->start = rln__median(at_start, N);
    t->rise = t->start > 0 ? t->slope * (N - 1) / t->start : 0;
    for (size_t i = 0; i < N; i++)
        error += fabs(t->medians[i] - t->start - t->slope * (double)i);
    return error;
}

/* Returns the error. The last level has two blocks at least: one is an outlier. */
static double fit_levels(struct rln__trend *t)
{
    double best = INFINITY;

    for (size_t k = 1; k + 2 <= N; k++) {
        const double before = median_of(t->medians, k);
        const double after = median_of(t->medians + k, N - k);
        const double error =
            error_of(t->medians, k, before) + error_of(t->medians + k, N - k, after);

        if (error >= best)
            continue;
        best = error;
        t->split = k;
        t->before = before;
        t->after = after;
    }
    return best;
}

int rln__trend_read(const struct rln__track *track, struct rln__trend *out)
{
    double line;

    memset(out, 0, sizeof(*out));
    if (cut(track, out))
        return -1;
    line = fit_line(out);
    out->is_line = line < fit_levels(out);
    return 0;
}
