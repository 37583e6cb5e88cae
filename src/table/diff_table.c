/* SPDX-License-Identifier: Apache-2.0 */
#include "table/diff_table.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/count.h"
#include "base/human_units.h"
#include "base/thousands.h"
#include "table/cells.h"

/* --- Cells ------------------------------------------------------------------------ */

static void add_duration(struct rln__table *t, double ns, bool is_there)
{
    if (is_there)
        rln__buf_duration(&t->text, ns);
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
    add_mean_count(&t->text, rln__diff_per_trace(view, 0, row->before.n_ranges));
    if (row->changes & RLN__DIFF_COUNT) {
        rln__buf_text(&t->text, " -> ");
        add_mean_count(&t->text, rln__diff_per_trace(view, 1, row->after.n_ranges));
    }
    rln__table_cell(t);
}

/* The third only if both sides have switches. */
enum { ON_CPU = 2 };

static const struct rln__column human_readable[] = {
    {"Verdict", RLN__TEXT},
    {"Change", RLN__NUMBER},
    [ON_CPU] = {"On CPU", RLN__NUMBER},
    {"Before", RLN__NUMBER},
    {"After", RLN__NUMBER},
    {"Total Change", RLN__NUMBER | RLN__SPARE(1)},
    {"Calls", RLN__NUMBER},
    {"Range", RLN__PATH},
};

static void begin_readable(struct rln__table *t, const struct rln__diff_view *view)
{
    rln__table_init(t, human_readable, ON_CPU);
    for (size_t i = ON_CPU; i < RLN_COUNT(human_readable); i++)
        if (i != ON_CPU || rln__diff_on_processor(view->diff))
            rln__table_add_column(t, human_readable[i].header, human_readable[i].kind);
}

static void add_readable(struct rln__table *t, const struct rln__diff_view *view,
                         const struct rln__diff_row *row)
{
    rln__cell_text(t, rln__diff_verdict(view, row));
    rln__buf_diff_change(&t->text, view, row);
    rln__table_cell(t);
    if (rln__diff_on_processor(view->diff)) {
        rln__buf_diff_on_processor(&t->text, view, row);
        rln__table_cell(t);
    }
    add_duration(t, rln__diff_value(view, row, 0), row->before.n_ranges != 0);
    add_duration(t, rln__diff_value(view, row, 1), row->after.n_ranges != 0);
    add_signed(t, rln__diff_total_change(view, row));
    add_counts(t, view, row);
    rln__buf_diff_path(&t->text, view->diff, row);
    rln__table_cell(t);
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
    {"Med Change From (%)", RLN__NUMBER},
    {"Med Change To (%)", RLN__NUMBER},
    {"Longer (%)", RLN__NUMBER},
    {"Med On CPU Before (@)", RLN__NUMBER},
    {"Med On CPU After (@)", RLN__NUMBER},
    {"p On CPU", RLN__NUMBER},
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
    const struct rln__diff_row *on = rln__diff_row_on_processor(view->diff, row);

    rln__cell_text(t, rln__diff_verdict(view, row));
    add_number(t, "%.2f", rln__diff_change(view, row));
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
    add_number(t, "%.2f", row->least_change * 100);
    add_number(t, "%.2f", row->most_change * 100);
    add_number(t, "%.1f", row->superiority * 100);
    add_number(t, "%.1f", on ? on->before.median_ns : NAN);
    add_number(t, "%.1f", on ? on->after.median_ns : NAN);
    add_number(t, "%.3g", on ? on->p_runs : NAN);
    rln__cell_style(t, row->style);
    rln__buf_diff_path(&t->text, view->diff, row);
    rln__table_cell(t);
}

/* --- The whole -------------------------------------------------------------------- */

struct listed {
    const struct rln__diff_row *row;
    double total_change;
    bool is_unsure;
};

/* What is sure first, and of that the largest effect on the whole. */
static int by_weight(const void *a, const void *b)
{
    const struct listed *x = a, *y = b;
    const double of_x = fabs(x->total_change), of_y = fabs(y->total_change);

    if (x->is_unsure != y->is_unsure)
        return x->is_unsure ? 1 : -1;
    if (of_x > of_y || of_x < of_y)
        return of_x > of_y ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Owned: those that are listed. NULL: no memory. */
static struct listed *list(const struct rln__diff_view *view, size_t *n)
{
    struct listed *rows;
    size_t n_rows = 0;

    *n = 0;
    while (rln__diff_at(view->diff, n_rows))
        n_rows++;
    rows = rln__alloc(n_rows + 1, sizeof(*rows));
    for (size_t i = 0; i < n_rows && rows; i++) {
        const struct rln__diff_row *row = rln__diff_at(view->diff, i);

        if (rln__diff_is_listed(view, row))
            rows[(*n)++] = (struct listed){row, rln__diff_total_change(view, row),
                                           (row->changes & RLN__DIFF_UNSURE) != 0};
    }
    if (rows)
        qsort(rows, *n, sizeof(*rows), by_weight);
    return rows;
}

size_t rln__diff_show(const struct rln__diff_view *view, bool is_for_people,
                      size_t most, struct rln__table *out)
{
    size_t n;
    struct listed *rows = list(view, &n); /* owned */

    if (is_for_people)
        begin_readable(out, view);
    else
        rln__table_init(out, exact, RLN_COUNT(exact));
    out->title = "Comparison";
    out->unit = is_for_people ? NULL : "ns";
    out->is_plain = is_for_people;
    out->text.has_failed |= !rows;
    for (size_t i = 0; i < n && i < most; i++)
        (is_for_people ? add_readable : add_exact)(out, view, rows[i].row);
    rln__free(rows);
    return n;
}
