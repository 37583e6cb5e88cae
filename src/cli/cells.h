/* SPDX-License-Identifier: Apache-2.0 */
/* cells.h - what stands in the cells of reports, as the user wants to look at it. */
#ifndef RLN_CLI_CELLS_H
#define RLN_CLI_CELLS_H

#include "cli/table.h"
#include "rangeline/report.h"

struct rln__unit {
    const char *name;  /* "ns", as in headers */
    const char *names; /* what the command line may call it */
    unsigned n_digits; /* so many decimals lose nothing */
    double ns;
};

struct rln__report_look {
    const struct rln__unit *unit;
    bool is_humane;  /* units and bars, for a terminal */
    bool has_unit;   /* the user named it, so the tree uses it too */
    bool is_aligned; /* column or table */
    bool has_color;
};

/* The unit that `name` is, or that alone it is a beginning of; else NULL. */
const struct rln__unit *rln__unit_find(const char *name);

/* Each appends one cell. */
void rln__cell_text(struct rln__table *t, const char *text);
void rln__cell_name(struct rln__table *t, rln_text text);
/* "PushPop" or "StartEnd", as nsys calls them; nothing for another. */
void rln__cell_style(struct rln__table *t, rln_range_style style);
/* A number that is not for reading, such as an id: all digits and nothing else, or
 * nothing. */
void rln__cell_plain(struct rln__table *t, uint64_t id, bool is_there);
/* What a report's cell reads as. */
void rln__cell_add(struct rln__buf *buf, const struct rln__report_look *look,
                   rln_cell cell);
/* A report's, in the unit and with the digits that are asked for. */
void rln__cell(struct rln__table *t, const struct rln__report_look *look,
               rln_cell cell);
/* Ten blocks at most, by eighths, so that the longest name is easy to see. */
void rln__cell_bar(struct rln__table *t, uint64_t part, uint64_t whole);

#endif
