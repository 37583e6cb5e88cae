/* SPDX-License-Identifier: Apache-2.0 */
/* query_counters.c - the bounds and the mean of counters in a span of time. Of the whole
 * trace they are what the report counter_sum says:
 *
 *         from                  to
 *   o------|---o-----------o----|---o      what holds between two samples counts as long
 *          |///|///////////|////|          as it is in the span; the mean of a counter
 *                                          without an interpolation is that of samples
 *
 * Of a bucket of several samples only the last value and the bounds are known.
 */
#include "query/query_counters.h"

#include "base/json.h"
#include "rangeline/values.h"

#include <math.h>

struct measure {
    int64_t from_ns, to_ns;
    double least, most;  /* NaN: none yet */
    int64_t at_ns;       /* when it is the most for the first time */
    int64_t least_at_ns; /* and when it is the least */
    double area, covered_ns;
    double sum; /* of samples */
    uint64_t n;
    int is_rough;
};

static void hold(struct measure *m, double value, int64_t ns)
{
    if (isnan(value))
        return;
    if (isnan(m->most) || value > m->most) {
        m->most = value;
        m->at_ns = ns;
    }
    if (isnan(m->least) || value < m->least) {
        m->least = value;
        m->least_at_ns = ns;
    }
}

/* Over a part of the span, at whose ends a line has these values. */
static void hold_between(struct measure *m, double first, double last, int64_t from_ns,
                         int64_t to_ns)
{
    const double ns = (double)to_ns - (double)from_ns;

    hold(m, first, from_ns);
    hold(m, last, to_ns);
    if (isnan(first + last))
        return;
    m->area += (first + (last - first) / 2) * ns;
    m->covered_ns += ns;
}

static void add_sample(struct measure *m, const struct rln__sample_bucket *s)
{
    const double middle = s->n > 1 ? s->least + (s->most - s->least) / 2 : s->value;
    const int64_t from = s->first_ns > m->from_ns ? s->first_ns : m->from_ns;
    const int64_t to = s->last_ns < m->to_ns ? s->last_ns : m->to_ns;

    if (from > to || isnan(middle))
        return;
    if (s->n > 1) {
        m->is_rough = 1;
        hold_between(m, middle, middle, from, to);
        hold(m, s->least, from);
        hold(m, s->most, from);
    }
    hold(m, s->value, to);
    m->n += s->n;
    m->sum += middle * s->n;
}

/* What holds from a sample to the next. */
static void add_between(struct measure *m, const struct rln__sample_bucket *a,
                        const struct rln__sample_bucket *b, int interpolation)
{
    const int64_t from = a->last_ns > m->from_ns ? a->last_ns : m->from_ns;
    const int64_t to = b->first_ns < m->to_ns ? b->first_ns : m->to_ns;
    const double ns = (double)b->first_ns - (double)a->last_ns;
    const double slope = (b->value - a->value) / ns;

    if (from >= to || interpolation == RLN_INTERPOLATION_POINT)
        return;
    if (interpolation == RLN_INTERPOLATION_SINCE_LAST)
        hold_between(m, b->value, b->value, from, to);
    else if (interpolation == RLN_INTERPOLATION_LINEAR)
        hold_between(m, a->value + slope * ((double)from - (double)a->last_ns),
                     b->value - slope * ((double)b->first_ns - (double)to), from, to);
    else
        hold_between(m, a->value, a->value, from, to);
}

static void measure(struct measure *m, struct rln__lod_row *row)
{
    struct rln__sample_buckets *d = &row->sample_buckets;
    const int by = row->semantics.interpolation;
    size_t i = rln__sample_buckets_from(d, m->from_ns);

    for (; i < d->n && d->items[i].first_ns <= m->to_ns; i++) {
        add_sample(m, &d->items[i]);
        if (i + 1 < d->n)
            add_between(m, &d->items[i], &d->items[i + 1], by);
        else if (d->items[i].last_ns < m->from_ns &&
                 (by == RLN_INTERPOLATION_UNTIL_NEXT ||
                  by == RLN_INTERPOLATION_UNKNOWN))
            hold(m, d->items[i].value, m->from_ns); /* as it is drawn */
    }
}

static double mean_of(const struct measure *m, int interpolation)
{
    const int is_over_time = interpolation != RLN_INTERPOLATION_UNKNOWN &&
                             interpolation != RLN_INTERPOLATION_POINT;

    if (m->covered_ns > 0 && (is_over_time || !m->n))
        return m->area / m->covered_ns;
    return m->n ? m->sum / (double)m->n : m->most;
}

static void put(struct rln__buf *out, const char *key, double value)
{
    rln__json_key(out, key);
    rln__put_real(out, value);
}

int rln__query_counters(const struct rln__query_context *a, struct rln__buf *out)
{
    const struct rln__question *q = a->question;
    int n = 0;

    rln__buf_text(out, "{\"rows\":[");
    for (size_t i = 0; i < q->n_rows; i++) {
        struct rln__lod_row *row;
        struct measure m = {
            .from_ns = q->from, .to_ns = q->to, .least = NAN, .most = NAN};

        if (q->rows[i] >= a->lod->n_rows)
            return 404;
        row = &a->lod->rows[q->rows[i]];
        if (row->kind == RLN__LOD_COUNTER)
            measure(&m, row);
        if (isnan(m.most))
            continue;
        rln__buf_format(out, "%s{\"row\":%u,\"n\":%llu", n++ ? ",\n" : "", q->rows[i],
                        (unsigned long long)m.n);
        rln__json_i64(out, "at", m.at_ns);
        rln__json_i64(out, "leastAt", m.least_at_ns);
        put(out, "least", m.least);
        put(out, "mean", mean_of(&m, row->semantics.interpolation));
        put(out, "most", m.most);
        if (m.is_rough)
            rln__json_bool(out, "isRough", 1);
        rln__buf_char(out, '}');
    }
    rln__buf_text(out, "]}");
    return 200;
}
