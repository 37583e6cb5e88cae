/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/table.h"

#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"

static const char *const format_names[] = {"column", "table", "csv", "tsv", "json"};

int rln__table_format(const char *name, size_t length)
{
    for (int i = 0; i < 5; i++) {
        if (strlen(format_names[i]) == length && !memcmp(format_names[i], name, length))
            return i;
    }
    return -1;
}

const char *rln__table_extension(enum rln__table_format format)
{
    return format <= RLN__FORMAT_TABLE ? "txt" : format_names[format];
}

void rln__table_init(struct rln__table *t, const struct rln__column *columns,
                     size_t n_columns)
{
    memset(t, 0, sizeof(*t));
    t->columns = columns;
    t->n_columns = n_columns;
}

void rln__table_clear(struct rln__table *t)
{
    rln__buf_clear(&t->text);
    rln__free(t->cells);
    memset(t, 0, sizeof(*t));
}

void rln__table_cell(struct rln__table *t)
{
    struct rln__cell *cells =
        rln__grow(t->cells, &t->capacity, t->n_cells + 1, sizeof(*cells));
    size_t begin = 0;

    if (!cells) {
        t->text.has_failed = 1;
        return;
    }
    t->cells = cells;
    if (t->n_cells)
        begin = cells[t->n_cells - 1].begin + cells[t->n_cells - 1].length;
    cells[t->n_cells++] = (struct rln__cell){begin, t->text.length - begin};
}

/* --- Cells as people read them ---------------------------------------------------- */

static void add_separated(struct rln__buf *out, const char *number, size_t length)
{
    size_t n_digits = 0, sign = length && number[0] == '-';

    while (sign + n_digits < length && number[sign + n_digits] >= '0' &&
           number[sign + n_digits] <= '9')
        n_digits++;
    rln__buf_add(out, number, sign);
    for (size_t i = 0; i < n_digits; i++) {
        if (i && (n_digits - i) % 3 == 0)
            rln__buf_char(out, ',');
        rln__buf_char(out, number[sign + i]);
    }
    rln__buf_add(out, number + sign + n_digits, length - sign - n_digits);
}

/* Appends the cell and returns how many columns of the terminal it takes. */
static size_t add_cell(const struct rln__table *t, size_t index, struct rln__buf *out)
{
    const struct rln__cell *cell = &t->cells[index];
    const char *bytes = t->text.bytes + cell->begin;
    const size_t before = out->length;

    if (t->columns[index % t->n_columns].is_text || t->is_plain)
        return rln__buf_printable(out, bytes, cell->length);
    add_separated(out, bytes, cell->length);
    return out->length - before;
}

static void add_padded(const struct rln__table *t, size_t index, size_t width,
                       struct rln__buf *scratch, struct rln__buf *out)
{
    const bool is_text = t->columns[index % t->n_columns].is_text;
    size_t n_columns;

    scratch->length = 0;
    n_columns = add_cell(t, index, scratch);
    if (!is_text && n_columns < width)
        rln__buf_fill(out, ' ', width - n_columns);
    rln__buf_add(out, scratch->bytes, scratch->length);
    if (is_text && n_columns < width)
        rln__buf_fill(out, ' ', width - n_columns);
}

static void add_centered(const char *text, size_t width, struct rln__buf *out)
{
    const size_t length = strlen(text), room = width > length ? width - length : 0;

    rln__buf_fill(out, ' ', room / 2);
    rln__buf_text(out, text);
    rln__buf_fill(out, ' ', room - room / 2);
}

/* Humane tables have their headers where their cells are; nsys centers them. */
static void add_header(const struct rln__table *t, size_t i, size_t width,
                       struct rln__buf *out)
{
    const char *header = t->columns[i].header;
    const size_t n_blanks = width - strlen(header);

    if (!t->is_plain) {
        add_centered(header, width, out);
        return;
    }
    if (!t->columns[i].is_text)
        rln__buf_fill(out, ' ', n_blanks);
    rln__buf_text(out, header);
    if (t->columns[i].is_text)
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

static void print_column(const struct rln__table *t, const size_t *widths,
                         struct rln__buf *scratch, struct rln__buf *out)
{
    if (t->is_bold)
        rln__buf_text(out, "\033[1m");
    for (size_t i = 0; i < t->n_columns; i++) {
        rln__buf_text(out, i ? "  " : " ");
        add_header(t, i, widths[i], out);
    }
    trim(out);
    rln__buf_text(out, t->is_bold ? "\033[0m\n" : "\n");
    for (size_t i = 0; i < t->n_columns; i++) {
        rln__buf_text(out, i ? "  " : " ");
        rln__buf_fill(out, '-', widths[i]);
    }
    rln__buf_char(out, '\n');
    for (size_t i = 0; i < t->n_cells; i++) {
        rln__buf_text(out, i % t->n_columns ? "  " : " ");
        add_padded(t, i, widths[i % t->n_columns], scratch, out);
        if (i % t->n_columns + 1 == t->n_columns)
            trim_line(out);
    }
}

static void add_rule(const struct rln__table *t, const size_t *widths,
                     struct rln__buf *out)
{
    for (size_t i = 0; i < t->n_columns; i++) {
        rln__buf_char(out, '+');
        rln__buf_fill(out, '-', widths[i] + 2);
    }
    rln__buf_text(out, "+\n");
}

static void print_table(const struct rln__table *t, const size_t *widths,
                        struct rln__buf *scratch, struct rln__buf *out)
{
    add_rule(t, widths, out);
    for (size_t i = 0; i < t->n_columns; i++) {
        rln__buf_text(out, "| ");
        add_header(t, i, widths[i], out);
        rln__buf_text(out, i + 1 == t->n_columns ? " |\n" : " ");
    }
    add_rule(t, widths, out);
    for (size_t i = 0; i < t->n_cells; i++) {
        rln__buf_text(out, "| ");
        add_padded(t, i, widths[i % t->n_columns], scratch, out);
        rln__buf_text(out, (i + 1) % t->n_columns ? " " : " |\n");
    }
    add_rule(t, widths, out);
}

static void print_aligned(const struct rln__table *t, enum rln__table_format format,
                          struct rln__buf *out)
{
    struct rln__buf scratch = {0};
    size_t *widths = rln__alloc(t->n_columns, sizeof(*widths));

    if (!widths) {
        out->has_failed = 1;
        return;
    }
    for (size_t i = 0; i < t->n_columns; i++)
        widths[i] = strlen(t->columns[i].header);
    for (size_t i = 0; i < t->n_cells; i++) {
        size_t width;

        scratch.length = 0;
        width = add_cell(t, i, &scratch);
        if (width > widths[i % t->n_columns])
            widths[i % t->n_columns] = width;
    }
    if (format == RLN__FORMAT_COLUMN)
        print_column(t, widths, &scratch, out);
    else
        print_table(t, widths, &scratch, out);
    out->has_failed |= scratch.has_failed;
    rln__buf_clear(&scratch);
    rln__free(widths);
}

/* --- Cells as programs read them -------------------------------------------------- */

static void add_csv(struct rln__buf *out, const char *bytes, size_t length)
{
    bool needs_quotes = false;

    for (size_t i = 0; i < length; i++)
        needs_quotes |= strchr(",\"\r\n", bytes[i]) != NULL && bytes[i];
    if (!needs_quotes) {
        rln__buf_add(out, bytes, length);
        return;
    }
    rln__buf_char(out, '"');
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '"')
            rln__buf_char(out, '"');
        rln__buf_char(out, bytes[i]);
    }
    rln__buf_char(out, '"');
}

/* Tabs and line ends would be cells and rows. */
static void add_tsv(struct rln__buf *out, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        rln__buf_char(out, strchr("\t\r\n", bytes[i]) && bytes[i] ? ' ' : bytes[i]);
}

static void print_separated(const struct rln__table *t, bool is_csv,
                            struct rln__buf *out)
{
    for (size_t i = 0; i < t->n_columns; i++) {
        rln__buf_text(out, t->columns[i].header);
        rln__buf_char(out, i + 1 == t->n_columns ? '\n' : is_csv ? ',' : '\t');
    }
    for (size_t i = 0; i < t->n_cells; i++) {
        const char *bytes = t->text.bytes + t->cells[i].begin;

        if (is_csv)
            add_csv(out, bytes, t->cells[i].length);
        else
            add_tsv(out, bytes, t->cells[i].length);
        rln__buf_char(out, (i + 1) % t->n_columns == 0 ? '\n' : is_csv ? ',' : '\t');
    }
}

static void print_json(const struct rln__table *t, struct rln__buf *out)
{
    rln__buf_text(out, "[");
    for (size_t i = 0; i < t->n_cells; i++) {
        const struct rln__column *column = &t->columns[i % t->n_columns];
        const char *bytes = t->text.bytes + t->cells[i].begin;

        if (i % t->n_columns == 0)
            rln__buf_text(out, i ? "},\n {" : "\n {");
        else
            rln__buf_text(out, ", ");
        rln__buf_json(out, column->header, strlen(column->header));
        rln__buf_text(out, ": ");
        if (column->is_text)
            rln__buf_json(out, bytes, t->cells[i].length);
        else
            rln__buf_add(out, bytes, t->cells[i].length);
    }
    rln__buf_text(out, t->n_cells ? "}\n]\n" : "]\n");
}

void rln__table_print(const struct rln__table *t, enum rln__table_format format,
                      struct rln__buf *out)
{
    out->has_failed |= t->text.has_failed;
    if (out->has_failed || !t->text.bytes)
        return;
    if (format <= RLN__FORMAT_TABLE)
        print_aligned(t, format, out);
    else if (format == RLN__FORMAT_JSON)
        print_json(t, out);
    else
        print_separated(t, format == RLN__FORMAT_CSV, out);
}
