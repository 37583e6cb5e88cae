/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/diff/diff_view.h"

#include <math.h>
#include <string.h>

#include "base/count.h"
#include "base/thousands.h"

double rln__diff_per_trace(const struct rln__diff_view *view, int side, uint64_t sum)
{
    const size_t n = rln__diff_count_traces(view->diff, side);

    return n ? (double)sum / (double)n : (double)sum;
}

double rln__diff_value(const struct rln__diff_view *view,
                       const struct rln__diff_row *row, int side)
{
    const struct rln__diff_side *s = side ? &row->after : &row->before;

    if (view->on == RLN__DIFF_BY_MEDIAN)
        return s->median_ns;
    return view->on == RLN__DIFF_BY_P95 ? s->p95_ns
                                        : rln__diff_per_trace(view, side, s->total_ns);
}

double rln__diff_change(const struct rln__diff_view *view,
                        const struct rln__diff_row *row)
{
    const double before = rln__diff_value(view, row, 0),
                 after = rln__diff_value(view, row, 1);

    if (row->changes & (RLN__DIFF_NEW | RLN__DIFF_GONE))
        return NAN;
    if (before <= 0)
        return after <= 0 ? 0 : INFINITY;
    return (after / before - 1) * 100;
}

double rln__diff_total_change(const struct rln__diff_view *view,
                              const struct rln__diff_row *row)
{
    return rln__diff_per_trace(view, 1, row->after.total_ns) -
           rln__diff_per_trace(view, 0, row->before.total_ns);
}

/* Which of the changes go the way of the compared statistic: the middle and the tail may
 * go opposite ways, and the statistic another way than the rank test. */
static unsigned changes_alike(const struct rln__diff_view *view,
                              const struct rln__diff_row *row)
{
    const bool has_grown = rln__diff_change(view, row) > 0;
    unsigned alike = 0;

    if (has_grown == (row->superiority > 0.5))
        alike |= RLN__DIFF_MIDDLE;
    if (view->on != RLN__DIFF_BY_MEDIAN &&
        has_grown == (row->after.p95_ns > row->before.p95_ns))
        alike |= RLN__DIFF_TAIL;
    if (view->on == RLN__DIFF_BY_TOTAL)
        alike |= RLN__DIFF_COUNT;
    return row->changes & alike;
}

const char *rln__diff_verdict(const struct rln__diff_view *view,
                              const struct rln__diff_row *row)
{
    const unsigned c = row->changes;
    const unsigned alike = changes_alike(view, row);
    const bool is_of_tail = alike & RLN__DIFF_TAIL && !(alike & RLN__DIFF_MIDDLE);

    if (c & RLN__DIFF_NEW)
        return "new";
    if (c & RLN__DIFF_GONE)
        return "gone";
    if (c & RLN__DIFF_MIDDLE && !is_of_tail)
        return row->superiority > 0.5 ? "slower" : "faster";
    if (c & RLN__DIFF_TAIL)
        return row->after.p95_ns > row->before.p95_ns ? "slower tail" : "faster tail";
    if (c & RLN__DIFF_COUNT)
        return "other count";
    if (c & RLN__DIFF_UNSURE)
        return "unsure";
    return c & RLN__DIFF_FEW ? "too few" : "same";
}

bool rln__diff_is_real(const struct rln__diff_view *view,
                       const struct rln__diff_row *row)
{
    return changes_alike(view, row);
}

bool rln__diff_exceeds(const struct rln__diff_view *view,
                       const struct rln__diff_row *row)
{
    return rln__diff_is_real(view, row) && rln__diff_change(view, row) > view->limit;
}

bool rln__diff_may_exceed(const struct rln__diff_view *view,
                          const struct rln__diff_row *row)
{
    return (row->changes & RLN__DIFF_UNSURE) && !rln__diff_is_real(view, row) &&
           rln__diff_change(view, row) > view->limit;
}

bool rln__diff_is_of_sums(const struct rln__diff_row *row)
{
    return row->changes & RLN__DIFF_UNSURE && isnan(row->least_change);
}

/* Most of what it takes longer must be elsewhere: that no change was found on the
 * processor is no proof of none. */
bool rln__diff_is_off_processor(const struct rln__diff_view *view,
                                const struct rln__diff_row *row)
{
    const struct rln__diff_row *on = rln__diff_row_on_processor(view->diff, row);

    return on && row->changes & RLN__DIFF_MIDDLE && row->superiority > 0.5 &&
           !(on->changes & RLN__DIFF_MIDDLE) &&
           on->after.median_ns - on->before.median_ns <
               (row->after.median_ns - row->before.median_ns) / 4;
}

bool rln__diff_is_listed(const struct rln__diff_view *view,
                         const struct rln__diff_row *row)
{
    if (!row->before.n_ranges && !row->after.n_ranges)
        return false;
    if (!isnan(view->limit))
        return rln__diff_exceeds(view, row) || rln__diff_may_exceed(view, row);
    return view->lists_all || (row->changes & ~(unsigned)RLN__DIFF_FEW);
}

bool rln__diff_has_one_run(const struct rln__diff *diff)
{
    return rln__diff_count_runs(diff, RLN__DIFF_BEFORE) == 1 &&
           rln__diff_count_runs(diff, RLN__DIFF_AFTER) == 1;
}

static void add_verdicts(struct rln__buf *out, const size_t *counts,
                         const char *const *verdicts, size_t n)
{
    const char *separator = ":";

    for (size_t k = 0; k < n; k++) {
        if (counts[k])
            rln__buf_format(out, "%s %zu %s", separator, counts[k], verdicts[k]);
        separator = counts[k] ? "," : separator;
    }
}

void rln__buf_diff_summary(struct rln__buf *out, const struct rln__diff_view *view,
                           rln_text filter)
{
    static const char *const verdicts[] = {
        "slower", "slower tail", "faster", "faster tail", "new",
        "gone",   "other count", "unsure", "too few",     "same"};
    size_t counts[RLN_COUNT(verdicts)] = {0}, n = 0;
    const struct rln__diff_row *row;

    for (size_t i = 0; (row = rln__diff_at(view->diff, i)); i++) {
        if (!row->before.n_ranges && !row->after.n_ranges)
            continue;
        n++;
        for (size_t k = 0; k < RLN_COUNT(verdicts); k++)
            counts[k] += strcmp(rln__diff_verdict(view, row), verdicts[k]) == 0;
    }
    rln__buf_counted(out, n, "range", "ranges");
    if (filter.length)
        rln__buf_format(out, " (%.*s)", (int)filter.length, filter.bytes);
    if (!rln__diff_has_one_run(view->diff)) {
        rln__buf_text(out, ", ");
        rln__buf_counted(out, rln__diff_count_runs(view->diff, RLN__DIFF_BEFORE), "run",
                         "runs");
        rln__buf_format(out, " before and %zu after",
                        rln__diff_count_runs(view->diff, RLN__DIFF_AFTER));
    }
    add_verdicts(out, counts, verdicts, RLN_COUNT(verdicts));
}

static void add_name(struct rln__buf *out, const struct rln__diff_row *row)
{
    rln__buf_add(out, row->domain_name.bytes, row->domain_name.length);
    rln__buf_text(out, row->is_default_domain ? "" : ":");
    rln__buf_add(out, row->message.bytes, row->message.length);
}

void rln__buf_diff_path(struct rln__buf *out, const struct rln__diff *diff,
                        const struct rln__diff_row *row)
{
    const struct rln__diff_row *up[64]; /* further ones outside these are left out */
    const struct rln__diff_row *at = row;
    size_t n = 0;

    while (at->parent != SIZE_MAX && n < RLN_COUNT(up)) {
        at = rln__diff_at(diff, at->parent);
        up[n++] = at;
    }
    if (at->parent != SIZE_MAX)
        rln__buf_text(out, "... > ");
    while (n-- > 0) {
        add_name(out, up[n]);
        rln__buf_text(out, " > ");
    }
    add_name(out, row);
}

void rln__buf_diff_change(struct rln__buf *out, const struct rln__diff_view *view,
                          const struct rln__diff_row *row)
{
    const double percent = rln__diff_change(view, row);

    if (isinf(percent))
        rln__buf_text(out, "from 0");
    else if (!isnan(percent))
        rln__buf_format(out, "%+.1f %%", percent);
    if (row->changes & RLN__DIFF_UNSURE && view->on == RLN__DIFF_BY_MEDIAN &&
        !rln__diff_is_of_sums(row))
        rln__buf_format(out, " (%+.1f to %+.1f)", row->least_change * 100,
                        row->most_change * 100);
    else if ((row->changes & (RLN__DIFF_MIDDLE | RLN__DIFF_TAIL)) &&
             !rln__diff_is_real(view, row))
        rln__buf_text(out, " (noise)");
}

void rln__buf_diff_on_processor(struct rln__buf *out, const struct rln__diff_view *view,
                                const struct rln__diff_row *row)
{
    const struct rln__diff_row *on = rln__diff_row_on_processor(view->diff, row);
    const struct rln__diff_view by_processor = {.diff =
                                                    rln__diff_on_processor(view->diff),
                                                .on = RLN__DIFF_BY_MEDIAN,
                                                .limit = NAN};

    if (on)
        rln__buf_diff_change(out, &by_processor, on);
}
