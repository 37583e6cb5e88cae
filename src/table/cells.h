/* SPDX-License-Identifier: Apache-2.0 */
/* cells.h - turns the cells of reports into text, with the requested units. */
#ifndef RLN_TABLE_CELLS_H
#define RLN_TABLE_CELLS_H

#include "rangeline/report.h"
#include "table/table.h"

struct rln__unit {
    const char *name;  /* "ns", as in headers */
    const char *names; /* its names on the command line */
    unsigned n_digits; /* decimals that lose nothing */
    double ns;
};

struct rln__cell_format {
    const struct rln__unit *unit;
    bool is_human_readable; /* units and bars, for a terminal */
    bool has_unit;          /* the user named it, so the tree uses it too */
    bool is_aligned;        /* column or table */
    bool has_color;
    bool is_ascii; /* of bars */
};

/* The unit called `name`, or the only one that begins with it; else NULL. */
const struct rln__unit *rln__unit_find(const char *name);

/* Each appends one cell. */
void rln__cell_text(struct rln__table *t, const char *text);
void rln__cell_name(struct rln__table *t, rln_text text);
/* "PushPop" or "StartEnd", as nsys calls them; nothing for another. */
void rln__cell_style(struct rln__table *t, rln_range_style style);
/* A number that is not for reading, such as an id: its digits and nothing else, or an
 * empty cell. */
void rln__cell_plain(struct rln__table *t, uint64_t id, bool is_there);
/* Adds the text of a report's cell. */
void rln__cell_add(struct rln__buf *buf, const struct rln__cell_format *cell_format,
                   const rln_cell *cell);
/* A report's cell, with the requested unit and digits. */
void rln__cell(struct rln__table *t, const struct rln__cell_format *cell_format,
               rln_cell cell);
/* At most ten blocks, in eighths, so that the longest name is easy to see; `is_ascii`: of
 * `#`. */
void rln__cell_bar(struct rln__table *t, uint64_t part, uint64_t whole, bool is_ascii);

#endif
