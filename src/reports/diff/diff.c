/* SPDX-License-Identifier: Apache-2.0 */
/* diff.c - decides which rows differ.
 *
 * A change must pass two tests: over all calls, it must exceed how much the calls of a
 * run differ; over runs, how much the runs of one side do (t_test.h). With one run per
 * side, the latter is unknown. Each run is then cut into stretches of time, which at
 * least tells a change from a program that alternates between slow and fast; a cause
 * that affects a whole run but not the next still looks like a change. Sums cannot be
 * cut: with one run per side, a change from or to them is never sure.
 */
#include "reports/diff/diff.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "reports/diff/diff_rows.h"
#include "reports/diff/t_test.h"
#include "statistics/mann_whitney.h"
#include "statistics/select.h"
#include "statistics/sort_numbers.h"

#include <math.h>
#include <string.h>

/* The tests use at most this many durations of a side; RLN__DIFF_MIDDLE and _TAIL
 * explain the other limits. */
#define MOST_TESTED 200000u
#define CHANCE 0.01
#define UNSURE 0.1 /* below, a change between runs is neither found nor excluded */
#define LEAST_EFFECT 0.06
#define TAIL_MORE 1.5
#define STRETCHES                                                                      \
    10u /* of one run: so long that what slows it down for a while shows */
#define LEAST_NS                                                                       \
    50 /* recording itself takes as long: less is no change of the program */
#define LEAST_ROUGH 0.008
/* Time on a processor, by the switches, is within 1 to 2 % of what threads' clocks say. */
#define LEAST_ON_PROCESSOR 0.02
/* Rounded to within 0.4 %, medians of several runs may be the same: the standard
 * deviation of that, if anything within is as likely. */
#define ROUGH_SPREAD (0.004 / M_LN2 / sqrt(3)) /* of logarithms */

enum { BEFORE = RLN__DIFF_BEFORE, AFTER = RLN__DIFF_AFTER, N_SIDES };

/* --- The tests -------------------------------------------------------------------- */

/* All durations of a side, run by run, and how many each run has: both owned. */
struct copied {
    uint64_t *values;
    size_t *n;
};

static int copy(const struct rln__diff *d, const struct rln__diff_runs *runs,
                struct copied *out)
{
    size_t n = 0, at = 0;

    out->values = rln__alloc(runs->n_samples, sizeof(*out->values));
    out->n = rln__alloc(runs->n_runs, sizeof(*out->n));
    if (!out->values || !out->n)
        return -1;
    for (uint32_t i = runs->first; i; i = d->runs[i - 1].next) {
        rln__samples_copy(&d->runs[i - 1].samples, out->values + at);
        at += out->n[n++] = d->runs[i - 1].samples.n;
    }
    return 0;
}

/* The input of the second test: for each run or, with one run per side, for each
 * stretch of it, the median and the share that is longer than `limit`. Medians are
 * logarithms, to base 2: what slows a run down multiplies its durations, and one slow
 * run must not hide that all are slower. */
struct parted {
    double *medians, *shares; /* owned */
    size_t n;
};

static int part(const struct copied *c, const struct rln__diff_runs *runs,
                int into_stretches, uint64_t limit, struct parted *out)
{
    const size_t n_stretches =
        runs->n_samples < STRETCHES ? runs->n_samples : (size_t)STRETCHES;
    uint64_t *from = c->values;

    out->n = into_stretches ? n_stretches : runs->n_runs;
    out->medians = rln__alloc(out->n, sizeof(*out->medians));
    out->shares = rln__alloc(out->n, sizeof(*out->shares));
    if (!out->medians || !out->shares)
        return -1;
    for (size_t i = 0; i < out->n; i++) {
        const size_t n = into_stretches ? (i + 1) * runs->n_samples / out->n -
                                              i * runs->n_samples / out->n
                                        : c->n[i];
        size_t n_above = 0;

        for (size_t k = 0; k < n; k++)
            n_above += from[k] > limit;
        out->shares[i] = (double)n_above / (double)n;
        out->medians[i] = log2(fmax((double)rln__select(from, n, n / 2), 1));
        from += n;
    }
    return 0;
}

/* Whether nothing is known of how runs of a side differ. */
static int is_one_each(const struct rln__diff_item *item)
{
    return item->runs[BEFORE].n_runs + item->runs[AFTER].n_runs < 3;
}

/* Sums have no order of time, so they have no stretches either. */
static int has_stretches(const struct rln__diff *d, const struct rln__diff_item *item,
                         int side)
{
    return is_one_each(item) && d->sources[side].has_order;
}

static int is_rough(const struct rln__diff_item *item)
{
    return item->runs[BEFORE].is_rough || item->runs[AFTER].is_rough;
}

/* The first stretch of a run may be its warm-up, which says nothing of how much the
 * next run differs. */
static size_t warm_up_of(const struct parted *stretches)
{
    return stretches->n == STRETCHES;
}

static void test_parts(struct rln__diff_item *item, const struct parted parted[N_SIDES])
{
    const struct parted *a = &parted[BEFORE], *b = &parted[AFTER];
    const size_t from_a = warm_up_of(a), from_b = warm_up_of(b);
    const double spread = is_rough(item) ? ROUGH_SPREAD : 0;
    double least, most;

    /* Few values of a stretch are in the tail, and they scatter by themselves. */
    item->tail_p_runs = rln__t_test(a->shares, a->n, b->shares, b->n, 0);
    if (is_one_each(item)) {
        item->row.p_runs = rln__stretch_test(a->medians + from_a, a->n - from_a,
                                             b->medians + from_b, b->n - from_b);
        return;
    }
    item->row.p_runs = rln__t_test(a->medians, a->n, b->medians, b->n, spread);
    rln__t_bounds(a->medians, a->n, b->medians, b->n, spread, CHANCE, &least, &most);
    item->row.least_change = exp(least * M_LN2) - 1;
    item->row.most_change = exp(most * M_LN2) - 1;
}

static int test_runs(const struct rln__diff *d, struct rln__diff_item *item,
                     const struct copied copies[N_SIDES])
{
    const uint64_t limit = (uint64_t)item->row.before.p95_ns;
    struct parted parted[N_SIDES] = {{NULL, NULL, 0}, {NULL, NULL, 0}};
    int failed = 0;

    for (int side = BEFORE; side < N_SIDES && !failed; side++)
        failed = part(&copies[side], &item->runs[side], has_stretches(d, item, side),
                      limit, &parted[side]);
    if (!failed)
        test_parts(item, parted);
    for (int side = BEFORE; side < N_SIDES; side++) {
        rln__free(parted[side].medians);
        rln__free(parted[side].shares);
    }
    return failed;
}

static void fill_spread(struct rln__diff_side *side, const uint64_t *values, size_t n)
{
    side->median_ns = n % 2 ? (double)values[n / 2]
                            : ((double)values[n / 2 - 1] + (double)values[n / 2]) / 2;
    side->p95_ns = (double)rln__percentile_95(values, n);
}

/* Evenly spaced values of a sorted array have the same distribution. */
static size_t thin(uint64_t *values, size_t n)
{
    if (n <= MOST_TESTED)
        return n;
    for (size_t i = 0; i < MOST_TESTED; i++)
        values[i] = values[i * n / MOST_TESTED];
    return MOST_TESTED;
}

static int test(struct rln__diff_item *item, const uint64_t *before, size_t n_before,
                const uint64_t *after, size_t n_after)
{
    struct rln__diff_row *row = &item->row;
    struct rln__mann_whitney middle;
    struct rln__tail_test tail;

    if (rln__mann_whitney(before, n_before, after, n_after, &middle))
        return -1;
    rln__tail_test(before, n_before, after, n_after, &tail);
    row->superiority = middle.superiority;
    row->p_middle = middle.p;
    row->p_tail = tail.p;
    item->tail_ratio = tail.ratio;
    if (middle.least_p >= CHANCE)
        row->changes |= RLN__DIFF_FEW;
    return 0;
}

/* Of many ranges that did not change, some look as if they had. Benjamini and
 * Hochberg's limit keeps these to 1 % of those reported as changed: the largest p of
 * rank k, of m, with p <= k / m * 1 %. 0 if there is none. */
static double limit_of(double *p, size_t m)
{
    double limit = 0;

    rln__sort_doubles(p, m);
    for (size_t k = 1; k <= m; k++) {
        if (p[k - 1] <= (double)k / (double)m * CHANCE)
            limit = p[k - 1];
    }
    return limit;
}

static int is_tested(const struct rln__diff_row *row)
{
    return row->before.n_ranges && row->after.n_ranges &&
           !(row->changes & RLN__DIFF_FEW);
}

/* Medians of rough samples are within 0.4 %, so two may be 0.8 % apart by themselves. */
static double least_difference(const struct rln__diff *d,
                               const struct rln__diff_item *item)
{
    const int is_on_processor = !d->on_processor;
    const double least = is_on_processor  ? LEAST_ON_PROCESSOR
                         : is_rough(item) ? LEAST_ROUGH
                                          : 0;

    return fmax(LEAST_NS, least * item->row.before.median_ns);
}

/* What a change is marked as, if `p` is its chance between runs. With one run per side,
 * sums do not say how theirs varies, so that nothing is sure; but what is left is no
 * change if the other run varies as much. */
static unsigned changed(const struct rln__diff *d, const struct rln__diff_item *item,
                        double p, unsigned change)
{
    const int n_cut = has_stretches(d, item, BEFORE) + has_stretches(d, item, AFTER);

    if (!is_one_each(item) || n_cut == N_SIDES)
        return p < CHANCE ? change : 0;
    return p < CHANCE || n_cut == 0 ? RLN__DIFF_UNSURE : 0;
}

static void mark(const struct rln__diff *d, struct rln__diff_item *item,
                 double middle_limit, double tail_limit)
{
    struct rln__diff_row *row = &item->row;
    const double ratio = item->tail_ratio, least = least_difference(d, item);
    const int has_moved = row->p_middle <= middle_limit &&
                          fabs(row->after.median_ns - row->before.median_ns) >= least &&
                          fabs(row->superiority - 0.5) >= LEAST_EFFECT;

    if (has_moved)
        row->changes |= changed(d, item, row->p_runs, RLN__DIFF_MIDDLE);
    if (has_moved && row->p_runs >= CHANCE && row->p_runs < UNSURE &&
        !is_one_each(item))
        row->changes |= RLN__DIFF_UNSURE;
    if (row->p_tail <= tail_limit &&
        fabs(row->after.p95_ns - row->before.p95_ns) >= least &&
        (ratio >= TAIL_MORE || ratio <= 1 / TAIL_MORE))
        row->changes |= changed(d, item, item->tail_p_runs, RLN__DIFF_TAIL);
}

/* Marks the rows in which the tests found a change. */
static int decide(struct rln__diff *d)
{
    double *middles = rln__alloc(d->n + 1, sizeof(*middles));
    double *tails = rln__alloc(d->n + 1, sizeof(*tails));
    const int failed = !middles || !tails;
    double middle_limit, tail_limit;
    size_t n = 0;

    for (size_t i = 0; i < d->n && !failed; i++) {
        if (!is_tested(&d->items[i].row))
            continue;
        middles[n] = d->items[i].row.p_middle;
        tails[n++] = d->items[i].row.p_tail;
    }
    middle_limit = failed ? 0 : limit_of(middles, n);
    tail_limit = failed ? 0 : limit_of(tails, n);
    for (size_t i = 0; i < d->n && !failed; i++) {
        if (is_tested(&d->items[i].row))
            mark(d, &d->items[i], middle_limit, tail_limit);
    }
    rln__free(middles);
    rln__free(tails);
    return failed ? -1 : 0;
}

/* Owned: the durations of a side, sorted. */
static uint64_t *sorted(const struct copied *c, size_t n)
{
    uint64_t *values = rln__alloc(n, sizeof(*values));

    if (!values)
        return NULL;
    memcpy(values, c->values, n * sizeof(*values));
    rln__sort_lengths(values, n);
    return values;
}

static int compare_durations(const struct rln__diff *d, struct rln__diff_item *item)
{
    struct copied copies[N_SIDES] = {{NULL, NULL}, {NULL, NULL}};
    uint64_t *values[N_SIDES] = {NULL, NULL}; /* owned */
    size_t n[N_SIDES] = {0, 0};
    int failed = 0;

    for (int side = BEFORE; side < N_SIDES && !failed; side++) {
        const struct rln__diff_runs *runs = &item->runs[side];

        if (!runs->n_samples)
            continue;
        failed = copy(d, runs, &copies[side]);
        values[side] = failed ? NULL : sorted(&copies[side], runs->n_samples);
        failed = !values[side];
        if (failed)
            break;
        fill_spread(rln__diff_side_of(&item->row, side), values[side], runs->n_samples);
        n[side] = thin(values[side], runs->n_samples);
    }
    if (!failed && n[BEFORE] && n[AFTER])
        failed = test(item, values[BEFORE], n[BEFORE], values[AFTER], n[AFTER]) ||
                 test_runs(d, item, copies);
    for (int side = BEFORE; side < N_SIDES; side++) {
        rln__free(values[side]);
        rln__free(copies[side].values);
        rln__free(copies[side].n);
    }
    return failed ? -1 : 0;
}

static int compare(const struct rln__diff *d, struct rln__diff_item *item)
{
    struct rln__diff_row *row = &item->row;

    if (!row->before.n_ranges && row->after.n_ranges)
        row->changes |= RLN__DIFF_NEW;
    if (row->before.n_ranges && !row->after.n_ranges)
        row->changes |= RLN__DIFF_GONE;
    if (row->before.n_ranges * d->sources[AFTER].n_traces !=
        row->after.n_ranges * d->sources[BEFORE].n_traces)
        row->changes |= RLN__DIFF_COUNT;
    return compare_durations(d, item);
}

/* --- The whole -------------------------------------------------------------------- */

static struct rln__diff *new_diff(void)
{
    struct rln__diff *d = rln__alloc(1, sizeof(*d));

    for (int side = BEFORE; d && side < N_SIDES; side++)
        d->sources[side].has_order = 1;
    return d;
}

rln_status rln__diff_new(struct rln__diff **out, rln_error *err)
{
    struct rln__diff *d = new_diff();

    *out = NULL;
    if (d)
        d->on_processor = new_diff();
    if (!d || !d->on_processor) {
        rln__diff_free(d);
        return rln__fail_nomem(err);
    }
    *out = d;
    return RLN_OK;
}

static int compare_all(struct rln__diff *d)
{
    for (size_t i = 0; i < d->n; i++)
        if (compare(d, &d->items[i]))
            return -1;
    return decide(d);
}

rln_status rln__diff_compare(struct rln__diff *d, rln_error *err)
{
    return compare_all(d) || compare_all(d->on_processor) ? rln__fail_nomem(err)
                                                          : RLN_OK;
}

void rln__diff_free(struct rln__diff *d)
{
    if (!d)
        return;
    rln__diff_free(d->on_processor); /* which has none */
    for (size_t i = 0; i < d->n_all_runs; i++)
        rln__samples_clear(&d->runs[i].samples);
    rln__free(d->runs);
    rln__free(d->items);
    rln__key_index_clear(&d->keys);
    rln__strings_clear(&d->texts);
    rln__free(d);
}

int rln__diff_has_cpu_times(const struct rln__diff *d, int side)
{
    const struct rln__diff *of = d->on_processor;

    for (size_t i = 0; of && i < of->n; i++)
        if (of->items[i].runs[side].n_runs)
            return 1;
    return 0;
}

const struct rln__diff *rln__diff_on_processor(const struct rln__diff *d)
{
    return rln__diff_has_cpu_times(d, BEFORE) && rln__diff_has_cpu_times(d, AFTER)
               ? d->on_processor
               : NULL;
}

/* The rows of both are numbered alike. */
const struct rln__diff_row *rln__diff_row_on_processor(const struct rln__diff *d,
                                                       const struct rln__diff_row *row)
{
    const struct rln__diff_item *item = (const struct rln__diff_item *)row;
    const struct rln__diff_row *of =
        d->on_processor ? &d->on_processor->items[item - d->items].row : NULL;

    return of && of->before.n_ranges && of->after.n_ranges ? of : NULL;
}

const struct rln__diff_row *rln__diff_at(const struct rln__diff *d, size_t index)
{
    return index < d->n ? &d->items[index].row : NULL;
}

size_t rln__diff_count_traces(const struct rln__diff *d, int side)
{
    return side == BEFORE || side == AFTER ? d->sources[side].n_traces : 0;
}

size_t rln__diff_count_runs(const struct rln__diff *d, int side)
{
    return side == BEFORE || side == AFTER ? d->sources[side].n_runs : 0;
}
