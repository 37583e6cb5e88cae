/* SPDX-License-Identifier: Apache-2.0 */
/* outliers.c - single ranges that took much longer than others of their name, with the
 * enclosing range and the longest inner one, which is often the reason. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "reports/outlier_calls.h"
#include "reports/report_list.h"
#include "statistics/exact_spread.h"

#define MOST_OUTLIERS 20

/* Names with fewer ranges have no usual duration. */
#define OUTLIER_LEAST 10u
/* An outlier takes more than this many times the median. */
#define OUTLIER_TIMES 3u

struct outlier {
    size_t range;     /* index in the nesting */
    double median_ns; /* of its name */
    double excess_ns; /* beyond that */
};

/* Twice as many as are listed are collected, and then cut to the largest. */
struct outliers {
    struct outlier rows[2 * MOST_OUTLIERS];
    size_t n;
};

/* Medians of all names; 0 where there are too few ranges. NULL if there is no memory.
 */
static double *find_medians(const struct rln__nesting *nesting)
{
    const size_t n_names = rln__nesting_count_names(nesting);
    struct rln__samples *samples = rln__alloc(n_names + 1, sizeof(*samples));
    double *medians = rln__alloc(n_names + 1, sizeof(*medians));
    int failed = !samples || !medians;
    struct rln__nesting_row range;

    for (size_t i = 0; !failed && rln__nesting_get(nesting, i, &range); i++)
        failed = rln__samples_add(&samples[range.name], rln__nesting_row_ns(&range));
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

static void cut(struct outliers *s)
{
    qsort(s->rows, s->n, sizeof(*s->rows), by_excess);
    s->n = s->n < MOST_OUTLIERS ? s->n : MOST_OUTLIERS;
}

/* Children come after their parent and end before it does, so one pass over what
 * follows is enough. */
static size_t longest_child(const struct rln__nesting *nesting, size_t parent)
{
    uint32_t n_left = rln__nesting_at(nesting, parent).n_children;
    struct rln__nesting_row child;
    size_t longest = SIZE_MAX;
    uint64_t longest_ns = 0;

    for (size_t i = parent + 1; n_left && rln__nesting_get(nesting, i, &child); i++) {
        if (child.parent != parent)
            continue;
        n_left--;
        if (longest == SIZE_MAX || rln__nesting_row_ns(&child) > longest_ns) {
            longest = i;
            longest_ns = rln__nesting_row_ns(&child);
        }
    }
    return longest;
}

static void find(struct outliers *s, const struct rln__nesting *nesting,
                 const double *medians)
{
    struct rln__nesting_row range;

    for (size_t i = 0; rln__nesting_get(nesting, i, &range); i++) {
        const double median = medians[range.name];
        const double ns = (double)rln__nesting_row_ns(&range);

        if (median <= 0 || ns <= median * OUTLIER_TIMES)
            continue;
        if (s->n == RLN_COUNT(s->rows))
            cut(s);
        s->rows[s->n++] = (struct outlier){i, median, ns - median};
    }
    cut(s);
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

static void add_other(rln_report *out, const struct rln__nesting *nesting, size_t index)
{
    struct rln__nesting_row other;

    if (rln__nesting_get(nesting, index, &other))
        rln__report_put_qualified(out, other.domain_name, other.message);
    else
        rln__report_put_empty(out);
}

static void add_outlier(rln_report *out, const struct rln__nesting *nesting,
                        const struct outlier *row)
{
    const size_t longest = longest_child(nesting, row->range);
    const struct rln__nesting_row range = rln__nesting_at(nesting, row->range);
    const uint64_t ns = rln__nesting_row_ns(&range);
    struct rln__nesting_row child = {.start_ns = 0};

    rln__report_put_mean(out, row->excess_ns);
    rln__report_put_ns(out, ns);
    rln__report_put_mean(out, row->median_ns);
    rln__report_put_fixed(out, (double)ns / row->median_ns, 1);
    rln__report_put_time(out, range.start_ns);
    rln__report_put_id(out, range.pid);
    rln__report_put_id(out, range.tid);
    rln__report_put_qualified(out, range.domain_name, range.message);
    add_other(out, nesting, range.parent);
    add_other(out, nesting, longest);
    (void)rln__nesting_get(nesting, longest, &child); /* or it is empty */
    rln__report_put_ns(out, rln__nesting_row_ns(&child));
    rln__report_only_if(out, longest != SIZE_MAX, 1);
}

static rln_status build_outliers(const struct rln__report_source *source,
                                 rln_report *out)
{
    double *medians; /* owned */
    struct outliers found = {.n = 0};

    if (source->argument)
        return rln__build_outlier_calls(source, out);
    medians = find_medians(source->nesting);
    if (!medians)
        return rln__fail_nomem(source->err);
    find(&found, source->nesting, medians);
    rln__free(medians);
    for (size_t i = 0; i < found.n; i++)
        add_outlier(out, source->nesting, &found.rows[i]);
    return RLN_OK;
}

const struct rln__report_kind rln__report_outliers = {
    .about = {.name = "outliers",
              .title = "Outliers",
              .help = "the 20 push/pop ranges that exceed their median the most; "
                      "outliers:NAME: the ten longest of a name, and why",
              .subject = "push/pop ranges over three times their median",
              .subject_if_named = "such push/pop ranges",
              .may_be_of_a_range = 1,
              .details = "Ranges that took over three times the median of their name, "
                         "if it ran at least ten times; the largest Excess over the "
                         "median first. Times: Duration by Med, the median. Parent is "
                         "the innermost enclosing range; Longest Child the longest "
                         "range directly inside, and Its Duration.\noutliers:NAME, "
                         "in the forms of pace, has the ten longest ranges of NAME, "
                         "and for each the names directly inside that differ the most "
                         "from what is usual: This, their time in this range; Med and "
                         "P99.9, median and 99.9th percentile of that over all ranges "
                         "of NAME; Difference, This less Med. (all) is the range "
                         "itself, (self) its time outside all of them. Of a trace with "
                         "context switches, (on CPU), (preempted), (blocked) and "
                         "(unknown) are what (all) was made of, as in cpu_sum; "
                         "ranges of which over 5 % is unknown do not count for "
                         "them."},
    .build = build_outliers,
    RLN__COLUMNS(columns),
    .needs = RLN__NEEDS_NESTING,
};
