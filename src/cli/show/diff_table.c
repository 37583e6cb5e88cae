/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/diff_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/thousands.h"
#include "base/utf8.h"
#include "console/die.h"
#include "console/human_units.h"
#include "console/pager.h"
#include "console/stdout_error.h"
#include "table/cells.h"

/* In the formats for people. */
#define MOST_LISTED 50

/* --- A row ------------------------------------------------------------------------ */

/* Totals and counts are per trace. */
static double per_trace(const struct rln__diff_view *view, int side, uint64_t sum)
{
    const size_t n = rln__diff_count_traces(view->diff, side);

    return n ? (double)sum / (double)n : (double)sum;
}

static double value_of(const struct rln__diff_view *view,
                       const struct rln__diff_row *row, int side)
{
    const struct rln__diff_side *s = side ? &row->after : &row->before;

    if (view->on == RLN__DIFF_BY_MEDIAN)
        return s->median_ns;
    return view->on == RLN__DIFF_BY_P95 ? s->p95_ns
                                        : per_trace(view, side, s->total_ns);
}

/* In percent; NAN if only one side has ranges. */
static double change_of(const struct rln__diff_view *view,
                        const struct rln__diff_row *row)
{
    const double before = value_of(view, row, 0), after = value_of(view, row, 1);

    if (row->changes & (RLN__DIFF_NEW | RLN__DIFF_GONE))
        return NAN;
    if (before <= 0)
        return after <= 0 ? 0 : INFINITY;
    return (after / before - 1) * 100;
}

static double total_change_of(const struct rln__diff_view *view,
                              const struct rln__diff_row *row)
{
    return per_trace(view, 1, row->after.total_ns) -
           per_trace(view, 0, row->before.total_ns);
}

const char *rln__diff_verdict(const struct rln__diff_row *row)
{
    const unsigned c = row->changes;

    if (c & RLN__DIFF_NEW)
        return "new";
    if (c & RLN__DIFF_GONE)
        return "gone";
    if (c & RLN__DIFF_MIDDLE)
        return row->superiority > 0.5 ? "slower" : "faster";
    if (c & RLN__DIFF_TAIL)
        return row->after.p95_ns > row->before.p95_ns ? "slower tail" : "faster tail";
    if (c & RLN__DIFF_COUNT)
        return "other count";
    if (c & RLN__DIFF_UNSURE)
        return "unsure";
    return c & RLN__DIFF_FEW ? "too few" : "same";
}

/* Whether the compared statistic may have changed by more than noise. */
static bool is_real(const struct rln__diff_view *view, const struct rln__diff_row *row)
{
    unsigned which = RLN__DIFF_MIDDLE;

    if (view->on != RLN__DIFF_BY_MEDIAN)
        which |= RLN__DIFF_TAIL;
    if (view->on == RLN__DIFF_BY_TOTAL)
        which |= RLN__DIFF_COUNT;
    return row->changes & which;
}

static bool is_offender(const struct rln__diff_view *view,
                        const struct rln__diff_row *row)
{
    return is_real(view, row) && change_of(view, row) > view->limit;
}

bool rln__diff_may_exceed(const struct rln__diff_view *view,
                          const struct rln__diff_row *row)
{
    return (row->changes & RLN__DIFF_UNSURE) && !is_real(view, row) &&
           change_of(view, row) > view->limit;
}

static bool is_listed(const struct rln__diff_view *view,
                      const struct rln__diff_row *row)
{
    if (!row->before.n_ranges && !row->after.n_ranges)
        return false;
    if (!isnan(view->limit))
        return is_offender(view, row);
    return view->lists_all || (row->changes & ~(unsigned)RLN__DIFF_UNSURE);
}

/* --- Cells ------------------------------------------------------------------------ */

static void add_name(struct rln__buf *out, const struct rln__diff_row *row)
{
    rln__buf_add(out, row->domain_name.bytes, row->domain_name.length);
    rln__buf_text(out, row->is_default_domain ? "" : ":");
    rln__buf_add(out, row->message.bytes, row->message.length);
}

/* "step > solve" */
static void add_path(struct rln__table *t, const struct rln__diff *diff,
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
        rln__buf_text(&t->text, "... > ");
    while (n-- > 0) {
        add_name(&t->text, up[n]);
        rln__buf_text(&t->text, " > ");
    }
    add_name(&t->text, row);
    rln__table_cell(t);
}

static void add_duration(struct rln__table *t, double ns, bool is_there)
{
    if (is_there)
        rln__buf_duration(&t->text, ns);
    rln__table_cell(t);
}

/* "+12.3 %"; "+12.3 % (noise)" if something else has changed, such as the tail. */
static void add_change(struct rln__table *t, const struct rln__diff_view *view,
                       const struct rln__diff_row *row)
{
    const double percent = change_of(view, row);

    if (isinf(percent))
        rln__buf_text(&t->text, "from 0");
    else if (!isnan(percent))
        rln__buf_format(&t->text, "%+.1f %%", percent);
    if ((row->changes & (RLN__DIFF_MIDDLE | RLN__DIFF_TAIL)) && !is_real(view, row))
        rln__buf_text(&t->text, " (noise)");
    rln__table_cell(t);
}

static void add_signed(struct rln__table *t, double ns)
{
    rln__buf_char(&t->text, ns < 0 ? '-' : '+');
    rln__buf_duration(&t->text, fabs(ns));
    rln__table_cell(t);
}

static void add_mean_count(struct rln__buf *out, double n)
{
    if (n < 1e15 && fabs(n - floor(n)) < 1e-9)
        rln__buf_count(out, (uint64_t)n);
    else
        rln__buf_format(out, "%.1f", n);
}

/* "5", or "5 -> 7" */
static void add_counts(struct rln__table *t, const struct rln__diff_view *view,
                       const struct rln__diff_row *row)
{
    add_mean_count(&t->text, per_trace(view, 0, row->before.n_ranges));
    if (row->changes & RLN__DIFF_COUNT) {
        rln__buf_text(&t->text, " -> ");
        add_mean_count(&t->text, per_trace(view, 1, row->after.n_ranges));
    }
    rln__table_cell(t);
}

static const struct rln__column human_readable[] = {
    {"Verdict", RLN__TEXT},
    {"Change", RLN__NUMBER},
    {"Before", RLN__NUMBER},
    {"After", RLN__NUMBER},
    {"Total Change", RLN__NUMBER | RLN__SPARE(1)},
    {"Calls", RLN__NUMBER},
    {"Range", RLN__PATH},
};

static void add_readable(struct rln__table *t, const struct rln__diff_view *view,
                         const struct rln__diff_row *row)
{
    rln__cell_text(t, rln__diff_verdict(row));
    add_change(t, view, row);
    add_duration(t, value_of(view, row, 0), row->before.n_ranges != 0);
    add_duration(t, value_of(view, row, 1), row->after.n_ranges != 0);
    add_signed(t, total_change_of(view, row));
    add_counts(t, view, row);
    add_path(t, view->diff, row);
}

static const struct rln__column exact[] = {
    {"Verdict", RLN__TEXT},
    {"Change (%)", RLN__NUMBER},
    {"Med Before (@)", RLN__NUMBER},
    {"Med After (@)", RLN__NUMBER},
    {"P95 Before (@)", RLN__NUMBER},
    {"P95 After (@)", RLN__NUMBER},
    {"Total Before (@)", RLN__NUMBER},
    {"Total After (@)", RLN__NUMBER},
    {"Instances Before", RLN__NUMBER},
    {"Instances After", RLN__NUMBER},
    {"p", RLN__NUMBER},
    {"p Tail", RLN__NUMBER},
    {"p Runs", RLN__NUMBER},
    {"Longer (%)", RLN__NUMBER},
    {"Style", RLN__TEXT},
    {"Range", RLN__TEXT},
};

static void add_number(struct rln__table *t, const char *format, double value)
{
    if (isfinite(value))
        (void)rln__buf_format(&t->text, format, value);
    rln__table_cell(t);
}

static void add_exact(struct rln__table *t, const struct rln__diff_view *view,
                      const struct rln__diff_row *row)
{
    rln__cell_text(t, rln__diff_verdict(row));
    add_number(t, "%.2f", change_of(view, row));
    add_number(t, "%.1f", row->before.median_ns);
    add_number(t, "%.1f", row->after.median_ns);
    add_number(t, "%.0f", row->before.p95_ns);
    add_number(t, "%.0f", row->after.p95_ns);
    rln__cell_plain(t, row->before.total_ns, true);
    rln__cell_plain(t, row->after.total_ns, true);
    rln__cell_plain(t, row->before.n_ranges, true);
    rln__cell_plain(t, row->after.n_ranges, true);
    add_number(t, "%.3g", row->p_middle);
    add_number(t, "%.3g", row->p_tail);
    add_number(t, "%.3g", row->p_runs);
    add_number(t, "%.1f", row->superiority * 100);
    rln__cell_style(t, row->style);
    add_path(t, view->diff, row);
}

/* --- The whole -------------------------------------------------------------------- */

struct listed {
    const struct rln__diff_row *row;
    double total_change;
};

/* The largest effect on the whole first. */
static int by_total_change(const void *a, const void *b)
{
    const struct listed *x = a, *y = b;
    const double of_x = fabs(x->total_change), of_y = fabs(y->total_change);

    if (of_x > of_y || of_x < of_y)
        return of_x > of_y ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static size_t list(const struct rln__diff_view *view, struct listed **out)
{
    size_t n = 0, n_rows = 0;

    while (rln__diff_at(view->diff, n_rows))
        n_rows++;
    *out = calloc(n_rows + 1, sizeof(**out));
    if (!*out)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    for (size_t i = 0; i < n_rows; i++) {
        const struct rln__diff_row *row = rln__diff_at(view->diff, i);

        if (is_listed(view, row))
            (*out)[n++] = (struct listed){row, total_change_of(view, row)};
    }
    qsort(*out, n, sizeof(**out), by_total_change);
    return n;
}

static bool is_human_readable(const struct rln__diff_view *view)
{
    return view->format <= RLN__FORMAT_TABLE || view->format >= RLN__FORMAT_MARKDOWN;
}

/* With the first rows only, and a sentence besides; a page is of all rows. */
bool rln__diff_is_for_people(const struct rln__diff_view *view)
{
    return is_human_readable(view) && view->format <= RLN__FORMAT_MARKDOWN;
}

static void print_rows(const struct rln__diff_view *view, const struct listed *rows,
                       size_t n)
{
    const size_t most =
        rln__diff_is_for_people(view) && n > MOST_LISTED ? MOST_LISTED : n;
    struct rln__buf buf = {0};
    struct rln__table t;

    if (rln__diff_is_for_people(view) && n == 0)
        return;
    if (is_human_readable(view))
        rln__table_init(&t, human_readable, RLN_COUNT(human_readable));
    else
        rln__table_init(&t, exact, RLN_COUNT(exact));
    t.title = "Comparison";
    t.unit = is_human_readable(view) ? NULL : "ns";
    t.is_plain = is_human_readable(view);
    t.is_bold = rln__has_color();
    for (size_t i = 0; i < most; i++)
        (is_human_readable(view) ? add_readable : add_exact)(&t, view, rows[i].row);
    if (view->format == RLN__FORMAT_COLUMN)
        t.most_columns = rln__screen_columns();
    if (view->follows_summary)
        rln__buf_char(&buf, '\n');
    rln__table_print(&t, view->format, &buf);
    if (n > most)
        rln__buf_format(&buf, "\n... and %zu more: -f csv has all\n", n - most);
    (void)rln__write_out(&buf);
    rln__buf_clear(&buf);
    rln__table_clear(&t);
}

size_t rln__diff_table_print(const struct rln__diff_view *view)
{
    struct listed *rows; /* owned */
    const size_t n = list(view, &rows);

    print_rows(view, rows, n);
    free(rows);
    return n;
}
