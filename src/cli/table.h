/* SPDX-License-Identifier: Apache-2.0 */
/* table.h - a report's rows in the formats of `stats -f`.
 *
 *   column   " Time (%)  Total Time (ns)"   aligned, thousands separated, for people
 *   table    "| Time (%) | Total Time (ns) |"
 *   csv tsv  header and rows, plain numbers
 *   json     an array of objects
 */
#ifndef RLN_CLI_TABLE_H
#define RLN_CLI_TABLE_H

#include "base/buf.h"
#include "rangeline/error.h"

#include <stdbool.h>

enum rln__table_format {
    RLN__FORMAT_COLUMN,
    RLN__FORMAT_TABLE,
    RLN__FORMAT_CSV,
    RLN__FORMAT_TSV,
    RLN__FORMAT_JSON,
};

/* -1 if there is no such format. */
int rln__table_format(const char *name, size_t length);
/* "txt" for column and table, else the format's name. */
const char *rln__table_extension(enum rln__table_format format);

struct rln__column {
    const char *header; /* static */
    bool is_text;       /* to the left, quoted in JSON; numbers stand to the right */
};

struct rln__cell {
    size_t begin, length; /* in `text` */
};

struct rln__table {
    const struct rln__column *columns; /* borrowed */
    size_t n_columns;
    struct rln__buf text;    /* of all cells */
    struct rln__cell *cells; /* owned; row by row */
    size_t n_cells, capacity;
    bool is_plain; /* column: no thousands separators; cells are already humane */
    bool is_bold;  /* column: the header */
};

void rln__table_init(struct rln__table *table, const struct rln__column *columns,
                     size_t n_columns);
void rln__table_clear(struct rln__table *table);

/* Appends the next cell, left to right and row by row: whatever was appended to
 * `table->text` since the last call. */
void rln__table_cell(struct rln__table *table);

void rln__table_print(const struct rln__table *table, enum rln__table_format format,
                      struct rln__buf *out);

#endif
