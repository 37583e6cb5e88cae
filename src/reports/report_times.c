/* SPDX-License-Identifier: Apache-2.0 */
/* report_times.c - the reports of periods, distributions and outliers of durations. */
#include "reports/report_list.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "reports/gaps.h"
#include "reports/outliers.h"
#include "reports/pace.h"

#define MOST_OUTLIERS 20

/* --- gaps ------------------------------------------------------------------------- */

static const rln_report_column gaps[] = {
    RLN__NUMBERS("Time (%)"), RLN__TIMES("Total Time"), RLN__NUMBERS("Instances"),
    RLN__TIMES("Avg"),        RLN__TIMES("Med"),        RLN__TIMES("Min"),
    RLN__TIMES("Max"),        RLN__TEXTS("After"),      RLN__TEXTS("Before"),
};

static rln_status build_gaps(const struct rln__report_source *source, rln_report *out)
{
    struct rln__gaps found;
    uint64_t total = 0;
    const rln_status status = rln__gaps_find(source->nesting, &found, source->err);

    if (status)
        return status;
    for (size_t i = 0; i < found.n; i++)
        total += found.rows[i].ns.total;
    for (size_t i = 0; i < found.n; i++) {
        const struct rln__gap_row *row = &found.rows[i];

        rln__report_put_percent(out, row->ns.total, total);
        rln__report_put_ns(out, row->ns.total);
        rln__report_put_count(out, row->ns.n);
        rln__report_put_mean(out, row->ns.spread.average);
        rln__report_put_mean(out, row->ns.spread.median);
        rln__report_put_ns(out, row->ns.min);
        rln__report_put_ns(out, row->ns.max);
        rln__report_put_qualified(out, row->after.domain_name, row->after.message);
        rln__report_put_qualified(out, row->before.domain_name, row->before.message);
    }
    rln__gaps_clear(&found);
    return RLN_OK;
}

const struct rln__report_kind rln__report_gaps = {
    .about = {.name = "gaps",
              .title = "Gaps",
              .help = "times between outermost push/pop ranges of a thread",
              .subject = "gaps between push/pop ranges"},
    .build = build_gaps,
    RLN__COLUMNS(gaps),
    .needs = RLN__NEEDS_NESTING,
};

/* --- outliers --------------------------------------------------------------------- */

static const rln_report_column outliers[] = {
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
                        const struct rln__outlier *row)
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
    struct rln__outliers found;
    const rln_status status =
        rln__outliers_find(source->nesting, MOST_OUTLIERS, &found, source->err);

    if (status)
        return status;
    for (size_t i = 0; i < found.n; i++)
        add_outlier(out, source->nesting, &found.rows[i]);
    rln__outliers_clear(&found);
    return RLN_OK;
}

const struct rln__report_kind rln__report_outliers = {
    .about = {.name = "outliers",
              .title = "Outliers",
              .help = "the 20 push/pop ranges that exceed their median the most",
              .subject = "push/pop ranges over three times their median"},
    .build = build_outliers,
    RLN__COLUMNS(outliers),
    .needs = RLN__NEEDS_NESTING,
};

/* --- pace ------------------------------------------------------------------------- */

static const rln_report_column pace[] = {
    RLN__NUMBERS("Number"), RLN__TIMES("Start"),  RLN__TIMES("Duration"),
    RLN__TIMES("Gap"),      RLN__TIMES("Period"), RLN__TIMES("Drift"),
    RLN__IDS("PID"),        RLN__IDS("TID"),      RLN__TEXTS("Style"),
    RLN__TEXTS("Range"),
};

static uint64_t duration_of(const struct rln__occurrence *o)
{
    return (uint64_t)(o->end_ns - o->start_ns);
}

/* Without a range, there are no occurrences. */
static rln_status find_pace(const struct rln__report_source *source,
                            struct rln__pace *out)
{
    memset(out, 0, sizeof(*out));
    return source->argument
               ? rln__pace_find(source->reader, source->argument, out, source->err)
               : RLN_OK;
}

static rln_status build_pace(const struct rln__report_source *source, rln_report *out)
{
    struct rln__pace found;
    const rln_status status = find_pace(source, &found);

    if (status)
        return status;
    for (size_t i = 0; i < found.n; i++) {
        const struct rln__occurrence *o = &found.rows[i];
        const int64_t apart[] = {o->gap_ns, o->period_ns, o->drift_ns};

        rln__report_put_count(out, i);
        rln__report_put_time(out, o->start_ns);
        rln__report_put_ns(out, duration_of(o));
        for (size_t k = 0; k < RLN_COUNT(apart); k++) {
            if (o->is_first)
                rln__report_put_empty(out);
            else
                rln__report_put_distance(out, apart[k]);
        }
        rln__report_put_id(out, o->pid);
        rln__report_put_id(out, o->tid);
        rln__report_put_style(out, o->style);
        rln__report_put_qualified(out, o->domain_name, o->message);
    }
    rln__pace_clear(&found);
    return RLN_OK;
}

const struct rln__report_kind rln__report_pace = {
    .about = {.name = "pace",
              .title = "Pace",
              .help = "each run of one range (pace:NAME): gap, period, drift",
              .subject = "such ranges",
              .is_of_a_range = 1},
    .build = build_pace,
    RLN__COLUMNS(pace),
};

/* --- histogram -------------------------------------------------------------------- */

#define MOST_BUCKETS 16

/* Bucket i is from edges[i] up to, but without, edges[i + 1]. */
struct buckets {
    uint64_t edges[MOST_BUCKETS + 1];
    uint64_t counts[MOST_BUCKETS], times[MOST_BUCKETS];
    size_t n;
};

/* Each is wider than the one before by the same factor. */
static void make_edges(struct buckets *b, const struct rln__pace *found)
{
    uint64_t least = UINT64_MAX, most = 0, from;
    double factor;

    for (size_t i = 0; i < found->n; i++) {
        const uint64_t ns = duration_of(&found->rows[i]);

        least = ns < least ? ns : least;
        most = ns > most ? ns : most;
    }
    from = least ? least : 1;
    factor = pow((double)most / (double)from, 1.0 / MOST_BUCKETS);
    b->edges[0] = least;
    for (size_t i = 1; i < MOST_BUCKETS; i++) {
        const uint64_t edge = (uint64_t)ceil((double)from * pow(factor, (double)i));

        if (edge > b->edges[b->n] && edge <= most)
            b->edges[++b->n] = edge;
    }
    b->edges[++b->n] = most + 1;
}

static void fill_buckets(struct buckets *b, const struct rln__pace *found)
{
    for (size_t i = 0; i < found->n; i++) {
        const uint64_t ns = duration_of(&found->rows[i]);
        size_t at = b->n - 1;

        while (ns < b->edges[at])
            at--;
        b->counts[at]++;
        b->times[at] += ns;
    }
}

static const rln_report_column histogram[] = {
    RLN__TIMES("From"),       RLN__TIMES("To"),          RLN__NUMBERS("Instances"),
    RLN__NUMBERS("Time (%)"), RLN__NUMBERS("Share (%)"),
};

static rln_status build_histogram(const struct rln__report_source *source,
                                  rln_report *out)
{
    struct buckets b = {.n = 0};
    uint64_t total = 0;
    struct rln__pace found;
    const rln_status status = find_pace(source, &found);

    if (status)
        return status;
    if (found.n) {
        make_edges(&b, &found);
        fill_buckets(&b, &found);
    }
    for (size_t i = 0; i < b.n; i++)
        total += b.times[i];
    for (size_t i = 0; i < b.n; i++) {
        rln__report_put_ns(out, b.edges[i]);
        rln__report_put_ns(out, b.edges[i + 1]);
        rln__report_put_count(out, b.counts[i]);
        rln__report_put_percent(out, b.times[i], total);
        rln__report_put_percent(out, b.counts[i], found.n);
    }
    rln__pace_clear(&found);
    return RLN_OK;
}

const struct rln__report_kind rln__report_histogram = {
    .about = {.name = "histogram",
              .title = "Histogram",
              .help = "durations of one range (histogram:NAME), by frequency",
              .subject = "such ranges",
              .is_of_a_range = 1},
    .build = build_histogram,
    RLN__COLUMNS(histogram),
};
