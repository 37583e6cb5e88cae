/* SPDX-License-Identifier: Apache-2.0 */
/* table.h - prints rows in the formats of -f.
 *
 *   column   " Time (%)  Total Time (ns)"   aligned, thousands separated, for people
 *   table    "| Time (%) | Total Time (ns) |"
 *   csv tsv  header and rows, plain numbers
 *   json     an array of objects
 *   markdown for a pull request: human-readable cells
 *   hdoc     an HTML page with that table, htable only the table
 */
#ifndef RLN_TABLE_TABLE_H
#define RLN_TABLE_TABLE_H

#include "base/buf.h"
#include "rangeline/error.h"

#include <stdbool.h>
#include <stdint.h>

enum rln__table_format {
    RLN__FORMAT_COLUMN,
    RLN__FORMAT_TABLE,
    RLN__FORMAT_CSV,
    RLN__FORMAT_TSV,
    RLN__FORMAT_JSON,
    RLN__FORMAT_MARKDOWN,
    RLN__FORMAT_HDOC,
    RLN__FORMAT_HTABLE,
};

/* The names of all, for messages and for options. */
#define RLN__TABLE_FORMATS "column, table, csv, tsv, json, markdown, hdoc, htable"
#define RLN__TABLE_CHOICES "column|table|csv|tsv|json|markdown|hdoc|htable"

/* -1 if there is no such format. */
int rln__table_format(const char *name, size_t length);
/* "txt" for column and table, "html" for hdoc and htable, else the format's name. */
const char *rln__table_extension(enum rln__table_format format);

#define RLN__MOST_WIDTHS 32
#define RLN__AUTO_WIDTH SIZE_MAX

/* Options of a format: "column:nohdr:.:30:0". Zeroed: none. */
struct rln__table_style {
    bool has_no_header;
    bool is_ungrouped; /* no thousands separators */
    bool escapes;      /* tsv: \t for a tab, not a blank */
    /* column and table: of the first columns. Longer cells end with an ellipsis; 0
     * leaves the column out. */
    size_t widths[RLN__MOST_WIDTHS];
    size_t n_widths;
    char *title, *css; /* owned; of hdoc: its title and style sheet; or NULL */
};

enum rln__column_kind {
    RLN__NUMBER, /* aligned to the right */
    RLN__ID,     /* a number that is a name: its digits are not grouped */
    RLN__TEXT,   /* aligned to the left, quoted in JSON */
    RLN__PATH,   /* as text, but shortened at the front, as its end matters most */
    RLN__KINDS = 7,
};

/* Added to a kind: left out if lines are too long, 1 first. */
#define RLN__SPARE(order) ((order) << 3)
#define RLN__MOST_SPARE 5

struct rln__column {
    const char *header; /* static; in "Total (@)" the @ is the table's unit */
    unsigned kind;      /* enum rln__column_kind, and RLN__SPARE() */
};

/* Supplies the cells of a large table as they are printed. Allocated with rln__alloc(),
 * as the head of what `add` needs. */
struct rln__table_source {
    void (*add)(const struct rln__table_source *source, size_t row, size_t column,
                struct rln__buf *out);
    struct rln__buf made; /* the last cell */
};

struct rln__table {
    const struct rln__column *columns; /* borrowed */
    size_t n_columns;
    struct rln__buf text; /* of all cells, one after the other, row by row */
    size_t *ends;         /* owned: where each ends in `text` */
    size_t n_cells, capacity;
    struct rln__table_source *source; /* owned; NULL: all cells are in `text` */
    /* owned: rows to print, and `n_cells` counts just these; NULL: all */
    size_t *rows;
    const char *title; /* static: of hdoc; or NULL */
    const char *unit;  /* static; NULL: " (@)" is left out */
    bool is_plain; /* column: no thousands separators; cells are already human-readable
                    */
    bool is_bold;  /* column: the header */
    /* column: names are cut, and spare columns left out, so that a line fits; 0: no
     * limit */
    size_t most_columns;
    /* column, table: what table_shared.h leaves out of the names of a column */
    struct rln__buf shared;
    size_t shared_column;
    const struct rln__table_style *style; /* borrowed; or NULL */
    struct rln__column *added; /* owned, with headers: all columns, if any was added */
    size_t n_added;
    /* Writes and empties the text so far; false: the reader has gone. NULL: all of it
     * stays in memory. */
    bool (*drain)(void *to, struct rln__buf *out);
    void *drain_to;
};

void rln__table_init(struct rln__table *table, const struct rln__column *columns,
                     size_t n_columns);
void rln__table_clear(struct rln__table *table);

/* Adds a column, before the first cell. Its header is copied. */
void rln__table_add_column(struct rln__table *table, const char *header, unsigned kind);

/* Ends the next cell, left to right and row by row: its text is what was appended to
 * `table->text` since the last call. */
void rln__table_cell(struct rln__table *table);

void rln__table_print(const struct rln__table *table, enum rln__table_format format,
                      struct rln__buf *out);

#endif
