/* SPDX-License-Identifier: Apache-2.0 */
/* top_page.c - prints a refresh for people:
 *
 *     one line of sums
 *     threads, and their open ranges
 *     ranges, those with most time first
 */
#include "cli/commands/top/top_page.h"

#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/human_units.h"
#include "base/key_index.h"
#include "base/thousands.h"
#include "base/utf8.h"
#include "console/die.h"
#include "table/cells.h"

const struct rln__top_order_info rln__top_orders[RLN__TOP_N_ORDERS] = {
    [RLN__TOP_BY_TIME] = {"time", 't'},   [RLN__TOP_BY_SELF] = {"self", 's'},
    [RLN__TOP_BY_CALLS] = {"calls", 'c'}, [RLN__TOP_BY_MAX] = {"max", 'm'},
    [RLN__TOP_BY_OPEN] = {"open", 'o'},   [RLN__TOP_BY_NAME] = {"name", 'n'},
};

static double seconds_of(const struct rln__top *top)
{
    const rln_live_totals *t = rln_live_get_totals(top->live);

    return t->to_ns > t->from_ns ? (double)(t->to_ns - t->from_ns) / 1e9 : 0;
}

/* "210,345", "0.3" */
static void add_rate(struct rln__buf *buf, uint64_t n, double seconds)
{
    const double rate = seconds > 0 ? (double)n / seconds : 0;

    if (rate >= 9.95 || n == 0)
        rln__buf_count(buf, (uint64_t)(rate + 0.5));
    else
        rln__buf_format(buf, "%.1f", rate);
}

static void cell_rate(struct rln__table *t, uint64_t n, double seconds)
{
    add_rate(&t->text, n, seconds);
    rln__table_cell(t);
}

static void cell_age(struct rln__table *t, int64_t ns)
{
    rln__buf_duration(&t->text, ns > 0 ? (double)ns : 0);
    rln__table_cell(t);
}

static void cell_percent(struct rln__table *t, uint64_t part, uint64_t whole)
{
    rln__buf_format(&t->text, "%.1f",
                    whole ? 100.0 * (double)part / (double)whole : 0.0);
    rln__table_cell(t);
}

/* Domain and message, "http:request"; in the default domain only the message. */
static void add_name(struct rln__buf *buf, rln_text domain, rln_text message)
{
    rln__buf_add(buf, domain.bytes, domain.length);
    if (domain.length)
        rln__buf_char(buf, ':');
    rln__buf_add(buf, message.bytes, message.length);
}

static void print_table(const struct rln__top *top, struct rln__table *t,
                        struct rln__buf *out)
{
    t->is_plain = true;
    t->is_bold = top->has_color;
    t->most_columns = top->columns;
    rln__table_print(t, RLN__FORMAT_COLUMN, out);
    rln__table_clear(t);
}

/* --- The first line --------------------------------------------------------------- */

static void add_totals(const struct rln__top *top, struct rln__buf *out)
{
    const rln_live_totals *t = rln_live_get_totals(top->live);

    (void)rln__buf_printable(out, top->name, strlen(top->name));
    rln__buf_text(out, "  ");
    rln__buf_duration(out, t->to_ns > 0 ? (double)t->to_ns : 0);
    rln__buf_text(out, "  ");
    rln__buf_count(out, t->n_all);
    rln__buf_text(out, " events, ");
    add_rate(out, t->n_events, seconds_of(top));
    rln__buf_text(out, "/s  ");
    rln__buf_size(out, top->n_bytes);
    rln__buf_text(out, top->is_first ? "  since it began" : "  in the last ");
    if (!top->is_first)
        rln__buf_duration(out, seconds_of(top) * 1e9);
    if (top->order != RLN__TOP_BY_TIME)
        rln__buf_format(out, ", by %s", rln__top_orders[top->order].name);
    rln__buf_char(out, '\n');
}

/* Why these numbers are less than the whole. */
static void add_warnings(const struct rln__top *top, struct rln__buf *out)
{
    const rln_live_totals *t = rln_live_get_totals(top->live);

    if (top->state)
        rln__buf_format(out, "not recording: %s\n", top->state);
    if (top->n_lost) {
        rln__buf_count(out, top->n_lost);
        rln__buf_text(out, " events were dropped, ");
        rln__buf_count(out, top->n_lost_now);
        rln__buf_text(out, " of them since the last refresh\n");
    }
    if (t->n_overruns)
        rln__buf_text(out, "events were overwritten between two refreshes: use a "
                           "shorter --delay, or record with a larger --buffer\n");
}

/* --- Threads ---------------------------------------------------------------------- */

#define MOST_LISTED 30 /* if there is no screen */

/* The number of threads that get a line; further ones are counted. */
static size_t lines_for_threads(const struct rln__top *top, size_t n)
{
    const size_t most = !top->rows ? MOST_LISTED : top->rows < 16 ? 4 : top->rows / 3;

    return n < most ? n : most;
}

/* Each thread keeps its line. */
static int by_number(const void *a, const void *b)
{
    const rln_live_thread *x = *(const rln_live_thread *const *)a;
    const rln_live_thread *y = *(const rln_live_thread *const *)b;

    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    return (x->tid > y->tid) - (x->tid < y->tid);
}

/* If not all have one: threads with open ranges come first. */
static int by_events(const void *a, const void *b)
{
    const rln_live_thread *x = *(const rln_live_thread *const *)a;
    const rln_live_thread *y = *(const rln_live_thread *const *)b;

    if (!x->n_stack != !y->n_stack)
        return x->n_stack ? -1 : 1;
    if (x->n_events != y->n_events)
        return x->n_events > y->n_events ? -1 : 1;
    return by_number(a, b);
}

static void add_thread(const struct rln__top *top, struct rln__table *t,
                       const rln_live_thread *thread)
{
    const int64_t now_ns = rln_live_get_totals(top->live)->to_ns;

    rln__buf_format(&t->text, "%u/%u", thread->pid, thread->tid);
    if (thread->name.length)
        rln__buf_char(&t->text, ' ');
    rln__cell_name(t, thread->name);
    cell_rate(t, thread->n_events, seconds_of(top));
    cell_age(t, now_ns - (thread->n_stack ? thread->stack[thread->n_stack - 1].start_ns
                                          : thread->last_ns));
    for (size_t i = 0; i < thread->n_stack; i++) {
        if (i)
            rln__buf_text(&t->text, " > ");
        add_name(&t->text, thread->stack[i].domain_name, thread->stack[i].message);
    }
    if (!thread->n_stack)
        rln__buf_text(&t->text, "(outside)");
    rln__table_cell(t);
}

static void add_threads(const struct rln__top *top, struct rln__buf *out)
{
    static const struct rln__column columns[] = {
        {"Thread", RLN__TEXT},
        {"Events/s", RLN__NUMBER},
        {"For", RLN__NUMBER},
        {"Now", RLN__PATH},
    };
    size_t n, n_lines;
    const rln_live_thread *threads = rln_live_threads(top->live, &n);
    const rln_live_thread **order; /* owned */
    struct rln__table t;

    if (n == 0)
        return;
    order = calloc(n, sizeof(*order));
    if (!order)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    for (size_t i = 0; i < n; i++)
        order[i] = &threads[i];
    n_lines = lines_for_threads(top, n);
    qsort(order, n, sizeof(*order), n_lines < n ? by_events : by_number);
    rln__table_init(&t, columns, RLN_COUNT(columns));
    for (size_t i = 0; i < n_lines; i++)
        add_thread(top, &t, order[i]);
    rln__buf_char(out, '\n');
    print_table(top, &t, out);
    if (n_lines < n)
        rln__buf_format(out, " and %zu more\n", n - n_lines);
    free(order);
}

/* --- Ranges ----------------------------------------------------------------------- */

static uint64_t weight_of(const rln_live_row *row, enum rln__top_order order)
{
    switch (order) {
    case RLN__TOP_BY_SELF:
        return row->self_ns;
    case RLN__TOP_BY_CALLS:
        return row->n_ended;
    case RLN__TOP_BY_MAX:
        return row->max_ns;
    case RLN__TOP_BY_OPEN:
        return row->n_open;
    default:
        return row->total_ns;
    }
}

static enum rln__top_order sorted_by; /* qsort() takes no context */

static int by_order(const void *a, const void *b)
{
    const rln_live_row *x = *(const rln_live_row *const *)a;
    const rln_live_row *y = *(const rln_live_row *const *)b;
    const enum rln__top_order keys[] = {sorted_by, RLN__TOP_BY_SELF, RLN__TOP_BY_TIME};
    int order;

    for (size_t i = 0; i < RLN_COUNT(keys) && sorted_by != RLN__TOP_BY_NAME; i++) {
        const uint64_t a_ns = weight_of(x, keys[i]), b_ns = weight_of(y, keys[i]);

        if (a_ns != b_ns)
            return a_ns > b_ns ? -1 : 1;
    }
    order = rln__compare_text(x->domain_name, y->domain_name);
    return order ? order : rln__compare_text(x->message, y->message);
}

static void add_row(const struct rln__top *top, struct rln__table *t,
                    const rln_live_row *row, uint64_t whole_ns)
{
    const rln_live_totals *totals = rln_live_get_totals(top->live);

    cell_percent(t, row->total_ns, whole_ns);
    rln__cell_bar(t, row->total_ns < whole_ns ? row->total_ns : whole_ns, whole_ns,
                  top->is_ascii);
    cell_percent(t, row->self_ns, whole_ns);
    cell_rate(t, row->n_ended, seconds_of(top));
    if (row->n_ended) {
        cell_age(t, (int64_t)row->mean_ns);
        cell_age(t, (int64_t)row->max_ns);
    } else {
        rln__cell_text(t, "");
        rln__cell_text(t, "");
    }
    if (row->n_open) {
        rln__buf_count(&t->text, row->n_open);
        rln__table_cell(t);
        cell_age(t, totals->to_ns - row->oldest_open_ns);
    } else {
        rln__cell_text(t, "");
        rln__cell_text(t, "");
    }
    add_name(&t->text, row->domain_name, row->message);
    rln__table_cell(t);
}

/* Rows with something to show; the caller frees them. */
static const rln_live_row **sorted_rows(const struct rln__top *top, size_t *n)
{
    size_t n_all;
    const rln_live_row *rows = rln_live_rows(top->live, &n_all);
    const rln_live_row **sorted = calloc(n_all + 1, sizeof(*sorted));

    if (!sorted)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    *n = 0;
    for (size_t i = 0; i < n_all; i++)
        if (rows[i].n_ended || rows[i].n_open)
            sorted[(*n)++] = &rows[i];
    sorted_by = top->order;
    qsort(sorted, *n, sizeof(*sorted), by_order);
    return sorted;
}

static void add_ranges(const struct rln__top *top, struct rln__buf *out)
{
    static const struct rln__column columns[] = {
        {"Time (%)", RLN__NUMBER}, {"", RLN__TEXT | RLN__SPARE(1)},
        {"Self (%)", RLN__NUMBER}, {"Calls/s", RLN__NUMBER},
        {"Avg", RLN__NUMBER},      {"Max", RLN__NUMBER},
        {"Open", RLN__NUMBER},     {"For", RLN__NUMBER | RLN__SPARE(2)},
        {"Range", RLN__TEXT},
    };
    size_t n;
    const rln_live_row **rows = sorted_rows(top, &n); /* owned */
    const uint64_t whole_ns = (uint64_t)(seconds_of(top) * 1e9);
    struct rln__table t;

    rln__table_init(&t, columns, RLN_COUNT(columns));
    for (size_t i = 0; i < n && (!top->rows || i < top->rows); i++)
        add_row(top, &t, rows[i], whole_ns);
    rln__buf_char(out, '\n');
    if (n)
        print_table(top, &t, out);
    else
        rln__buf_text(out, " no range was open or ended\n");
    rln__table_clear(&t);
    free(rows);
}

void rln__top_page(const struct rln__top *top, struct rln__buf *out)
{
    add_totals(top, out);
    add_warnings(top, out);
    add_threads(top, out);
    add_ranges(top, out);
}
