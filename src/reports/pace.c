/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/pace.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/events.h"
#include "reports/countable_ns.h"
#include "reports/report_list.h"
#include "statistics/select.h"

#include <stdlib.h>
#include <string.h>

static int add(struct rln__pace *pace, const rln_range *range)
{
    struct rln__occurrence *row =
        rln__append(&pace->rows, &pace->n, &pace->capacity, sizeof(*row));

    if (!row)
        return -1;
    *row = (struct rln__occurrence){
        .start_ns = range->start_ns,
        .end_ns = range->end_ns,
        .thread = range->thread,
        .pid = range->pid,
        .tid = range->tid,
        .style = range->style,
        .domain_name = range->attributes.domain_name,
        .message = range->attributes.message,
    };
    return 0;
}

static rln_status collect(rln_reader *reader, const char *name, struct rln__pace *out,
                          rln_error *err)
{
    const rln_range *range;
    rln_ranges *ranges;
    rln_status status = rln_ranges_open(reader, &ranges, err);

    if (status)
        return status;
    while ((status = rln_ranges_next(ranges, &range, err)) == RLN_OK) {
        if (range->style > RLN_RANGE_START_END || rln__countable_ns(range) < 0)
            continue;
        if (rln__is_named(name, range->attributes.domain_name,
                          range->attributes.message)) {
            const rln_range inside = rln__range_inside(reader, range);

            if (add(out, &inside)) {
                status = rln__fail_nomem(err);
                break;
            }
        }
    }
    rln_ranges_close(ranges);
    return status == RLN_END ? RLN_OK : status;
}

/* --- Periods ---------------------------------------------------------------------- */

static int by_thread(const void *a, const void *b)
{
    const struct rln__occurrence *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

static int by_start(const void *a, const void *b)
{
    const struct rln__occurrence *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

/* Fills in the occurrences of one thread, in the order of starts. */
static int fill_thread(struct rln__occurrence *rows, size_t n)
{
    uint64_t *periods = rln__alloc(n, sizeof(*periods));
    double median;

    if (!periods)
        return -1;
    rows[0].is_first = 1;
    for (size_t i = 1; i < n; i++) {
        rows[i].gap_ns = rows[i].start_ns - rows[i - 1].end_ns;
        rows[i].period_ns = rows[i].start_ns - rows[i - 1].start_ns;
        periods[i - 1] = (uint64_t)rows[i].period_ns;
    }
    median = n > 1 ? (double)rln__select(periods, n - 1, (n - 1) / 2) : 0;
    for (size_t i = 1; i < n; i++)
        rows[i].drift_ns =
            rows[i].start_ns - rows[0].start_ns - (int64_t)(median * (double)i);
    rln__free(periods);
    return 0;
}

static int fill_periods(struct rln__pace *pace)
{
    if (!pace->n)
        return 0;
    qsort(pace->rows, pace->n, sizeof(*pace->rows), by_thread);
    for (size_t from = 0, to; from < pace->n; from = to) {
        for (to = from; to < pace->n; to++) {
            if (pace->rows[to].thread != pace->rows[from].thread)
                break;
        }
        if (fill_thread(&pace->rows[from], to - from))
            return -1;
    }
    qsort(pace->rows, pace->n, sizeof(*pace->rows), by_start);
    return 0;
}

rln_status rln__pace_find(const struct rln__report_source *source,
                          struct rln__pace *out)
{
    rln_status status = RLN_OK;

    memset(out, 0, sizeof(*out));
    if (source->argument)
        status = collect(source->reader, source->argument, out, source->err);
    if (!status && fill_periods(out))
        status = rln__fail_nomem(source->err);
    if (status)
        rln__pace_clear(out);
    return status;
}

void rln__pace_clear(struct rln__pace *pace)
{
    rln__free(pace->rows);
    memset(pace, 0, sizeof(*pace));
}

/* --- The report ------------------------------------------------------------------- */

static const rln_report_column columns[] = {
    RLN__NUMBERS("Number"), RLN__TIMES("Start"),  RLN__TIMES("Duration"),
    RLN__TIMES("Gap"),      RLN__TIMES("Period"), RLN__TIMES("Drift"),
    RLN__IDS("PID"),        RLN__IDS("TID"),      RLN__TEXTS("Style"),
    RLN__TEXTS("Range"),
};

static rln_status build_pace(const struct rln__report_source *source, rln_report *out)
{
    struct rln__pace found;
    const rln_status status = rln__pace_find(source, &found);

    if (status)
        return status;
    for (size_t i = 0; i < found.n; i++) {
        const struct rln__occurrence *o = &found.rows[i];

        rln__report_put_count(out, i);
        rln__report_put_time(out, o->start_ns);
        rln__report_put_ns(out, rln__duration_of(o));
        rln__report_put_distance(out, o->gap_ns);
        rln__report_put_distance(out, o->period_ns);
        rln__report_put_distance(out, o->drift_ns);
        rln__report_only_if(out, !o->is_first, 3);
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
              .is_of_a_range = 1,
              .details =
                  "pace:DOMAIN:NAME, pace::NAME (default domain) or pace:NAME "
                  "(all domains together); \\ escapes a comma. Without NAME: the "
                  "range with the longest total, if possible one that ran at "
                  "least ten times. One row per range of either style, by Start. "
                  "Gap: since the end of the previous one on the thread; Period: "
                  "since its start; Drift: delay against a constant median "
                  "period."},
    .build = build_pace,
    RLN__COLUMNS(columns),
};
