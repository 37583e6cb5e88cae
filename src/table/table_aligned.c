/* SPDX-License-Identifier: Apache-2.0 */
#include "table/table_aligned.h"

#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "table/table.h"
#include "table/table_shared.h"

/* 0: never left out. */
static unsigned spare_order(const struct rln__table *t, size_t column)
{
    return t->columns[column].kind >> 3;
}

/* Paths differ at their ends; names that the screen cuts, such as those of C++ kernels,
 * may do so in either half. Requested widths cut the end, as in nsys. */
static size_t add_shortened(const struct rln__table *t, size_t column,
                            const struct rln__buf *text, size_t n_columns, size_t width,
                            struct rln__buf *out)
{
    const size_t tail = rln__table_kind(t, column) == RLN__PATH ? width - 1
                        : t->most_columns                       ? (width - 1) / 2
                                                                : 0;

    return rln__buf_cut(out, text, n_columns, width - 1 - tail, tail);
}

static size_t add_cell(const struct rln__table *t, size_t index, struct rln__buf *out)
{
    return t->shared.length && index % t->n_columns == t->shared_column
               ? rln__table_add_unshared(t, rln__table_cell_at(t, index), out)
               : rln__table_add_cell(t, index, out);
}

static void add_padded(const struct rln__table *t, size_t index, size_t width,
                       struct rln__buf *scratch, struct rln__buf *out)
{
    const size_t column = index % t->n_columns;
    size_t n_columns;

    scratch->length = 0;
    n_columns = add_cell(t, index, scratch);
    if (!rln__table_is_text(t, column) && n_columns < width)
        rln__buf_fill(out, ' ', width - n_columns);
    if (n_columns > width)
        n_columns = add_shortened(t, column, scratch, n_columns, width, out);
    else
        rln__buf_add(out, scratch->bytes, scratch->length);
    if (rln__table_is_text(t, column) && n_columns < width)
        rln__buf_fill(out, ' ', width - n_columns);
}

static void add_centered(const char *text, size_t width, struct rln__buf *out)
{
    const size_t length = strlen(text), room = width > length ? width - length : 0;

    rln__buf_fill(out, ' ', room / 2);
    rln__buf_text(out, text);
    rln__buf_fill(out, ' ', room - room / 2);
}

/* Tables for people align headers with their cells; nsys centers them. */
static void add_header(const struct rln__table *t, size_t i, size_t width,
                       struct rln__buf *out)
{
    char text[RLN__HEADER_BYTES];
    const char *header = rln__table_header(t, i, text);
    const size_t n_blanks = width > strlen(header) ? width - strlen(header) : 0;

    if (strlen(header) > width) {
        rln__buf_add(out, header, width - 1);
        rln__buf_text(out, "\xe2\x80\xa6");
        return;
    }
    if (!t->is_plain) {
        add_centered(header, width, out);
        return;
    }
    if (!rln__table_is_text(t, i))
        rln__buf_fill(out, ' ', n_blanks);
    rln__buf_text(out, header);
    if (rln__table_is_text(t, i))
        rln__buf_fill(out, ' ', n_blanks);
}

static void trim(struct rln__buf *out)
{
    while (out->length && out->bytes[out->length - 1] == ' ')
        out->length--;
}

static void trim_line(struct rln__buf *out)
{
    trim(out);
    rln__buf_char(out, '\n');
}

static void print_column_header(const struct rln__table *t, const size_t *widths,
                                struct rln__buf *out)
{
    const char *space = " ";

    if (t->is_bold)
        rln__buf_text(out, "\033[1m");
    for (size_t i = 0; i < t->n_columns; i++) {
        if (!widths[i])
            continue;
        rln__buf_text(out, space);
        add_header(t, i, widths[i], out);
        space = "  ";
    }
    trim(out);
    rln__buf_text(out, t->is_bold ? "\033[0m\n" : "\n");
    space = " ";
    for (size_t i = 0; i < t->n_columns; i++) {
        if (!widths[i])
            continue;
        rln__buf_text(out, space);
        rln__buf_fill(out, '-', widths[i]);
        space = "  ";
    }
    rln__buf_char(out, '\n');
}

static void print_column(const struct rln__table *t, const size_t *widths,
                         struct rln__buf *scratch, struct rln__buf *out)
{
    const char *space = " ";

    if (!rln__table_style_of(t)->has_no_header)
        print_column_header(t, widths, out);
    for (size_t i = 0; i < t->n_cells; i++) {
        if (widths[i % t->n_columns]) {
            rln__buf_text(out, space);
            add_padded(t, i, widths[i % t->n_columns], scratch, out);
            space = "  ";
        }
        if (i % t->n_columns + 1 < t->n_columns)
            continue;
        trim_line(out);
        space = " ";
        if (!rln__table_row_ends(t, out))
            break;
    }
}

static void add_rule(const struct rln__table *t, const size_t *widths,
                     struct rln__buf *out)
{
    for (size_t i = 0; i < t->n_columns; i++) {
        if (!widths[i])
            continue;
        rln__buf_char(out, '+');
        rln__buf_fill(out, '-', widths[i] + 2);
    }
    rln__buf_text(out, "+\n");
}

static void print_table(const struct rln__table *t, const size_t *widths,
                        struct rln__buf *scratch, struct rln__buf *out)
{
    add_rule(t, widths, out);
    for (size_t i = 0; i < t->n_columns && !rln__table_style_of(t)->has_no_header;
         i++) {
        if (widths[i]) {
            rln__buf_text(out, "| ");
            add_header(t, i, widths[i], out);
            rln__buf_char(out, ' ');
        }
        if (i + 1 == t->n_columns) {
            rln__buf_text(out, "|\n");
            add_rule(t, widths, out);
        }
    }
    for (size_t i = 0; i < t->n_cells; i++) {
        if (widths[i % t->n_columns]) {
            rln__buf_text(out, "| ");
            add_padded(t, i, widths[i % t->n_columns], scratch, out);
            rln__buf_char(out, ' ');
        }
        if ((i + 1) % t->n_columns)
            continue;
        rln__buf_text(out, "|\n");
        if (!rln__table_row_ends(t, out))
            break;
    }
    add_rule(t, widths, out);
}

enum {
    LEAST_NAME = 16,  /* columns of a name that is cut */
    ENOUGH_NAME = 40, /* columns are left out rather than cut it further */
};

/* The width of a line, with blanks between columns, if names are cut to `most_name`. */
static size_t line_width(const struct rln__table *t, const size_t *widths,
                         size_t most_name)
{
    size_t total = 0;

    for (size_t i = 0; i < t->n_columns; i++) {
        const bool is_name = rln__table_is_text(t, i);

        if (widths[i])
            total += 2 + (is_name && widths[i] > most_name ? most_name : widths[i]);
    }
    return total ? total - 1 : 0;
}

/* Leaves out optional columns, until a line with enough of its names fits into `most`
 * columns. */
static void spare(const struct rln__table *t, size_t most, size_t *widths)
{
    for (unsigned order = 1; order <= RLN__MOST_SPARE; order++) {
        for (size_t i = 0; i < t->n_columns; i++) {
            if (line_width(t, widths, ENOUGH_NAME) <= most)
                return;
            if (spare_order(t, i) == order)
                widths[i] = 0;
        }
    }
}

/* Narrows the widest column of text, until a line fits into `most` columns or only a
 * few columns of each are left. */
static void fit(const struct rln__table *t, size_t most, size_t *widths)
{
    size_t total = line_width(t, widths, SIZE_MAX);

    while (total > most) {
        size_t widest = 0, next = LEAST_NAME, less;

        for (size_t i = 1; i < t->n_columns; i++) {
            if (rln__table_is_text(t, i) &&
                (!rln__table_is_text(t, widest) || widths[i] > widths[widest]))
                widest = i;
        }
        if (!rln__table_is_text(t, widest) || widths[widest] <= LEAST_NAME)
            return;
        for (size_t i = 0; i < t->n_columns; i++) {
            if (i != widest && rln__table_is_text(t, i) && widths[i] > next)
                next = widths[i];
        }
        less = widths[widest] > next ? widths[widest] - next : 1;
        if (less > total - most)
            less = total - most;
        widths[widest] -= less;
        total -= less;
    }
}

/* The widths that headers and cells need. */
static void measure(const struct rln__table *t, struct rln__buf *scratch,
                    size_t *widths, struct rln__buf *out)
{
    char text[RLN__HEADER_BYTES];

    for (size_t i = 0; i < t->n_columns && !rln__table_style_of(t)->has_no_header; i++)
        widths[i] = strlen(rln__table_header(t, i, text));
    for (size_t i = 0; i < t->n_cells; i++) {
        const size_t column = i % t->n_columns;
        size_t width;

        scratch->length = 0;
        width = add_cell(t, i, scratch);
        if (width > widths[column])
            widths[column] = width;
        if (column + 1 == t->n_columns && !rln__table_row_ends(t, out))
            break;
    }
}

void rln__table_print_aligned(const struct rln__table *t, enum rln__table_format format,
                              struct rln__buf *out)
{
    const struct rln__table_style *style = rln__table_style_of(t);
    struct rln__buf scratch = {0};
    size_t *widths = rln__alloc(t->n_columns, sizeof(*widths));

    if (!widths) {
        out->has_failed = 1;
        return;
    }
    measure(t, &scratch, widths, out);
    for (size_t i = 0; i < t->n_columns; i++) {
        if (!widths[i])
            widths[i] = 1; /* it is empty, but there */
        if (i < style->n_widths && style->widths[i] != RLN__AUTO_WIDTH)
            widths[i] = style->widths[i];
    }
    if (t->most_columns) {
        spare(t, t->most_columns, widths);
        fit(t, t->most_columns, widths);
    }
    if (format == RLN__FORMAT_COLUMN)
        print_column(t, widths, &scratch, out);
    else
        print_table(t, widths, &scratch, out);
    out->has_failed |= scratch.has_failed;
    rln__buf_clear(&scratch);
    rln__free(widths);
}
