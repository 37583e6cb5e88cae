/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/duration_histogram.h"
#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N_STEPS (64u * RLN__DURATION_HISTOGRAM_STEPS)

/* Lengths below 32 have a step each; longer ones share it with their neighbors. */
static size_t step_of(uint64_t ns)
{
    const unsigned log = ns ? 63 - (unsigned)__builtin_clzll(ns) : 0;

    return log < 4
               ? (size_t)ns
               : (size_t)(log - 3) * RLN__DURATION_HISTOGRAM_STEPS +
                     (size_t)(ns >> (log - 4) & (RLN__DURATION_HISTOGRAM_STEPS - 1));
}

static uint64_t middle_of(size_t step)
{
    const size_t log = step / RLN__DURATION_HISTOGRAM_STEPS;
    uint64_t ns;

    if (log == 0)
        return step;
    ns = (RLN__DURATION_HISTOGRAM_STEPS + step % RLN__DURATION_HISTOGRAM_STEPS)
         << (log - 1);
    return ns + (((uint64_t)1 << (log - 1)) >> 1);
}

static int count_by_step(struct rln__duration_histogram *l)
{
    uint64_t *counts = rln__alloc(N_STEPS, sizeof(*counts));

    if (!counts)
        return -1;
    for (size_t i = 0; i < l->n; i++)
        counts[step_of(l->items[i])]++;
    rln__free(l->items);
    l->items = counts;
    return 0;
}

int rln__duration_histogram_add(struct rln__duration_histogram *l, uint64_t ns)
{
    if (l->n == RLN__DURATION_HISTOGRAM_EXACT && count_by_step(l))
        return -1;
    if (l->n < RLN__DURATION_HISTOGRAM_EXACT) {
        uint64_t *items =
            rln__grow(l->items, &l->capacity, (size_t)l->n + 1, sizeof(*items));

        if (!items)
            return -1;
        l->items = items;
        items[l->n] = ns;
    } else {
        l->items[step_of(ns)]++;
    }
    l->min_ns = l->n && l->min_ns < ns ? l->min_ns : ns;
    l->max_ns = l->max_ns > ns ? l->max_ns : ns;
    l->n++;
    return 0;
}

int rln__duration_histogram_merge(struct rln__duration_histogram *l,
                                  const struct rln__duration_histogram *other)
{
    if (other->n <= RLN__DURATION_HISTOGRAM_EXACT) {
        for (size_t i = 0; i < other->n; i++) {
            if (rln__duration_histogram_add(l, other->items[i]))
                return -1;
        }
        return 0;
    }
    if (l->n <= RLN__DURATION_HISTOGRAM_EXACT && count_by_step(l))
        return -1;
    for (size_t i = 0; i < N_STEPS; i++)
        l->items[i] += other->items[i];
    l->min_ns = l->n && l->min_ns < other->min_ns ? l->min_ns : other->min_ns;
    l->max_ns = l->max_ns > other->max_ns ? l->max_ns : other->max_ns;
    l->n += other->n;
    return 0;
}

/* --- Reading ---------------------------------------------------------------------- */

struct bars {
    double least, factor_log;
    struct rln__duration_histogram_spread *spread;
};

static void begin_bars(struct bars *b, const struct rln__duration_histogram *l)
{
    const double least = l->min_ns > 1 ? (double)l->min_ns : 1;
    const double most = (double)l->max_ns > least + 1 ? (double)l->max_ns : least + 1;
    const double cache = ceil(sqrt((double)l->n) * 2);
    const size_t n = cache < RLN__DURATION_HISTOGRAM_BARS
                         ? (size_t)cache
                         : RLN__DURATION_HISTOGRAM_BARS;

    b->least = least;
    b->factor_log = log(most / least) / (double)n;
    b->spread->n_bars = n;
    for (size_t i = 0; i < n; i++) {
        b->spread->bars[i].from_ns = least * exp((double)i * b->factor_log);
        b->spread->bars[i].to_ns = least * exp((double)(i + 1) * b->factor_log);
    }
}

static void add_bar(const struct bars *b, uint64_t ns, uint64_t n)
{
    const double far = (double)ns > b->least ? log((double)ns / b->least) : 0;
    const double at = far / b->factor_log;
    const size_t last = b->spread->n_bars - 1;

    b->spread->bars[at < (double)last ? (size_t)at : last].n += n;
}

static int by_length(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* The median of an even number is the mean of the two in the middle. */
static double mean_of(double lower, double upper)
{
    return lower + (upper - lower) / 2;
}

static int spread_exactly(const struct rln__duration_histogram *l, const struct bars *b)
{
    const size_t n = (size_t)l->n;
    uint64_t *sorted = rln__alloc(n, sizeof(*sorted));

    if (!sorted)
        return -1;
    memcpy(sorted, l->items, n * sizeof(*sorted));
    qsort(sorted, n, sizeof(*sorted), by_length);
    b->spread->median_ns = mean_of((double)sorted[(n - 1) / 2], (double)sorted[n / 2]);
    b->spread->p95_ns = sorted[n * 95 / 100];
    for (size_t i = 0; i < n; i++)
        add_bar(b, sorted[i], 1);
    rln__free(sorted);
    return 0;
}

static uint64_t within(const struct rln__duration_histogram *l, uint64_t ns)
{
    ns = ns > l->min_ns ? ns : l->min_ns;
    return ns < l->max_ns ? ns : l->max_ns;
}

static void spread_by_step(const struct rln__duration_histogram *l,
                           const struct bars *b)
{
    const uint64_t middle = l->n / 2, p95 = l->n / 100 * 95 + l->n % 100 * 95 / 100;
    const uint64_t before_middle = (l->n - 1) / 2;
    uint64_t n_before = 0;
    double lower = 0;

    for (size_t i = 0; i < N_STEPS; i++) {
        const uint64_t n = l->items[i], ns = within(l, middle_of(i));

        if (n == 0)
            continue;
        if (n_before <= before_middle && before_middle < n_before + n)
            lower = (double)ns;
        if (n_before <= middle && middle < n_before + n)
            b->spread->median_ns = mean_of(lower, (double)ns);
        if (n_before <= p95 && p95 < n_before + n)
            b->spread->p95_ns = ns;
        add_bar(b, ns, n);
        n_before += n;
    }
}

int rln__duration_histogram_spread(const struct rln__duration_histogram *l,
                                   struct rln__duration_histogram_spread *out)
{
    struct bars bars = {.spread = out};

    memset(out, 0, sizeof(*out));
    if (l->n == 0)
        return 0;
    begin_bars(&bars, l);
    if (l->n <= RLN__DURATION_HISTOGRAM_EXACT)
        return spread_exactly(l, &bars);
    spread_by_step(l, &bars);
    return 0;
}

void rln__duration_histogram_clear(struct rln__duration_histogram *l)
{
    rln__free(l->items);
    memset(l, 0, sizeof(*l));
}
