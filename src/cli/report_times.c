/* SPDX-License-Identifier: Apache-2.0 */
/* report_times.c - when ranges come, how their durations spread, and which stand out.
 */
#include "cli/cells.h"
#include "cli/report.h"

#include <math.h>
#include <string.h>

#include "analyze/gaps.h"
#include "analyze/outliers.h"
#include "analyze/pace.h"
#include "base/fail.h"
#include "cli/die.h"
#include "cli/opened.h"

#define MOST_OUTLIERS 20

/* --- gaps ------------------------------------------------------------------------- */

static const struct rln__column gaps[] = {
    {"Time (%)", RLN__NUMBER},  {"Total Time (@)", RLN__NUMBER},
    {"Instances", RLN__NUMBER}, {"Avg (@)", RLN__NUMBER},
    {"Med (@)", RLN__NUMBER},   {"Min (@)", RLN__NUMBER},
    {"Max (@)", RLN__NUMBER},   {"After", RLN__TEXT},
    {"Before", RLN__TEXT},
};

bool rln__fill_gaps(const struct rln__report *report,
                    const struct rln__report_data *data,
                    const struct rln__report_look *look, struct rln__table *t)
{
    struct rln__gaps found;
    rln_error err = {0};
    uint64_t total = 0;
    bool has_rows;

    (void)report;
    rln__die_if(rln__gaps_find(data->nesting, &found, &err), &err);
    rln__table_init(t, gaps, RLN_COUNT(gaps));
    for (size_t i = 0; i < found.n; i++)
        total += found.rows[i].total_ns;
    for (size_t i = 0; i < found.n; i++) {
        const struct rln__gap_row *row = &found.rows[i];

        rln__cell_percent(t, row->total_ns, total);
        rln__cell_ns(t, look, row->total_ns);
        rln__cell_count(t, look, row->n);
        rln__cell_computed(t, look, row->spread.average);
        rln__cell_computed(t, look, row->spread.median);
        rln__cell_ns(t, look, row->min_ns);
        rln__cell_ns(t, look, row->max_ns);
        rln__cell_qualified(t, row->after.domain_name, row->after.message);
        rln__cell_qualified(t, row->before.domain_name, row->before.message);
    }
    has_rows = found.n > 0;
    rln__gaps_clear(&found);
    return has_rows;
}

/* --- outliers --------------------------------------------------------------------- */

static const struct rln__column outliers[] = {
    {"Excess (@)", RLN__NUMBER},
    {"Duration (@)", RLN__NUMBER},
    {"Med (@)", RLN__NUMBER},
    {"Times", RLN__NUMBER},
    {"Start (@)", RLN__NUMBER},
    {"PID", RLN__ID},
    {"TID", RLN__ID},
    {"Range", RLN__TEXT},
    {"Parent", RLN__TEXT},
    {"Longest Child", RLN__TEXT},
    {"Its Duration (@)", RLN__NUMBER},
};

static void add_other(struct rln__table *t, const rln_nesting *nesting, size_t index)
{
    rln_nested other;

    if (rln_nesting_get(nesting, index, &other))
        rln__cell_qualified(t, other.domain_name, other.message);
    else
        rln__table_cell(t);
}

static void add_outlier(struct rln__table *t, const struct rln__report_look *look,
                        const rln_nesting *nesting, const struct rln__outlier *row)
{
    rln_nested range, child;
    uint64_t ns;

    (void)rln_nesting_get(nesting, row->range, &range);
    ns = (uint64_t)(range.end_ns - range.start_ns);
    rln__cell_computed(t, look, row->excess_ns);
    rln__cell_ns(t, look, ns);
    rln__cell_computed(t, look, row->median_ns);
    rln__buf_format(&t->text, "%.1f", (double)ns / row->median_ns);
    rln__table_cell(t);
    rln__cell_moment(t, look, range.start_ns);
    rln__cell_plain(t, range.pid, true);
    rln__cell_plain(t, range.tid, true);
    rln__cell_qualified(t, range.domain_name, range.message);
    add_other(t, nesting, range.parent);
    add_other(t, nesting, row->longest_child);
    if (rln_nesting_get(nesting, row->longest_child, &child))
        rln__cell_ns(t, look, (uint64_t)(child.end_ns - child.start_ns));
    else
        rln__table_cell(t);
}

bool rln__fill_outliers(const struct rln__report *report,
                        const struct rln__report_data *data,
                        const struct rln__report_look *look, struct rln__table *t)
{
    struct rln__outliers found;
    rln_error err = {0};
    bool has_rows;

    (void)report;
    rln__die_if(rln__outliers_find(data->nesting, MOST_OUTLIERS, &found, &err), &err);
    rln__table_init(t, outliers, RLN_COUNT(outliers));
    for (size_t i = 0; i < found.n; i++)
        add_outlier(t, look, data->nesting, &found.rows[i]);
    has_rows = found.n > 0;
    rln__outliers_clear(&found);
    return has_rows;
}

/* --- pace ------------------------------------------------------------------------- */

static const struct rln__column pace[] = {
    {"Number", RLN__NUMBER},
    {"Start (@)", RLN__NUMBER},
    {"Duration (@)", RLN__NUMBER},
    {"Gap (@)", RLN__NUMBER},
    {"Period (@)", RLN__NUMBER},
    {"Drift (@)", RLN__NUMBER},
    {"PID", RLN__ID},
    {"TID", RLN__ID},
    {"Style", RLN__TEXT},
    {"Range", RLN__TEXT},
};

static uint64_t duration_of(const struct rln__occurrence *o)
{
    return (uint64_t)(o->end_ns - o->start_ns);
}

bool rln__fill_pace(const struct rln__report *report,
                    const struct rln__report_data *data,
                    const struct rln__report_look *look, struct rln__table *t)
{
    struct rln__pace found;
    rln_error err = {0};
    bool has_rows;

    (void)report;
    rln__table_init(t, pace, RLN_COUNT(pace));
    if (!data->argument) /* there is no range at all */
        return false;
    rln__die_if(rln__pace_find(data->reader, data->argument, &found, &err), &err);
    for (size_t i = 0; i < found.n; i++) {
        const struct rln__occurrence *o = &found.rows[i];
        const int64_t apart[] = {o->gap_ns, o->period_ns, o->drift_ns};

        rln__cell_count(t, look, i);
        rln__cell_moment(t, look, o->start_ns);
        rln__cell_ns(t, look, duration_of(o));
        for (size_t k = 0; k < RLN_COUNT(apart); k++) {
            if (o->is_first)
                rln__table_cell(t);
            else
                rln__cell_signed(t, look, apart[k]);
        }
        rln__cell_plain(t, o->pid, true);
        rln__cell_plain(t, o->tid, true);
        rln__cell_style(t, o->style);
        rln__cell_qualified(t, o->domain_name, o->message);
    }
    has_rows = found.n > 0;
    rln__pace_clear(&found);
    return has_rows;
}

/* --- histogram -------------------------------------------------------------------- */

#define MOST_BUCKETS 16

/* Bucket i is from edges[i] up to, but without, edges[i + 1]. */
struct buckets {
    uint64_t edges[MOST_BUCKETS + 1];
    uint64_t counts[MOST_BUCKETS], times[MOST_BUCKETS];
    size_t n;
};

/* Each is by the same factor wider than the one before. */
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

static const struct rln__column histogram[] = {
    {"From (@)", RLN__NUMBER}, {"To (@)", RLN__NUMBER},    {"Instances", RLN__NUMBER},
    {"Time (%)", RLN__NUMBER}, {"Share (%)", RLN__NUMBER}, {"", RLN__TEXT},
};

bool rln__fill_histogram(const struct rln__report *report,
                         const struct rln__report_data *data,
                         const struct rln__report_look *look, struct rln__table *t)
{
    struct buckets b = {.n = 0};
    uint64_t total = 0, most = 0;
    struct rln__pace found;
    rln_error err = {0};

    (void)report;
    rln__table_init(t, histogram, RLN_COUNT(histogram) - !look->is_aligned);
    if (!data->argument)
        return false;
    rln__die_if(rln__pace_find(data->reader, data->argument, &found, &err), &err);
    if (found.n) {
        make_edges(&b, &found);
        fill_buckets(&b, &found);
    }
    for (size_t i = 0; i < b.n; i++) {
        total += b.times[i];
        most = b.counts[i] > most ? b.counts[i] : most;
    }
    for (size_t i = 0; i < b.n; i++) {
        rln__cell_ns(t, look, b.edges[i]);
        rln__cell_ns(t, look, b.edges[i + 1]);
        rln__cell_count(t, look, b.counts[i]);
        rln__cell_percent(t, b.times[i], total);
        rln__cell_percent(t, b.counts[i], found.n);
        if (look->is_aligned)
            rln__cell_bar(t, b.counts[i], most);
    }
    rln__pace_clear(&found);
    return b.n > 0;
}
