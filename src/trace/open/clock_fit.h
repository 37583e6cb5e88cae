/* SPDX-License-Identifier: Apache-2.0 */
/* clock_fit.h - turns the ticks of a part into nanoseconds (docs/reference/FORMAT.md 8).
 *
 *   ns ^            .         fit points are clock tuples at least 50 ms apart, the
 *      |          o'          best of their neighborhood; between two of them time
 *      |      .-'             is linear, outside of all of them it has the slope
 *      |   o-'                from the first to the last
 *      +-----------------> ticks
 *
 * All arithmetic is in integers, so that every reader gets the same nanosecond:
 *     ns = point.ns + (((ticks - point.ticks) * point.mult) >> 48)
 */
#ifndef RLN_TRACE_OPEN_CLOCK_FIT_H
#define RLN_TRACE_OPEN_CLOCK_FIT_H

#include "base/wide_int.h"
#include "format/layout.h"
#include "trace/open/shift.h"

#include <stddef.h>

#define RLN__MULT_SHIFT 48

struct rln__clock_fit_point {
    uint64_t ticks;
    int64_t ns;
    uint64_t mult;    /* ns per tick, from here to the next point */
    uint64_t n_ticks; /* to the next point, at most 2^48 */
};

struct rln__clock_fit {
    struct rln__clock_fit_point *fit_points; /* owned; at least one once it is built */
    size_t n_fit_points;
    size_t n_outliers;    /* tuples that were left out: most others contradict them */
    int64_t offset_ns;    /* added to CLOCK_MONOTONIC, at most 73 years */
    uint64_t mult_before; /* ns per tick before the first point */
    size_t last_used;     /* index: the next query is likely in the same stretch */
};

/* Builds the fit of `n` tuples, which it sorts. Nanoseconds are those of
 * CLOCK_MONOTONIC plus `offset_ns`. Returns 0, or -1 when there is no memory. */
int rln__clock_fit_build(struct rln__clock_fit *fit, struct rln__clock_tuple *tuples,
                         size_t n, uint64_t ticks_per_s, int64_t offset_ns);
/* Turns it into the fit of another clock. */
void rln__clock_fit_shift(struct rln__clock_fit *fit, const struct rln__shift *shift);
void rln__clock_fit_clear(struct rln__clock_fit *fit);

/* At any distance: results are clamped to 146 years. */
int64_t rln__clock_fit_ns_slow(struct rln__clock_fit *fit, uint64_t ticks);

/* Whether a time is between a point and the next, near enough that nothing overflows. */
static inline int rln__clock_fit_is_after(const struct rln__clock_fit_point *fit_point,
                                          uint64_t ticks)
{
    return ticks - fit_point->ticks < fit_point->n_ticks;
}

static inline int64_t
rln__clock_fit_ns_after(const struct rln__clock_fit_point *fit_point, uint64_t ticks)
{
    const uint64_t distance = ticks - fit_point->ticks;

    return fit_point->ns +
           (int64_t)(((rln__u128)distance * fit_point->mult) >> RLN__MULT_SHIFT);
}

static inline int64_t rln__clock_fit_ns(struct rln__clock_fit *fit, uint64_t ticks)
{
    const struct rln__clock_fit_point *fit_point = &fit->fit_points[fit->last_used];

    return rln__clock_fit_is_after(fit_point, ticks)
               ? rln__clock_fit_ns_after(fit_point, ticks)
               : rln__clock_fit_ns_slow(fit, ticks);
}

/* The same for many times: with a copy of the point of the last one. */
static inline int64_t rln__clock_fit_ns_near(struct rln__clock_fit *fit,
                                             struct rln__clock_fit_point *last,
                                             uint64_t ticks)
{
    int64_t ns;

    if (rln__clock_fit_is_after(last, ticks))
        return rln__clock_fit_ns_after(last, ticks);
    ns = rln__clock_fit_ns_slow(fit, ticks);
    *last = fit->fit_points[fit->last_used];
    return ns;
}

#endif
