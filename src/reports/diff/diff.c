/* SPDX-License-Identifier: Apache-2.0 */
/* diff.c - matches two summaries by path.
 *
 *   summary of before --+--> rows by {parent's row, style, domain, message}
 *   summary of after  --+         each with the durations of both sides
 *
 * Each reader has its own texts, so the compared ones are copied into one table.
 *
 * A change must pass two tests: over all calls, it must exceed how much the calls of a
 * run differ; over runs, how much the runs of one side do (t_test.h). With one run per
 * side, the latter is unknown. Each run is then cut into stretches of time, which at
 * least tells a change from a program that alternates between slow and fast; a cause
 * that affects a whole run but not the next still looks like a change.
 */
#include "reports/diff/diff.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/key_index.h"
#include "reports/diff/t_test.h"
#include "reports/summary/summary.h"
#include "statistics/mann_whitney.h"
#include "statistics/median.h"

#include <math.h>
#include <stdlib.h>
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

enum { BEFORE, AFTER, N_SIDES };

/* All durations of a row on one side, run by run. */
struct runs {
    const struct rln__summary_sums *sums; /* borrowed */
    uint32_t first;                       /* group: index + 1; 0: none */
    size_t n_ranges, n_runs;
};

struct tail {
    double ratio;
    double p_runs;
};

struct item {
    struct rln__diff_row row;
    struct runs runs[N_SIDES]; /* valid until all rows are compared */
    struct tail tail;
};

struct rln__diff {
    struct item *items; /* owned */
    size_t n, capacity;
    struct rln__key_index keys;
    struct rln__strings texts;
    size_t n_traces[N_SIDES];
};

/* --- Rows ------------------------------------------------------------------------- */

static uint32_t add_text(struct rln__diff *d, rln_text text)
{
    return rln__strings_add(&d->texts, text.length ? text.bytes : "", text.length);
}

/* Index of a path's row; SIZE_MAX when there is no memory. */
static size_t row_of(struct rln__diff *d, size_t parent, const struct rln__summary *s,
                     const struct rln__summary_row *name)
{
    const struct rln__names *names = &s->reader->names;
    const rln_text domain =
        rln__strings_get(&names->strings, names->domains[name->domain].name);
    const rln_text message = rln__strings_get(&names->strings, name->message);
    const uint32_t texts[2] = {
        add_text(d, domain),
        add_text(d, message),
    };
    const struct rln__key key = {{parent + 1, name->style,
                                  (uint64_t)texts[0] << 1 | (name->domain == 0),
                                  texts[1]}};
    const uint32_t number = rln__key_index_number(&d->keys, &key);
    const size_t n_known = d->n;
    struct item *item;

    if (!texts[0] || !texts[1])
        return SIZE_MAX;
    item = rln__key_index_item(&d->items, &d->n, &d->capacity, number, sizeof(*item));
    if (!item || number < n_known)
        return item ? number : SIZE_MAX;
    item->row = (struct rln__diff_row){
        .style = name->style,
        .parent = parent,
        .level = parent == SIZE_MAX ? 0 : d->items[parent].row.level + 1,
        .is_default_domain = name->domain == 0,
        .domain_name = rln__strings_get(&d->texts, texts[0]),
        .message = rln__strings_get(&d->texts, texts[1]),
        .p_middle = 1,
        .p_tail = 1,
        .p_runs = 1,
        .superiority = 0.5,
    };
    return number;
}

static struct rln__diff_side *side_of(struct rln__diff_row *row, int side)
{
    return side == BEFORE ? &row->before : &row->after;
}

static struct runs runs_of(const struct rln__summary_sums *sums,
                           const struct rln__group_heads *heads, size_t index)
{
    struct runs runs = {sums, index < heads->n ? heads->first[index] : 0, 0, 0};

    for (uint32_t i = runs.first; i; i = sums->groups[i - 1].next) {
        runs.n_ranges += sums->groups[i - 1].samples.n;
        runs.n_runs++;
    }
    return runs;
}

static void fill_side(struct rln__diff *d, size_t row, int side,
                      const struct runs *runs, uint64_t total_ns, uint64_t n_open)
{
    struct rln__diff_side *to = side_of(&d->items[row].row, side);

    to->n_ranges = runs->n_ranges;
    to->n_open = n_open;
    to->total_ns = total_ns;
    d->items[row].runs[side] = *runs;
}

static int add_tree(struct rln__diff *d, const struct rln__summary *s, int side)
{
    size_t *rows = rln__alloc(s->n_nodes, sizeof(*rows)); /* of nodes */

    if (!rows)
        return -1;
    rows[0] = SIZE_MAX;
    for (size_t i = 1; i < s->n_nodes; i++) { /* parents have lower numbers */
        const struct rln__summary_node *node = &s->nodes[i];
        const size_t row = row_of(d, rows[node->parent], s, &s->rows[node->row]);
        const struct runs runs = runs_of(&s->sums, &s->sums.of_paths, i);

        if (row == SIZE_MAX) {
            rln__free(rows);
            return -1;
        }
        rows[i] = row;
        fill_side(d, row, side, &runs, s->sums.paths[i].total_ns, node->n_open);
    }
    rln__free(rows);
    return 0;
}

/* Start/end ranges have no place in the tree. */
static int add_others(struct rln__diff *d, const struct rln__summary *s, int side)
{
    for (size_t i = 0; i < s->n_rows; i++) {
        const struct rln__summary_row *name = &s->rows[i];
        const struct rln__name_sum *sum = &s->sums.names[i];
        const struct runs runs = runs_of(&s->sums, &s->sums.of_names, i);
        size_t row;

        if (name->style != RLN_RANGE_START_END || !sum->samples.n)
            continue;
        row = row_of(d, SIZE_MAX, s, name);
        if (row == SIZE_MAX)
            return -1;
        fill_side(d, row, side, &runs, sum->total_ns, name->n_open);
    }
    return 0;
}

/* --- The tests -------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* All durations of a side, run by run, and how many each run has: both owned. */
struct copied {
    uint64_t *values;
    size_t *n;
};

static int copy(const struct runs *runs, struct copied *out)
{
    const struct rln__sample_group *groups = runs->sums->groups;
    size_t n = 0, at = 0;

    out->values = rln__alloc(runs->n_ranges, sizeof(*out->values));
    out->n = rln__alloc(runs->n_runs, sizeof(*out->n));
    if (!out->values || !out->n)
        return -1;
    for (uint32_t i = runs->first; i; i = groups[i - 1].next) {
        rln__samples_copy(&groups[i - 1].samples, out->values + at);
        at += out->n[n++] = groups[i - 1].samples.n;
    }
    return 0;
}

/* The input of the second test: for each run or, with one run per side, for each
 * stretch of it, the median and the share that is longer than `limit`. Medians are
 * logarithms: what slows a run down multiplies its durations, and one slow run must not
 * hide that all are slower. */
struct parted {
    double *medians, *shares; /* owned */
    size_t n;
};

static int part(const struct copied *c, const struct runs *runs, int into_stretches,
                uint64_t limit, struct parted *out)
{
    const size_t n_stretches =
        runs->n_ranges < STRETCHES ? runs->n_ranges : (size_t)STRETCHES;
    uint64_t *from = c->values;

    out->n = into_stretches ? n_stretches : runs->n_runs;
    out->medians = rln__alloc(out->n, sizeof(*out->medians));
    out->shares = rln__alloc(out->n, sizeof(*out->shares));
    if (!out->medians || !out->shares)
        return -1;
    for (size_t i = 0; i < out->n; i++) {
        const size_t n = into_stretches ? (i + 1) * runs->n_ranges / out->n -
                                              i * runs->n_ranges / out->n
                                        : c->n[i];
        size_t n_above = 0;

        for (size_t k = 0; k < n; k++)
            n_above += from[k] > limit;
        out->shares[i] = (double)n_above / (double)n;
        out->medians[i] = log(fmax((double)rln__select(from, n, n / 2), 1));
        from += n;
    }
    return 0;
}

/* Whether nothing is known of how runs of a side differ. */
static int is_one_each(const struct item *item)
{
    return item->runs[BEFORE].n_runs + item->runs[AFTER].n_runs < 3;
}

/* The first stretch of a run may be its warm-up, which says nothing of how much the
 * next run differs. */
static size_t warm_up_of(const struct parted *stretches)
{
    return stretches->n == STRETCHES;
}

static int test_runs(struct item *item, struct copied copies[N_SIDES])
{
    const int has_stretches = is_one_each(item);
    const uint64_t limit = (uint64_t)item->row.before.p95_ns;
    struct parted parted[N_SIDES] = {{NULL, NULL, 0}, {NULL, NULL, 0}};
    int failed = 0;

    for (int side = BEFORE; side < N_SIDES && !failed; side++)
        failed =
            part(&copies[side], &item->runs[side], has_stretches, limit, &parted[side]);
    if (!failed && has_stretches) {
        const size_t a = warm_up_of(&parted[BEFORE]), b = warm_up_of(&parted[AFTER]);

        item->row.p_runs =
            rln__stretch_test(parted[BEFORE].medians + a, parted[BEFORE].n - a,
                              parted[AFTER].medians + b, parted[AFTER].n - b);
    } else if (!failed) {
        item->row.p_runs = rln__t_test(parted[BEFORE].medians, parted[BEFORE].n,
                                       parted[AFTER].medians, parted[AFTER].n);
    }
    if (!failed) {
        /* Few values of a stretch are in the tail, and they scatter by themselves. */
        item->tail.p_runs = rln__t_test(parted[BEFORE].shares, parted[BEFORE].n,
                                        parted[AFTER].shares, parted[AFTER].n);
    }
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

static int test(struct item *item, const uint64_t *before, size_t n_before,
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
    item->tail.ratio = tail.ratio;
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

    qsort(p, m, sizeof(*p), rln__compare_doubles);
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

static void mark(struct item *item, double middle_limit, double tail_limit)
{
    struct rln__diff_row *row = &item->row;
    const double ratio = item->tail.ratio;
    const int has_moved =
        row->p_middle <= middle_limit &&
        fabs(row->after.median_ns - row->before.median_ns) >= LEAST_NS &&
        fabs(row->superiority - 0.5) >= LEAST_EFFECT;

    if (has_moved && row->p_runs < CHANCE)
        row->changes |= RLN__DIFF_MIDDLE;
    else if (has_moved && row->p_runs < UNSURE && !is_one_each(item))
        row->changes |= RLN__DIFF_UNSURE;
    if (row->p_tail <= tail_limit && item->tail.p_runs < CHANCE &&
        fabs(row->after.p95_ns - row->before.p95_ns) >= LEAST_NS &&
        (ratio >= TAIL_MORE || ratio <= 1 / TAIL_MORE))
        row->changes |= RLN__DIFF_TAIL;
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
            mark(&d->items[i], middle_limit, tail_limit);
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
    qsort(values, n, sizeof(*values), by_value);
    return values;
}

static int compare_durations(struct item *item)
{
    struct copied copies[N_SIDES] = {{NULL, NULL}, {NULL, NULL}};
    uint64_t *values[N_SIDES] = {NULL, NULL}; /* owned */
    size_t n[N_SIDES] = {0, 0};
    int failed = 0;

    for (int side = BEFORE; side < N_SIDES && !failed; side++) {
        const struct runs *runs = &item->runs[side];

        if (!runs->n_ranges)
            continue;
        failed = copy(runs, &copies[side]);
        values[side] = failed ? NULL : sorted(&copies[side], runs->n_ranges);
        failed = !values[side];
        if (failed)
            break;
        fill_spread(side_of(&item->row, side), values[side], runs->n_ranges);
        n[side] = thin(values[side], runs->n_ranges);
    }
    if (!failed && n[BEFORE] && n[AFTER])
        failed = test(item, values[BEFORE], n[BEFORE], values[AFTER], n[AFTER]) ||
                 test_runs(item, copies);
    for (int side = BEFORE; side < N_SIDES; side++) {
        rln__free(values[side]);
        rln__free(copies[side].values);
        rln__free(copies[side].n);
    }
    return failed ? -1 : 0;
}

static int compare(const struct rln__diff *d, struct item *item)
{
    struct rln__diff_row *row = &item->row;

    if (!row->before.n_ranges && row->after.n_ranges)
        row->changes |= RLN__DIFF_NEW;
    if (row->before.n_ranges && !row->after.n_ranges)
        row->changes |= RLN__DIFF_GONE;
    if (row->before.n_ranges * d->n_traces[AFTER] !=
        row->after.n_ranges * d->n_traces[BEFORE])
        row->changes |= RLN__DIFF_COUNT;
    return compare_durations(item);
}

/* --- Both ------------------------------------------------------------------------- */

static rln_status fill(struct rln__diff *d, struct rln__summary sides[N_SIDES],
                       rln_error *err)
{
    for (int side = BEFORE; side < N_SIDES; side++) {
        if (add_tree(d, &sides[side], side) || add_others(d, &sides[side], side))
            return rln__fail_nomem(err);
    }
    for (size_t i = 0; i < d->n; i++) {
        if (compare(d, &d->items[i]))
            return rln__fail_nomem(err);
    }
    return decide(d) ? rln__fail_nomem(err) : RLN_OK;
}

rln_status rln__diff_new(rln_reader *before, rln_reader *after, struct rln__diff **out,
                         rln_error *err)
{
    struct rln__diff *d = rln__alloc(1, sizeof(*d));
    struct rln__summary sides[N_SIDES];
    rln_status status;

    *out = NULL;
    if (!d)
        return rln__fail_nomem(err);
    d->n_traces[BEFORE] = before->layout.n_parts;
    d->n_traces[AFTER] = after->layout.n_parts;
    status = rln__summary_read_paths(&sides[BEFORE], before, err);
    if (status)
        goto fail;
    status = rln__summary_read_paths(&sides[AFTER], after, err);
    if (!status) {
        status = fill(d, sides, err);
        rln__summary_clear(&sides[AFTER]);
    }
    rln__summary_clear(&sides[BEFORE]);
    if (status)
        goto fail;
    *out = d;
    return RLN_OK;

fail:
    rln__diff_free(d);
    return status;
}

void rln__diff_free(struct rln__diff *d)
{
    if (!d)
        return;
    rln__free(d->items);
    rln__key_index_clear(&d->keys);
    rln__strings_clear(&d->texts);
    rln__free(d);
}

const struct rln__diff_row *rln__diff_at(const struct rln__diff *d, size_t index)
{
    return index < d->n ? &d->items[index].row : NULL;
}

size_t rln__diff_count_traces(const struct rln__diff *d, int side)
{
    return side == BEFORE || side == AFTER ? d->n_traces[side] : 0;
}
