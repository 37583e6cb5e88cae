/* SPDX-License-Identifier: Apache-2.0 */
/* outliers.c - single ranges that took much longer than others of their name, with the
 * enclosing range and the longest inner one, which is often the reason. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "reports/report_list.h"

#define MOST_OUTLIERS 20

/* Names with fewer ranges have no usual duration. */
#define OUTLIER_LEAST 10u
/* An outlier takes more than this many times the median. */
#define OUTLIER_TIMES 3u

struct outlier {
    size_t range;         /* index in the nesting */
    size_t longest_child; /* SIZE_MAX if it has none */
    double median_ns;     /* of its name */
    double excess_ns;     /* beyond that */
};

struct outliers {
    struct outlier *rows; /* owned; the largest excess first */
    size_t n;             /* at most `most` */
};

static uint64_t duration(const rln_nesting_row *range)
{
    return (uint64_t)(range->end_ns - range->start_ns);
}

/* Medians of all names; 0 where there are too few ranges. NULL if there is no memory.
 */
static double *find_medians(const rln_nesting *nesting)
{
    const size_t n_names = rln_nesting_count_names(nesting);
    struct rln__samples *samples = rln__alloc(n_names + 1, sizeof(*samples));
    double *medians = rln__alloc(n_names + 1, sizeof(*medians));
    int failed = !samples || !medians;
    rln_nesting_row range;

    for (size_t i = 0; !failed && rln_nesting_get(nesting, i, &range); i++)
        failed = rln__samples_add(&samples[range.name], duration(&range));
    for (size_t i = 0; samples && i < n_names; i++) {
        struct rln__spread spread;

        if (!failed && samples[i].n >= OUTLIER_LEAST) {
            failed = rln__samples_spread(&samples[i], 0, &spread);
            medians[i] = spread.median;
        }
        rln__samples_clear(&samples[i]);
    }
    rln__free(samples);
    if (!failed)
        return medians;
    rln__free(medians);
    return NULL;
}

static int by_excess(const void *a, const void *b)
{
    const struct outlier *x = a, *y = b;

    if (x->excess_ns > y->excess_ns || x->excess_ns < y->excess_ns)
        return x->excess_ns > y->excess_ns ? -1 : 1;
    return (x->range > y->range) - (x->range < y->range);
}

/* Keeps the `most` largest: twice as many are collected and then cut. */
static void add(struct outliers *out, size_t most, struct outlier row)
{
    if (out->n == 2 * most) {
        qsort(out->rows, out->n, sizeof(*out->rows), by_excess);
        out->n = most;
    }
    out->rows[out->n++] = row;
}

/* Children come after their parent and end before it does, so one pass over what
 * follows is enough. */
static size_t longest_child(const rln_nesting *nesting, size_t parent)
{
    rln_nesting_row range, child;
    size_t longest = SIZE_MAX;
    uint64_t longest_ns = 0;
    uint32_t n_left;

    (void)rln_nesting_get(nesting, parent, &range);
    n_left = range.n_children;
    for (size_t i = parent + 1; n_left && rln_nesting_get(nesting, i, &child); i++) {
        if (child.parent != parent)
            continue;
        n_left--;
        if (longest == SIZE_MAX || duration(&child) > longest_ns) {
            longest = i;
            longest_ns = duration(&child);
        }
    }
    return longest;
}

static void clear_outliers(struct outliers *outliers)
{
    rln__free(outliers->rows);
    memset(outliers, 0, sizeof(*outliers));
}

static rln_status find_outliers(const rln_nesting *nesting, size_t most,
                                struct outliers *out, rln_error *err)
{
    double *medians = find_medians(nesting); /* owned */
    rln_nesting_row range;

    memset(out, 0, sizeof(*out));
    out->rows = rln__alloc(2 * most + 1, sizeof(*out->rows));
    if (!medians || !out->rows) {
        rln__free(medians);
        clear_outliers(out);
        return rln__fail_nomem(err);
    }
    for (size_t i = 0; rln_nesting_get(nesting, i, &range); i++) {
        const double median = medians[range.name];
        const double ns = (double)duration(&range);

        if (median > 0 && ns > median * OUTLIER_TIMES)
            add(out, most, (struct outlier){i, SIZE_MAX, median, ns - median});
    }
    rln__free(medians);
    qsort(out->rows, out->n, sizeof(*out->rows), by_excess);
    out->n = out->n < most ? out->n : most;
    for (size_t i = 0; i < out->n; i++)
        out->rows[i].longest_child = longest_child(nesting, out->rows[i].range);
    return RLN_OK;
}

/* --- The report ------------------------------------------------------------------- */

static const rln_report_column columns[] = {
    RLN__TIMES("Excess"),
    RLN__TIMES("Duration"),
    RLN__TIMES("Med"),
    RLN__NUMBERS("Times"),
    RLN__TIMES("Start"),
    RLN__IDS("PID"),
    RLN__IDS("TID"),
    RLN__TEXTS("Range"),
    RLN__TEXTS("Parent"),
    RLN__TEXTS("Longest Child"),
    RLN__TIMES("Its Duration"),
};

static void add_other(rln_report *out, const rln_nesting *nesting, size_t index)
{
    rln_nesting_row other;

    if (rln_nesting_get(nesting, index, &other))
        rln__report_put_qualified(out, other.domain_name, other.message);
    else
        rln__report_put_empty(out);
}

static void add_outlier(rln_report *out, const rln_nesting *nesting,
                        const struct outlier *row)
{
    rln_nesting_row range, child;
    uint64_t ns;

    (void)rln_nesting_get(nesting, row->range, &range);
    ns = (uint64_t)(range.end_ns - range.start_ns);
    rln__report_put_mean(out, row->excess_ns);
    rln__report_put_ns(out, ns);
    rln__report_put_mean(out, row->median_ns);
    rln__report_put_fixed(out, (double)ns / row->median_ns, 1);
    rln__report_put_time(out, range.start_ns);
    rln__report_put_id(out, range.pid);
    rln__report_put_id(out, range.tid);
    rln__report_put_qualified(out, range.domain_name, range.message);
    add_other(out, nesting, range.parent);
    add_other(out, nesting, row->longest_child);
    if (rln_nesting_get(nesting, row->longest_child, &child))
        rln__report_put_ns(out, (uint64_t)(child.end_ns - child.start_ns));
    else
        rln__report_put_empty(out);
}

static rln_status build_outliers(const struct rln__report_source *source,
                                 rln_report *out)
{
    struct outliers found;
    const rln_status status =
        find_outliers(source->nesting, MOST_OUTLIERS, &found, source->err);

    if (status)
        return status;
    for (size_t i = 0; i < found.n; i++)
        add_outlier(out, source->nesting, &found.rows[i]);
    clear_outliers(&found);
    return RLN_OK;
}

const struct rln__report_kind rln__report_outliers = {
    .about = {.name = "outliers",
              .title = "Outliers",
              .help = "the 20 push/pop ranges that exceed their median the most",
              .subject = "push/pop ranges over three times their median"},
    .build = build_outliers,
    RLN__COLUMNS(columns),
    .needs = RLN__NEEDS_NESTING,
};
