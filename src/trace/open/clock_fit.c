/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/open/clock_fit.h"
#include "base/alloc.h"
#include "statistics/sort_numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define APART_NS 50000000 /* between fit points */
#define SLACK_NS 1e7      /* how far a tuple may be off the median's line... */
#define SLACK_RATIO 0.02  /* ...and how much more for each ns of distance */
#define FEW_TUPLES 32
#define NEAR_TICKS ((uint64_t)1 << 48)
#define MAX_MULT ((uint64_t)1 << 60) /* 4096 ns a tick */

/* Damage may claim any time. Real machines stay within these limits, which leave room:
 * fit points, and times 2^48 ticks after them, are below INT64_MAX / 2. */
#define MAX_MONOTONIC_NS ((uint64_t)INT64_MAX / 8) /* 36 years */
#define MAX_OFFSET_NS (INT64_MAX / 4)

static int by_ticks(const void *a, const void *b)
{
    const struct rln__clock_tuple *x = a, *y = b;

    if (x->ticks != y->ticks)
        return x->ticks < y->ticks ? -1 : 1;
    return (x->monotonic_ns > y->monotonic_ns) - (x->monotonic_ns < y->monotonic_ns);
}

/* Drops invalid tuples, and sorts. */
static size_t keep_plausible(struct rln__clock_tuple *tuples, size_t n)
{
    size_t n_kept = 0;

    for (size_t i = 0; i < n; i++) {
        if (tuples[i].ticks && tuples[i].monotonic_ns &&
            tuples[i].monotonic_ns <= MAX_MONOTONIC_NS)
            tuples[n_kept++] = tuples[i];
    }
    if (n_kept)
        qsort(tuples, n_kept, sizeof(*tuples), by_ticks);
    return n_kept;
}

/* The median of the slopes between tuples: a tuple put anywhere by damage or an
 * interruption does not move it. Of few tuples all pairs count, of many only those half
 * the list apart. 0 if there is none. */
static double median_slope(const struct rln__clock_tuple *tuples, size_t n,
                           double *scratch)
{
    const size_t least = n > FEW_TUPLES ? n / 2 : 1;
    const size_t most = n > FEW_TUPLES ? n / 2 : n;
    size_t n_slopes = 0;

    for (size_t apart = least; apart <= most; apart++) {
        for (size_t i = 0; i + apart < n; i++) {
            const struct rln__clock_tuple *a = &tuples[i], *b = &tuples[i + apart];

            if (b->ticks > a->ticks && b->monotonic_ns > a->monotonic_ns)
                scratch[n_slopes++] = (double)(b->monotonic_ns - a->monotonic_ns) /
                                      (double)(b->ticks - a->ticks);
        }
    }
    if (!n_slopes)
        return 0;
    rln__sort_doubles(scratch, n_slopes);
    return scratch[n_slopes / 2];
}

/* Drops tuples that lie far from the line on which most lie. */
static size_t drop_outliers(struct rln__clock_tuple *tuples, size_t n, double slope,
                            double *scratch)
{
    const uint64_t ticks0 = tuples[n / 2].ticks;
    size_t n_kept = 0;
    double middle;

    for (size_t i = 0; i < n; i++)
        scratch[i] = (double)tuples[i].monotonic_ns -
                     slope * ((double)tuples[i].ticks - (double)ticks0);
    rln__sort_doubles(scratch, n);
    middle = scratch[n / 2];
    for (size_t i = 0; i < n; i++) {
        const double distance = slope * ((double)tuples[i].ticks - (double)ticks0);
        const double off = (double)tuples[i].monotonic_ns - distance - middle;

        if (fabs(off) <= SLACK_NS + SLACK_RATIO * fabs(distance))
            tuples[n_kept++] = tuples[i];
    }
    return n_kept;
}

/* Among tuples less than 50 ms apart, keeps the one that was read in the narrowest
 * window. Moves those kept to the front, and returns how many there are. */
static size_t choose_fit_points(struct rln__clock_tuple *t, size_t n)
{
    size_t k = 1;

    for (size_t i = 1; i < n; i++) {
        struct rln__clock_tuple *last = &t[k - 1];

        if (t[i].ticks <= last->ticks || t[i].monotonic_ns <= last->monotonic_ns)
            continue;
        if (t[i].monotonic_ns - last->monotonic_ns >= APART_NS)
            t[k++] = t[i];
        else if (k > 1 && t[i].uncertainty_ticks < last->uncertainty_ticks)
            *last = t[i];
    }
    return k;
}

static uint64_t mult_between(const struct rln__clock_tuple *a,
                             const struct rln__clock_tuple *b)
{
    const rln__i128 ns = (rln__i128)(b->monotonic_ns - a->monotonic_ns);
    const rln__i128 mult = (ns << RLN__MULT_SHIFT) / (rln__i128)(b->ticks - a->ticks);

    return mult > (rln__i128)MAX_MULT ? MAX_MULT : (uint64_t)mult;
}

/* The slope if there is only one fit point. */
static uint64_t lone_mult(const struct rln__clock_tuple *tuples, size_t n,
                          uint64_t ticks_per_s)
{
    const struct rln__clock_tuple second = {ticks_per_s, 1000000000, 0, 0};
    const struct rln__clock_tuple zero = {0, 0, 0, 0};

    if (ticks_per_s)
        return mult_between(&zero, &second);
    if (n > 1 && tuples[n - 1].ticks > tuples[0].ticks &&
        tuples[n - 1].monotonic_ns > tuples[0].monotonic_ns)
        return mult_between(&tuples[0], &tuples[n - 1]);
    return (uint64_t)1 << RLN__MULT_SHIFT;
}

static int fill(struct rln__clock_fit *fit, const struct rln__clock_tuple *t, size_t n,
                uint64_t mult, int64_t offset_ns)
{
    struct rln__clock_fit_point *fit_points = rln__alloc(n, sizeof(*fit_points));

    if (!fit_points)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const int is_last = i + 1 == n;

        fit_points[i].ticks = t[i].ticks;
        fit_points[i].ns = (int64_t)t[i].monotonic_ns + offset_ns;
        fit_points[i].mult = is_last ? mult : mult_between(&t[i], &t[i + 1]);
        fit_points[i].n_ticks = is_last ? NEAR_TICKS : t[i + 1].ticks - t[i].ticks;
        if (fit_points[i].n_ticks > NEAR_TICKS)
            fit_points[i].n_ticks = NEAR_TICKS;
    }
    rln__clock_fit_clear(fit);
    fit->fit_points = fit_points;
    fit->n_fit_points = n;
    fit->mult_before = mult;
    fit->offset_ns = offset_ns;
    return 0;
}

int rln__clock_fit_build(struct rln__clock_fit *fit, struct rln__clock_tuple *tuples,
                         size_t n, uint64_t ticks_per_s, int64_t offset_ns)
{
    const struct rln__clock_tuple zero = {0, 0, 0, 0};
    double *scratch = rln__alloc(n + FEW_TUPLES * FEW_TUPLES, sizeof(*scratch));
    size_t n_plausible;
    uint64_t mult;
    double slope;
    int status;

    if (!scratch)
        return -1;
    n = n_plausible = keep_plausible(tuples, n);
    if (offset_ns > MAX_OFFSET_NS || offset_ns < -MAX_OFFSET_NS)
        offset_ns = offset_ns < 0 ? -MAX_OFFSET_NS : MAX_OFFSET_NS;
    slope = ticks_per_s ? 1e9 / (double)ticks_per_s : median_slope(tuples, n, scratch);
    if (n && slope > 0)
        n = drop_outliers(tuples, n, slope, scratch);
    mult = lone_mult(tuples, n, ticks_per_s);
    if (n == 0) {
        status = fill(fit, &zero, 1, mult, 0);
    } else {
        const size_t n_fit_points = choose_fit_points(tuples, n);

        if (n_fit_points > 1)
            mult = mult_between(&tuples[0], &tuples[n_fit_points - 1]);
        status = fill(fit, tuples, n_fit_points, mult, offset_ns);
    }
    fit->n_outliers = n_plausible - n;
    rln__free(scratch);
    return status;
}

int64_t rln__clock_fit_ns_slow(struct rln__clock_fit *fit, uint64_t ticks)
{
    size_t low = 0, high = fit->n_fit_points;
    const struct rln__clock_fit_point *fit_point;
    uint64_t mult;
    rln__i128 ns;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;

        if (fit->fit_points[middle].ticks <= ticks)
            low = middle;
        else
            high = middle;
    }
    fit->last_used = low;
    fit_point = &fit->fit_points[low];
    mult = ticks < fit_point->ticks ? fit->mult_before : fit_point->mult;
    ns = fit_point->ns +
         ((((rln__i128)ticks - (rln__i128)fit_point->ticks) * (rln__i128)mult) >>
          RLN__MULT_SHIFT);
    if (ns > INT64_MAX / 2)
        return INT64_MAX / 2;
    if (ns < INT64_MIN / 2)
        return INT64_MIN / 2;
    return (int64_t)ns;
}

/* Limits a shifted fit point to what is possible without a shift: see the limits above.
 */
static int64_t clamp_fit_point(int64_t ns)
{
    const int64_t most = MAX_OFFSET_NS + (int64_t)MAX_MONOTONIC_NS;

    return ns > most ? most : ns < -most ? -most : ns;
}

static uint64_t faster(uint64_t mult, double rate)
{
    return mult + (uint64_t)(int64_t)((double)mult * rate);
}

void rln__clock_fit_shift(struct rln__clock_fit *fit, const struct rln__shift *shift)
{
    for (size_t i = 0; i < fit->n_fit_points; i++) {
        struct rln__clock_fit_point *fit_point = &fit->fit_points[i];

        fit_point->ns =
            clamp_fit_point(fit_point->ns + rln__shift_at(shift, fit_point->ns));
        fit_point->mult = faster(fit_point->mult, shift->rate);
    }
    fit->mult_before = faster(fit->mult_before, shift->rate);
    fit->offset_ns += shift->by_ns;
}

void rln__clock_fit_clear(struct rln__clock_fit *fit)
{
    rln__free(fit->fit_points);
    memset(fit, 0, sizeof(*fit));
}
