/* SPDX-License-Identifier: Apache-2.0 */
#include "table/cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/fail.h"
#include "base/human_units.h"
#include "base/thousands.h"
#include "rangeline/reader.h"

static const struct rln__unit units[] = {
    {"ns", "nsec|nanoseconds|ns", 0, 1},
    {"us", "usec|microseconds|us", 3, 1e3},
    {"ms", "msec|milliseconds|ms", 6, 1e6},
    {"s", "seconds|s", 9, 1e9},
};

const struct rln__unit *rln__unit_find(const char *name)
{
    const size_t length = strlen(name);
    const struct rln__unit *found = NULL;

    for (size_t i = 0; length && i < RLN_COUNT(units); i++) {
        for (const char *word = units[i].names; word; word = strchr(word, '|')) {
            word += *word == '|';
            if (strncmp(word, name, length) != 0)
                continue;
            if (strcspn(word, "|") == length)
                return &units[i];
            if (found && found != &units[i]) /* "m" is ambiguous */
                return NULL;
            found = &units[i];
        }
    }
    return found;
}

void rln__cell_text(struct rln__table *t, const char *text)
{
    rln__buf_text(&t->text, text);
    rln__table_cell(t);
}

void rln__cell_name(struct rln__table *t, rln_text text)
{
    rln__buf_add(&t->text, text.bytes, text.length);
    rln__table_cell(t);
}

void rln__cell_style(struct rln__table *t, rln_range_style style)
{
    rln__cell_text(t, style == RLN_RANGE_PUSH_POP    ? "PushPop"
                      : style == RLN_RANGE_START_END ? "StartEnd"
                                                     : "");
}

void rln__cell_plain(struct rln__table *t, uint64_t id, bool is_there)
{
    if (is_there)
        rln__buf_u64(&t->text, id);
    rln__table_cell(t);
}

/* --- Cells of reports ------------------------------------------------------------- */

static void add_count(struct rln__buf *buf, const struct rln__cell_format *cell_format,
                      uint64_t value)
{
    if (cell_format->is_human_readable)
        rln__buf_count(buf, value);
    else
        rln__buf_u64(buf, value);
}

static void add_integer(struct rln__buf *buf,
                        const struct rln__cell_format *cell_format, int64_t value)
{
    if (value < 0)
        rln__buf_char(buf, '-');
    add_count(buf, cell_format, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

static void add_ns(struct rln__buf *buf, const struct rln__cell_format *cell_format,
                   uint64_t ns)
{
    if (cell_format->is_human_readable)
        rln__buf_duration(buf, (double)ns);
    else if (cell_format->unit->n_digits == 0)
        rln__buf_u64(buf, ns);
    else
        rln__buf_format(buf, "%.*f", (int)cell_format->unit->n_digits,
                        (double)ns / cell_format->unit->ns);
}

static void add_distance(struct rln__buf *buf,
                         const struct rln__cell_format *cell_format, int64_t ns)
{
    if (ns < 0)
        rln__buf_char(buf, '-');
    add_ns(buf, cell_format, ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns);
}

/* Never rounded, or all times of a second would be equal. */
static void add_pair(struct rln__buf *buf, const struct rln__cell_format *cell_format,
                     int64_t ns)
{
    if (cell_format->is_human_readable)
        rln__buf_format(buf, "%.9f s", (double)ns / 1e9);
    else
        add_distance(buf, cell_format, ns);
}

/* To a tenth of a nanosecond. */
static void add_mean(struct rln__buf *buf, const struct rln__cell_format *cell_format,
                     double ns)
{
    if (cell_format->is_human_readable)
        rln__buf_duration(buf, ns);
    else
        rln__buf_format(buf, "%.*f", (int)cell_format->unit->n_digits + 1,
                        ns / cell_format->unit->ns);
}

/* As many digits as people read, and all of an integer. Nothing if it is not finite. */
static void add_about(struct rln__buf *buf, const struct rln__cell_format *cell_format,
                      double value)
{
    const double size = fabs(value);

    if (size < 1e15 && (size >= 99999.5 || !(size > trunc(size))))
        add_integer(buf, cell_format, llround(value));
    else if (isfinite(value))
        rln__buf_format(buf, "%.6g", value);
}

/* The fewest digits that read back as the same number or, for people, as many as they
 * read. Nothing if it is not finite. */
static void add_number(struct rln__buf *buf, const struct rln__cell_format *cell_format,
                       double value)
{
    char text[40] = "";

    if (cell_format->is_human_readable || cell_format->is_aligned) {
        add_about(buf, cell_format, value);
        return;
    }
    for (int digits = 15; isfinite(value); digits++) {
        (void)snprintf(text, sizeof(text), "%.*g", digits, value);
        if (digits == 17 || strtod(text, NULL) == value)
            break;
    }
    rln__buf_text(buf, text);
}

/* A rate may be far below a nanosecond. */
static void add_rate(struct rln__buf *buf, const struct rln__cell_format *cell_format,
                     double ns)
{
    if (!cell_format->is_human_readable) {
        add_number(buf, cell_format, ns / cell_format->unit->ns);
        return;
    }
    if (ns < 0)
        rln__buf_char(buf, '-');
    if (fabs(ns) < 999.5)
        rln__buf_format(buf, "%.3g ns", fabs(ns));
    else
        rln__buf_duration(buf, fabs(ns));
}

/* To a thousandth of a megabyte. */
static void add_size(struct rln__buf *buf, const struct rln__cell_format *cell_format,
                     double bytes)
{
    if (cell_format->is_human_readable)
        rln__buf_size(buf, (uint64_t)(bytes + 0.5));
    else
        rln__buf_format(buf, "%.3f", bytes / 1e6);
}

void rln__cell_add(struct rln__buf *buf, const struct rln__cell_format *cell_format,
                   const rln_cell *cell)
{
    switch (cell->kind) {
    case RLN_CELL_EMPTY:
        break;
    case RLN_CELL_TEXT:
        rln__buf_add(buf, cell->text.bytes, cell->text.length);
        break;
    case RLN_CELL_COUNT:
        add_count(buf, cell_format, cell->bits);
        break;
    case RLN_CELL_INTEGER:
        add_integer(buf, cell_format, (int64_t)cell->bits);
        break;
    case RLN_CELL_ID:
        rln__buf_u64(buf, cell->bits);
        break;
    case RLN_CELL_DURATION:
        add_ns(buf, cell_format, cell->bits);
        break;
    case RLN_CELL_DISTANCE:
        add_distance(buf, cell_format, (int64_t)cell->bits);
        break;
    case RLN_CELL_TIME:
        add_pair(buf, cell_format, (int64_t)cell->bits);
        break;
    case RLN_CELL_MEAN:
        add_mean(buf, cell_format, cell->number);
        break;
    case RLN_CELL_RATE:
        add_rate(buf, cell_format, cell->number);
        break;
    case RLN_CELL_NUMBER:
        add_number(buf, cell_format, cell->number);
        break;
    case RLN_CELL_ABOUT:
        add_about(buf, cell_format, cell->number);
        break;
    case RLN_CELL_SIZE:
        add_size(buf, cell_format, cell->number);
        break;
    case RLN_CELL_FIXED:
        rln__buf_format(buf, "%.*f", (int)cell->decimals, cell->number);
        break;
    }
}

void rln__cell(struct rln__table *t, const struct rln__cell_format *cell_format,
               rln_cell cell)
{
    rln__cell_add(&t->text, cell_format, &cell);
    rln__table_cell(t);
}

void rln__cell_bar(struct rln__table *t, uint64_t part, uint64_t whole, bool is_ascii)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const unsigned n =
        whole ? (unsigned)(80.0 * (double)part / (double)whole + 0.5) : 0;

    for (unsigned i = 0; i < n / 8; i++)
        rln__buf_text(&t->text, is_ascii ? "#" : "█");
    rln__buf_text(&t->text, is_ascii ? "" : eighths[n % 8]);
    rln__table_cell(t);
}
