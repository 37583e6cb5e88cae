/* SPDX-License-Identifier: Apache-2.0 */
#include "table/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/markup.h"
#include "base/utf8.h"
#include "table/table_aligned.h"
#include "table/table_parts.h"

static const char *const format_names[] = {
    "column", "table", "csv", "tsv", "json", "markdown", "hdoc", "htable",
};

int rln__table_format(const char *name, size_t length)
{
    for (int i = 0; i < (int)RLN_COUNT(format_names); i++) {
        if (strlen(format_names[i]) == length && !memcmp(format_names[i], name, length))
            return i;
    }
    return -1;
}

const char *rln__table_extension(enum rln__table_format format)
{
    if (format == RLN__FORMAT_MARKDOWN)
        return "md";
    if (format >= RLN__FORMAT_HDOC)
        return "html";
    return format <= RLN__FORMAT_TABLE ? "txt" : format_names[format];
}

void rln__table_init(struct rln__table *t, const struct rln__column *columns,
                     size_t n_columns)
{
    memset(t, 0, sizeof(*t));
    t->columns = columns;
    t->n_columns = n_columns;
}

void rln__table_add_column(struct rln__table *t, const char *header, unsigned kind)
{
    const size_t n = t->n_columns;
    struct rln__column *columns = rln__alloc(n + 1, sizeof(*columns));
    char *copy = strdup(header);

    if (!columns || !copy) {
        rln__free(columns);
        free(copy);
        t->text.has_failed = 1;
        return;
    }
    if (n)
        memcpy(columns, t->columns, n * sizeof(*columns));
    columns[n] = (struct rln__column){copy, kind};
    rln__free(t->added);
    t->columns = t->added = columns;
    t->n_columns++;
    t->n_added++;
}

void rln__table_clear(struct rln__table *t)
{
    for (size_t i = 0; i < t->n_added; i++)
        free((char *)t->added[t->n_columns - 1 - i].header);
    rln__free(t->added);
    rln__buf_clear(&t->text);
    rln__buf_clear(&t->shared);
    rln__free(t->ends);
    if (t->source)
        rln__buf_clear(&t->source->made);
    rln__free(t->source);
    rln__free(t->rows);
    memset(t, 0, sizeof(*t));
}

void rln__table_cell(struct rln__table *t)
{
    size_t *end = rln__append(&t->ends, &t->n_cells, &t->capacity, sizeof(*end));

    if (!end) {
        t->text.has_failed = 1;
        return;
    }
    *end = t->text.length;
}

static bool row_goes_on(const struct rln__table *t, size_t index, struct rln__buf *out)
{
    return (index + 1) % t->n_columns || rln__table_row_ends(t, out);
}

/* A bar would end the cell; other characters would be markup, which & begins, too, or
 * notify people. */
static void add_markdown(struct rln__buf *out, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] && strchr("|\\`*_<[]#~&$@", bytes[i]))
            rln__buf_char(out, '\\');
        rln__buf_char(out, bytes[i]);
    }
}

static void print_markdown(const struct rln__table *t, struct rln__buf *out)
{
    struct rln__buf scratch = {0};
    char text[RLN__HEADER_BYTES];

    for (size_t i = 0; i < t->n_columns; i++)
        rln__buf_format(out, "| %s ", rln__table_header(t, i, text));
    rln__buf_text(out, "|\n");
    for (size_t i = 0; i < t->n_columns; i++)
        rln__buf_text(out, rln__table_is_text(t, i) ? "|:---" : "|---:");
    rln__buf_text(out, "|\n");
    for (size_t i = 0; i < t->n_cells; i++) {
        scratch.length = 0;
        (void)rln__table_add_cell(t, i, &scratch);
        rln__buf_text(out, "| ");
        add_markdown(out, scratch.bytes, scratch.length);
        rln__buf_text(out, (i + 1) % t->n_columns ? " " : " |\n");
        if (!row_goes_on(t, i, out))
            break;
    }
    out->has_failed |= scratch.has_failed;
    rln__buf_clear(&scratch);
}

static void print_htable(const struct rln__table *t, struct rln__buf *out)
{
    struct rln__buf scratch = {0};
    char text[RLN__HEADER_BYTES];

    rln__buf_text(out, "<table>\n");
    for (size_t i = 0; i < t->n_columns && !rln__table_style_of(t)->has_no_header;
         i++) {
        const char *header = rln__table_header(t, i, text);

        rln__buf_text(out, i ? "<th>" : "<tr><th>");
        rln__buf_markup(out, header, strlen(header));
        rln__buf_text(out, i + 1 < t->n_columns ? "</th>" : "</th></tr>\n");
    }
    for (size_t i = 0; i < t->n_cells; i++) {
        const size_t column = i % t->n_columns;

        scratch.length = 0;
        (void)rln__table_add_cell(t, i, &scratch);
        rln__buf_text(out, column ? "" : "<tr>");
        rln__buf_text(out,
                      rln__table_is_text(t, column) ? "<td>" : "<td class=\"number\">");
        rln__buf_markup(out, scratch.bytes, scratch.length);
        rln__buf_text(out, column + 1 < t->n_columns ? "</td>" : "</td></tr>\n");
        if (!row_goes_on(t, i, out))
            break;
    }
    rln__buf_text(out, "</table>\n");
    out->has_failed |= scratch.has_failed;
    rln__buf_clear(&scratch);
}

static void print_hdoc(const struct rln__table *t, struct rln__buf *out)
{
    const struct rln__table_style *style = rln__table_style_of(t);
    const char *title = style->title ? style->title : t->title ? t->title : "";

    rln__buf_text(out, "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n"
                       "<title>");
    rln__buf_markup(out, title, strlen(title));
    rln__buf_text(out, "</title>\n");
    if (style->css) {
        rln__buf_text(out, "<link rel=\"stylesheet\" href=\"");
        rln__buf_markup(out, style->css, strlen(style->css));
        rln__buf_text(out, "\">\n");
    } else {
        rln__buf_text(out, "<style>body { font-family: sans-serif } "
                           "td, th { padding: 0 .5em; text-align: left } "
                           ".number { text-align: right }</style>\n");
    }
    rln__buf_text(out, "</head>\n<body>\n<h1>");
    rln__buf_markup(out, title, strlen(title));
    rln__buf_text(out, "</h1>\n");
    print_htable(t, out);
    rln__buf_text(out, "</body>\n</html>\n");
}

/* --- Cells as programs read them -------------------------------------------------- */

/* Tabs and line ends would begin new cells and rows. */
static void add_tsv(struct rln__buf *out, const char *bytes, size_t length,
                    bool escapes)
{
    for (size_t i = 0; i < length; i++) {
        const bool is_tab = bytes[i] == '\t',
                   is_end = bytes[i] == '\n' || bytes[i] == '\r';

        if (escapes && (is_tab || is_end))
            rln__buf_text(out, is_tab ? "\\t" : bytes[i] == '\n' ? "\\n" : "\\r");
        else
            rln__buf_char(out, is_tab || is_end ? ' ' : bytes[i]);
    }
}

/* Reports have millions of cells: they are made where they are printed, and what is no
 * text needs no quotes. */
static void add_separated(const struct rln__table *t, size_t row, size_t column,
                          bool is_csv, struct rln__buf *out)
{
    const size_t begin = out->length;

    if (!is_csv && rln__table_is_text(t, column)) {
        const rln_text cell = rln__table_cell_at(t, row * t->n_columns + column);

        add_tsv(out, cell.bytes, cell.length, rln__table_style_of(t)->escapes);
        return;
    }
    rln__table_put_cell(t, row, column, out);
    if (rln__table_is_text(t, column))
        rln__buf_quote_csv(out, begin);
}

static void print_separated(const struct rln__table *t, bool is_csv,
                            struct rln__buf *out)
{
    const size_t n_rows = t->n_columns ? t->n_cells / t->n_columns : 0;
    char text[RLN__HEADER_BYTES];

    for (size_t i = 0; i < t->n_columns && !rln__table_style_of(t)->has_no_header;
         i++) {
        rln__buf_text(out, rln__table_header(t, i, text));
        rln__buf_char(out, i + 1 == t->n_columns ? '\n' : is_csv ? ',' : '\t');
    }
    for (size_t row = 0; row < n_rows; row++) {
        for (size_t i = 0; i < t->n_columns; i++) {
            add_separated(t, row, i, is_csv, out);
            rln__buf_char(out, i + 1 == t->n_columns ? '\n' : is_csv ? ',' : '\t');
        }
        if (!rln__table_row_ends(t, out))
            break;
    }
}

static void print_json(const struct rln__table *t, struct rln__buf *out)
{
    char text[RLN__HEADER_BYTES];

    rln__buf_text(out, "[");
    for (size_t i = 0; i < t->n_cells; i++) {
        const size_t column = i % t->n_columns;
        const char *header = rln__table_header(t, column, text);
        const rln_text cell = rln__table_cell_at(t, i);

        if (column == 0)
            rln__buf_text(out, i ? "},\n {" : "\n {");
        else
            rln__buf_text(out, ", ");
        rln__buf_json(out, header, strlen(header));
        rln__buf_text(out, ": ");
        if (rln__table_is_text(t, column))
            rln__buf_json(out, cell.bytes, cell.length);
        else if (cell.length == 0)
            rln__buf_text(out, "null");
        else
            rln__buf_add(out, cell.bytes, cell.length);
        if (!row_goes_on(t, i, out))
            break;
    }
    rln__buf_text(out, t->n_cells ? "}\n]\n" : "]\n");
}

void rln__table_print(const struct rln__table *t, enum rln__table_format format,
                      struct rln__buf *out)
{
    out->has_failed |= t->text.has_failed;
    if (out->has_failed)
        return;
    if (format <= RLN__FORMAT_TABLE)
        rln__table_print_aligned(t, format, out);
    else if (format == RLN__FORMAT_MARKDOWN)
        print_markdown(t, out);
    else if (format == RLN__FORMAT_HDOC)
        print_hdoc(t, out);
    else if (format == RLN__FORMAT_HTABLE)
        print_htable(t, out);
    else if (format == RLN__FORMAT_JSON)
        print_json(t, out);
    else
        print_separated(t, format == RLN__FORMAT_CSV, out);
    out->has_failed |= t->source && t->source->made.has_failed;
}
