/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/pace.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/events.h"
#include "reports/each_sum.h"

#include <stdlib.h>
#include <string.h>

int rln__is_named(const char *name, rln_text domain, rln_text message)
{
    const size_t length = strlen(name);

    if (length == message.length && memcmp(name, message.bytes, length) == 0)
        return 1;
    return length == domain.length + 1 + message.length &&
           (!domain.length || memcmp(name, domain.bytes, domain.length) == 0) &&
           name[domain.length] == ':' &&
           (!message.length ||
            memcmp(name + domain.length + 1, message.bytes, message.length) == 0);
}

static int add(struct rln__pace *pace, const rln_range *range)
{
    struct rln__occurrence *rows =
        rln__grow(pace->rows, &pace->capacity, pace->n + 1, sizeof(*rows));

    if (!rows)
        return -1;
    pace->rows = rows;
    rows[pace->n++] = (struct rln__occurrence){
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

rln_status rln__pace_find(rln_reader *reader, const char *name, struct rln__pace *out,
                          rln_error *err)
{
    rln_status status;

    memset(out, 0, sizeof(*out));
    status = collect(reader, name, out, err);
    if (!status && fill_periods(out))
        status = rln__fail_nomem(err);
    if (status)
        rln__pace_clear(out);
    return status;
}

void rln__pace_clear(struct rln__pace *pace)
{
    rln__free(pace->rows);
    memset(pace, 0, sizeof(*pace));
}
