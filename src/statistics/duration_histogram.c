/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics/duration_histogram.h"
#include "base/alloc.h"
#include "base/wide_int.h"
#include "statistics/percentile.h"
#include "statistics/root.h"
#include "statistics/sort_numbers.h"

#include <math.h>
#include <string.h>

#define STEPS RLN__DURATION_HISTOGRAM_STEPS

/* The least length of a step, and how many lengths it has. */
static uint64_t least_of(size_t step, uint64_t *width)
{
    const size_t log = step / STEPS;

    *width = log == 0 ? 1 : (uint64_t)1 << (log - 1);
    return log == 0 ? step : (uint64_t)(STEPS + step % STEPS) << (log - 1);
}

static uint64_t middle_of(size_t step)
{
    uint64_t width;
    const uint64_t least = least_of(step, &width);

    return least + (width >> 1);
}

/* Makes room for a step, with some more on that side: those of a name are near to each
 * other. */
static int cover(struct rln__duration_histogram *l, uint32_t step)
{
    const uint32_t last = l->first_step + l->n_steps;
    uint32_t first = l->first_step, end = last;
    uint64_t *counts;

    if (l->n_steps && step >= first && step < last)
        return 0;
    if (!l->n_steps || step < first)
        first = step / STEPS * STEPS;
    if (!l->n_steps || step >= last)
        end = (step / STEPS + 1) * STEPS;
    counts = rln__alloc(end - first, sizeof(*counts));
    if (!counts)
        return -1;
    if (l->n_steps)
        memcpy(counts + (l->first_step - first), l->items,
               l->n_steps * sizeof(*counts));
    rln__free(l->items);
    l->items = counts;
    l->first_step = first;
    l->n_steps = end - first;
    return 0;
}

int rln__duration_histogram_count(struct rln__duration_histogram *l, uint32_t step,
                                  uint64_t n)
{
    if (cover(l, step))
        return -1;
    l->items[step - l->first_step] += n;
    return 0;
}

/* Turns each length into counts. */
static int count_by_step(struct rln__duration_histogram *l)
{
    struct rln__duration_histogram counts = {
        .n = l->n, .min_ns = l->min_ns, .max_ns = l->max_ns};
    int failed = 0;

    for (size_t i = 0; i < l->n && !failed; i++)
        failed = rln__duration_histogram_count(
            &counts, rln__duration_histogram_step(l->items[i]), 1);
    rln__free(failed ? counts.items : l->items);
    if (failed)
        return -1;
    *l = counts;
    return 0;
}

static int keep(struct rln__duration_histogram *l, uint64_t ns)
{
    uint64_t *items =
        rln__grow(l->items, &l->capacity, (size_t)l->n + 1, sizeof(*items));

    if (!items)
        return -1;
    l->items = items;
    items[l->n] = ns;
    return 0;
}

int rln__duration_histogram_add_slow(struct rln__duration_histogram *l, uint64_t ns)
{
    if (l->n == RLN__DURATION_HISTOGRAM_EXACT && count_by_step(l))
        return -1;
    if (l->n < RLN__DURATION_HISTOGRAM_EXACT
            ? keep(l, ns)
            : rln__duration_histogram_count(l, rln__duration_histogram_step(ns), 1))
        return -1;
    l->min_ns = l->n && l->min_ns < ns ? l->min_ns : ns;
    l->max_ns = l->max_ns > ns ? l->max_ns : ns;
    l->n++;
    return 0;
}

void rln__duration_histogram_forget(struct rln__duration_histogram *l)
{
    rln__free(l->items);
    l->items = NULL;
    l->capacity = 0;
    l->first_step = l->n_steps = 0;
}

static int is_forgotten(const struct rln__duration_histogram *l)
{
    return l->n && !l->items;
}

static void add_bounds(struct rln__duration_histogram *l,
                       const struct rln__duration_histogram *other)
{
    if (!other->n)
        return;
    l->min_ns = l->n && l->min_ns < other->min_ns ? l->min_ns : other->min_ns;
    l->max_ns = l->max_ns > other->max_ns ? l->max_ns : other->max_ns;
    l->n += other->n;
}

int rln__duration_histogram_merge(struct rln__duration_histogram *l,
                                  const struct rln__duration_histogram *other)
{
    if (is_forgotten(l) || is_forgotten(other)) {
        add_bounds(l, other);
        rln__duration_histogram_forget(l);
        return 0;
    }
    if (rln__duration_histogram_is_exact(other)) {
        for (size_t i = 0; i < other->n; i++) {
            if (rln__duration_histogram_add(l, other->items[i]))
                return -1;
        }
        return 0;
    }
    if (rln__duration_histogram_is_exact(l) && count_by_step(l))
        return -1;
    for (uint32_t i = 0; i < other->n_steps; i++) {
        if (other->items[i] &&
            rln__duration_histogram_count(l, other->first_step + i, other->items[i]))
            return -1;
    }
    add_bounds(l, other);
    return 0;
}

/* --- Reading ---------------------------------------------------------------------- */

/* Their bounds; all are empty. */
static void begin_bars(struct rln__duration_histogram_spread *spread,
                       const struct rln__duration_histogram *l)
{
    const double least = l->min_ns > 1 ? (double)l->min_ns : 1;
    const double most = (double)l->max_ns > least + 1 ? (double)l->max_ns : least + 1;
    const double enough = ceil(sqrt((double)l->n) * 2);
    const unsigned n = enough < RLN__DURATION_HISTOGRAM_BARS
                           ? (unsigned)enough
                           : RLN__DURATION_HISTOGRAM_BARS;
    const double factor = rln__root(most / least, n);
    double bound = least;

    spread->n_bars = n;
    for (size_t i = 0; i < n; i++) {
        spread->bars[i].from_ns = bound;
        bound = i + 1 < n ? bound * factor : most;
        spread->bars[i].to_ns = bound;
    }
}

static void add_bar(struct rln__duration_histogram_spread *spread, uint64_t ns,
                    uint64_t n)
{
    size_t at = 0;

    while (at + 1 < spread->n_bars && (double)ns >= spread->bars[at].to_ns)
        at++;
    spread->bars[at].n += n;
}

/* The median of an even number is the mean of the two in the middle. */
static double mean_of(double lower, double upper)
{
    return (lower + upper) / 2;
}

void rln__duration_histogram_sort(struct rln__duration_histogram *l)
{
    rln__sort_lengths(l->items, (size_t)l->n);
}

static uint64_t within(const struct rln__duration_histogram *l, uint64_t ns)
{
    ns = ns > l->min_ns ? ns : l->min_ns;
    return ns < l->max_ns ? ns : l->max_ns;
}

/* A sorted copy; NULL: no memory. */
static uint64_t *sort_copy(const struct rln__duration_histogram *l)
{
    uint64_t *sorted = rln__alloc((size_t)l->n, sizeof(*sorted));

    if (!sorted)
        return NULL;
    memcpy(sorted, l->items, (size_t)l->n * sizeof(*sorted));
    rln__sort_lengths(sorted, (size_t)l->n);
    return sorted;
}

/* The length at `rank`, in the middle of its step. */
static uint64_t at_rank(const struct rln__duration_histogram *l, uint64_t rank)
{
    uint64_t n_before = 0;
    uint32_t i = 0;

    while (i + 1 < l->n_steps && n_before + l->items[i] <= rank)
        n_before += l->items[i++];
    return within(l, middle_of(l->first_step + i));
}

int rln__duration_histogram_median(const struct rln__duration_histogram *l, double *out)
{
    const uint64_t lower = l->n ? (l->n - 1) / 2 : 0, upper = l->n / 2;
    uint64_t *sorted;

    *out = 0;
    if (l->n == 0)
        return 0;
    if (!rln__duration_histogram_is_exact(l)) {
        *out = mean_of((double)at_rank(l, lower), (double)at_rank(l, upper));
        return 0;
    }
    sorted = sort_copy(l);
    if (!sorted)
        return -1;
    *out = mean_of((double)sorted[lower], (double)sorted[upper]);
    rln__free(sorted);
    return 0;
}

/* The length at `rank`, of which `before` are below its step: those of a step are
 * spread evenly over it, so that medians of many do not jump from step to step. */
static uint64_t spread_out(const struct rln__duration_histogram *l, uint32_t step,
                           uint64_t rank, uint64_t before)
{
    uint64_t width;
    const uint64_t least = least_of(l->first_step + step, &width);
    const double share = ((double)(rank - before) + 0.5) / (double)l->items[step];

    return within(l, least + (uint64_t)(share * (double)width));
}

uint64_t *rln__duration_histogram_lengths(const struct rln__duration_histogram *l,
                                          size_t most, size_t *n)
{
    uint64_t *lengths, before = 0;
    uint32_t step = 0;

    *n = l->n < most ? (size_t)l->n : most;
    if (rln__duration_histogram_is_exact(l) && l->n <= most)
        return sort_copy(l);
    lengths = rln__alloc(*n, sizeof(*lengths));
    for (size_t i = 0; i < *n && lengths; i++) {
        const uint64_t rank = (uint64_t)((rln__u128)l->n * i / *n);

        while (step + 1 < l->n_steps && before + l->items[step] <= rank)
            before += l->items[step++];
        lengths[i] = spread_out(l, step, rank, before);
    }
    return lengths;
}

static int spread_exactly(const struct rln__duration_histogram *l,
                          struct rln__duration_histogram_spread *out)
{
    const size_t n = (size_t)l->n;
    uint64_t *sorted = sort_copy(l);

    if (!sorted)
        return -1;
    out->median_ns = mean_of((double)sorted[(n - 1) / 2], (double)sorted[n / 2]);
    out->p95_ns = sorted[rln__index_of_p95(n)];
    for (size_t i = 0; i < n; i++)
        add_bar(out, sorted[i], 1);
    rln__free(sorted);
    return 0;
}

static void spread_by_step(const struct rln__duration_histogram *l,
                           struct rln__duration_histogram_spread *out)
{
    (void)rln__duration_histogram_median(l, &out->median_ns); /* needs no memory */
    out->p95_ns = at_rank(l, rln__index_of_p95(l->n));
    for (uint32_t i = 0; i < l->n_steps; i++) {
        if (l->items[i])
            add_bar(out, within(l, middle_of(l->first_step + i)), l->items[i]);
    }
}

int rln__duration_histogram_spread(const struct rln__duration_histogram *l,
                                   struct rln__duration_histogram_spread *out)
{
    memset(out, 0, sizeof(*out));
    if (!l->items)
        return 0;
    begin_bars(out, l);
    if (rln__duration_histogram_is_exact(l))
        return spread_exactly(l, out);
    spread_by_step(l, out);
    return 0;
}

void rln__duration_histogram_clear(struct rln__duration_histogram *l)
{
    rln__free(l->items);
    memset(l, 0, sizeof(*l));
}
