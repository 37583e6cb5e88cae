/* SPDX-License-Identifier: Apache-2.0 */
#include "table/report_table.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "reports/report_build.h"

/* At most as many columns of details as people can read side by side. */
#define MOST_DETAILS 8

static unsigned kind_of(const rln_report_column *column)
{
    return column->kind == RLN_COLUMN_TEXT ? RLN__TEXT
           : column->kind == RLN_COLUMN_ID ? RLN__ID
                                           : RLN__NUMBER;
}

/* "Total (@)": the @ is the table's unit. `spare` is an RLN__SPARE(), or 0. */
static void add_column(struct rln__table *t, const struct rln__cell_format *cell_format,
                       const rln_report_column *column, unsigned spare)
{
    char header[64];

    (void)snprintf(header, sizeof(header),
                   column->is_time ? "%s (@)"
                   : column->flags & RLN_COLUMN_IS_SIZE &&
                           !cell_format->is_human_readable
                       ? "%s (MB)"
                       : "%s",
                   column->header);
    rln__table_add_column(t, header, kind_of(column) | spare);
}

/* The sum of a column of durations or counts, or its largest. */
static uint64_t sum_of(const rln_report *r, size_t column)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < rln_report_count_rows(r); i++)
        sum += rln_report_cell(r, i, column).bits;
    return sum;
}

static uint64_t most_of(const rln_report *r, size_t column)
{
    uint64_t most = 0;

    for (size_t i = 0; i < rln_report_count_rows(r); i++) {
        const uint64_t value = rln_report_cell(r, i, column).bits;

        most = value > most ? value : most;
    }
    return most;
}

static void add_text(struct rln__table *t, rln_text text)
{
    rln__buf_add(&t->text, text.bytes, text.length);
}

/* Marks a name whose ranges were never closed. */
static void add_open(struct rln__table *t, uint64_t n_calls, uint64_t n_open)
{
    if (n_calls && n_open == n_calls)
        rln__buf_text(&t->text, "  (open)");
    else if (n_open)
        rln__buf_format(&t->text, "  (%llu open)", (unsigned long long)n_open);
}

/* --- Most of them ----------------------------------------------------------------- */

enum { PERCENT, TOTAL, INSTANCES, AVERAGE, MEDIAN, MIN, MAX, STDDEV, STYLE };

static const struct rln__column readable_summary[] = {
    {"Time (%)", RLN__NUMBER},
    {"", RLN__TEXT | RLN__SPARE(1)},
    {"Total", RLN__NUMBER},
    {"Instances", RLN__NUMBER},
    {"Avg", RLN__NUMBER},
    {"Med", RLN__NUMBER | RLN__SPARE(5)},
    {"Min", RLN__NUMBER | RLN__SPARE(4)},
    {"Max", RLN__NUMBER},
    {"StdDev", RLN__NUMBER | RLN__SPARE(2)},
    {"Style", RLN__TEXT | RLN__SPARE(3)},
    {"Range", RLN__TEXT},
};

/* Summaries of other things than ranges leave out the same columns. */
static unsigned spare_of(const rln_report *r, const rln_report_column *column)
{
    if (strcmp(rln_report_column_at(r, 0)->header, readable_summary[0].header) != 0)
        return 0;
    for (size_t i = 0; i < RLN_COUNT(readable_summary); i++)
        if (column->is_time && strcmp(column->header, readable_summary[i].header) == 0)
            return readable_summary[i].kind & ~(unsigned)RLN__KINDS;
    return 0;
}

static bool shows_details(const rln_report *r,
                          const struct rln__cell_format *cell_format)
{
    size_t n = 0;

    for (size_t i = 0; i < rln__report_count_columns(r); i++)
        n += (rln_report_column_at(r, i)->flags & RLN_COLUMN_IS_DETAIL) != 0;
    return !cell_format->is_aligned || n <= MOST_DETAILS;
}

/* Traces of ranges may have millions of rows, so cells are not kept. */
struct shown {
    struct rln__table_source source;
    const rln_report *report; /* borrowed */
    struct rln__cell_format cell_format;
    size_t columns[]; /* of the report: those that are shown */
};

static void add_shown(const struct rln__table_source *source, size_t row, size_t column,
                      struct rln__buf *out)
{
    const struct shown *s = (const struct shown *)source;
    const rln_cell cell = rln_report_cell(s->report, row, s->columns[column]);

    rln__cell_add(out, &s->cell_format, &cell);
    if (column == 0) /* with which its row was made */
        out->has_failed |= rln_report_status(s->report, NULL) != RLN_OK;
}

static void show_all(const rln_report *r, const struct rln__cell_format *cell_format,
                     struct rln__table *t)
{
    const unsigned hidden =
        shows_details(r, cell_format) ? RLN_COLUMN_IS_DIGEST : RLN_COLUMN_IS_DETAIL;
    const size_t n = rln__report_count_columns(r);
    struct shown *s = rln__alloc(1, sizeof(*s) + n * sizeof(s->columns[0]));

    if (!s) {
        t->text.has_failed = 1;
        return;
    }
    s->source.add = add_shown;
    s->report = r;
    s->cell_format = *cell_format;
    for (size_t i = 0; i < n; i++) {
        if (rln_report_column_at(r, i)->flags & hidden)
            continue;
        s->columns[t->n_columns] = i;
        add_column(t, cell_format, rln_report_column_at(r, i),
                   spare_of(r, rln_report_column_at(r, i)));
    }
    t->source = &s->source;
    t->n_cells = rln_report_count_rows(r) * t->n_columns;
}

/* --- The summaries of ranges ------------------------------------------------------ */

/* With a bar, and always with the style. */
static void show_summary(const rln_report *r,
                         const struct rln__cell_format *cell_format,
                         struct rln__table *t)
{
    const rln_range_style style = rln__report_get_about(r)->style;
    const size_t name = rln__report_count_columns(r) - 1;
    uint64_t total;

    if (!cell_format->is_human_readable) {
        show_all(r, cell_format, t);
        return;
    }
    rln__table_init(t, readable_summary, RLN_COUNT(readable_summary));
    total = sum_of(r, TOTAL);
    for (size_t row = 0; row < rln_report_count_rows(r); row++) {
        rln__cell(t, cell_format, rln_report_cell(r, row, PERCENT));
        rln__cell_bar(t, rln_report_cell(r, row, TOTAL).bits, total,
                      cell_format->is_ascii);
        for (size_t i = TOTAL; i <= STDDEV; i++)
            rln__cell(t, cell_format, rln_report_cell(r, row, i));
        if (style)
            rln__cell_style(t, style);
        else
            rln__cell(t, cell_format, rln_report_cell(r, row, STYLE));
        rln__cell(t, cell_format, rln_report_cell(r, row, name));
    }
}

/* --- Self time -------------------------------------------------------------------- */

enum { SELF_PERCENT, SELF_TIME, SELF_TOTAL, SELF_CALLS, SELF_OPEN, SELF_NAME };
enum { SELF_BAR = 1 }; /* behind the percentage, for people */

static const struct rln__column readable_self[] = {
    {"Self (%)", RLN__NUMBER}, {"", RLN__TEXT | RLN__SPARE(1)}, {"Self", RLN__NUMBER},
    {"Total", RLN__NUMBER},    {"Calls", RLN__NUMBER},          {"Name", RLN__TEXT},
};

/* Like the tree it is always for people unless they want a unit; only a terminal has
 * bars. */
static void show_self(const rln_report *r, const struct rln__cell_format *cell_format,
                      struct rln__table *t)
{
    const bool has_bars = cell_format->is_human_readable;
    struct rln__cell_format human_readable = *cell_format;
    uint64_t whole;

    if (!cell_format->is_aligned || cell_format->has_unit) {
        show_all(r, cell_format, t);
        return;
    }
    human_readable.is_human_readable = true;
    rln__table_init(t, NULL, 0);
    t->is_plain = true;
    for (size_t i = 0; i < RLN_COUNT(readable_self); i++)
        if (has_bars || i != SELF_BAR)
            rln__table_add_column(t, readable_self[i].header, readable_self[i].kind);
    whole = sum_of(r, SELF_TIME);
    for (size_t row = 0; row < rln_report_count_rows(r); row++) {
        rln__cell(t, &human_readable, rln_report_cell(r, row, SELF_PERCENT));
        if (has_bars)
            rln__cell_bar(t, rln_report_cell(r, row, SELF_TIME).bits, whole,
                          cell_format->is_ascii);
        for (size_t i = SELF_TIME; i <= SELF_CALLS; i++)
            rln__cell(t, &human_readable, rln_report_cell(r, row, i));
        add_text(t, rln_report_cell(r, row, SELF_NAME).text);
        add_open(t, rln_report_cell(r, row, SELF_CALLS).bits,
                 rln_report_cell(r, row, SELF_OPEN).bits);
        rln__table_cell(t);
    }
}

/* --- The histogram ---------------------------------------------------------------- */

enum { COUNTS = 2 };

/* With bars for people. */
static void show_histogram(const rln_report *r,
                           const struct rln__cell_format *cell_format,
                           struct rln__table *t)
{
    const size_t n = rln__report_count_columns(r);
    const uint64_t most = most_of(r, COUNTS);

    if (!cell_format->is_aligned) {
        show_all(r, cell_format, t);
        return;
    }
    for (size_t i = 0; i < n; i++)
        add_column(t, cell_format, rln_report_column_at(r, i), 0);
    rln__table_add_column(t, "", RLN__TEXT);
    for (size_t row = 0; row < rln_report_count_rows(r); row++) {
        for (size_t i = 0; i < n; i++)
            rln__cell(t, cell_format, rln_report_cell(r, row, i));
        rln__cell_bar(t, rln_report_cell(r, row, COUNTS).bits, most,
                      cell_format->is_ascii);
    }
}

/* --- The tree --------------------------------------------------------------------- */

enum { SELF = 1, SHARE, CALLS, OPEN, PID, TID, THREAD };

static const struct rln__column readable_tree[] = {
    {"Total", RLN__NUMBER},
    {"Self", RLN__NUMBER},
    {"Time (%)", RLN__NUMBER},
    {"Calls", RLN__NUMBER},
};

/* The tree by thread has three more columns, and one with the time of processors or GPUs
 * has others, before the level and the name. */
static bool is_tree_of(const rln_report *r, const char *word)
{
    const char *argument = rln__report_argument(r);

    return argument && strstr(argument, word) != NULL;
}

/* For people, a name is indented like its range, and marked if it was never closed. */
static void add_name(struct rln__table *t, const rln_report *r, size_t row, bool is_in)
{
    const size_t name = rln__report_count_columns(r) - 1;
    const uint64_t level = rln_report_cell(r, row, name - 1).bits + is_in;
    const uint64_t n_calls = rln_report_cell(r, row, CALLS).bits;
    const uint64_t n_open = rln_report_cell(r, row, OPEN).bits;

    /* Beyond the width of a screen, indentation is useless. */
    rln__buf_fill(&t->text, ' ', (size_t)(level < 60 ? level : 60) * 2);
    add_text(t, rln_report_cell(r, row, name).text);
    add_open(t, n_calls, n_open);
    rln__table_cell(t);
}

/* "thread 17 of process 4, reader" */
static void add_thread_name(struct rln__table *t, const rln_report *r, size_t row)
{
    const rln_text name = rln_report_cell(r, row, THREAD).text;

    rln__buf_format(&t->text, "thread %llu of process %llu",
                    (unsigned long long)rln_report_cell(r, row, TID).bits,
                    (unsigned long long)rln_report_cell(r, row, PID).bits);
    if (name.length)
        rln__buf_text(&t->text, ", ");
    add_text(t, name);
    rln__table_cell(t);
}

static void show_readable_tree(const rln_report *r,
                               const struct rln__cell_format *cell_format,
                               struct rln__table *t)
{
    struct rln__cell_format human_readable = *cell_format;
    const size_t times = is_tree_of(r, "thread") ? THREAD + 1 : OPEN + 1;
    const size_t level = rln__report_count_columns(r) - 2;

    human_readable.is_human_readable = true;
    rln__table_init(t, readable_tree, RLN_COUNT(readable_tree));
    for (size_t i = times; i < level; i++)
        rln__table_add_column(t, rln_report_column_at(r, i)->header, RLN__NUMBER);
    rln__table_add_column(t, "Name", RLN__TEXT);
    t->is_plain = true;
    for (size_t row = 0; row < rln_report_count_rows(r); row++) {
        for (size_t i = 0; i <= CALLS; i++)
            rln__cell(t, &human_readable, rln_report_cell(r, row, i));
        for (size_t i = times; i < level; i++)
            rln__cell(t, &human_readable, rln_report_cell(r, row, i));
        if (rln_report_is_heading(r, row))
            add_thread_name(t, r, row);
        else
            add_name(t, r, row,
                     is_tree_of(r, "thread") && rln_report_cell(r, row, TID).kind);
    }
}

/* Headings are for people, whose rows do not show the thread. */
static void show_tree(const rln_report *r, const struct rln__cell_format *cell_format,
                      struct rln__table *t)
{
    const size_t n = rln__report_count_columns(r);

    if (cell_format->is_aligned && !cell_format->has_unit) {
        show_readable_tree(r, cell_format, t);
        return;
    }
    for (size_t i = 0; i < n; i++)
        add_column(t, cell_format, rln_report_column_at(r, i), 0);
    for (size_t row = 0; row < rln_report_count_rows(r); row++) {
        if (rln_report_is_heading(r, row))
            continue;
        for (size_t i = 0; i + 1 < n; i++)
            rln__cell(t, cell_format, rln_report_cell(r, row, i));
        if (cell_format->is_aligned)
            add_name(t, r, row, false);
        else
            rln__cell(t, cell_format, rln_report_cell(r, row, n - 1));
    }
}

/* --- All of them ------------------------------------------------------------------ */

bool rln__is_tree(const struct rln__report_info *about)
{
    return strcmp(about->name, "tree") == 0;
}

void rln__report_show(const rln_report *r, const struct rln__cell_format *cell_format,
                      struct rln__table *t)
{
    static const struct {
        const char *name;
        void (*show)(const rln_report *, const struct rln__cell_format *,
                     struct rln__table *);
    } special[] = {
        {"nvtx_sum", show_summary},          {"nvtx_pushpop_sum", show_summary},
        {"nvtx_startend_sum", show_summary}, {"self_sum", show_self},
        {"histogram", show_histogram},       {"tree", show_tree},
    };
    size_t i = 0;

    rln__table_init(t, NULL, 0);
    while (i < RLN_COUNT(special) &&
           strcmp(special[i].name, rln__report_get_about(r)->name) != 0)
        i++;
    (i < RLN_COUNT(special) ? special[i].show : show_all)(r, cell_format, t);
    t->is_plain |= cell_format->is_human_readable;
    t->is_bold = cell_format->has_color;
    t->unit = t->is_plain ? NULL : cell_format->unit->name;
}
