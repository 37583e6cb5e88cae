/* SPDX-License-Identifier: Apache-2.0 */
/* report.h - the reports that `stats` knows, each as a table. */
#ifndef RLN_CLI_REPORT_H
#define RLN_CLI_REPORT_H

#include "cli/table.h"
#include "rangeline/stats.h"
#include "rangeline/tree.h"

struct rln__unit {
    const char *name;  /* "ns", as in headers */
    const char *names; /* what the command line may call it */
    unsigned n_digits; /* so many decimals lose nothing */
    double ns;
};

struct rln__report {
    const char *name;
    const char *title;
    const char *help;
    bool is_tree;
    rln_range_style style; /* of the ranges it lists; 0 is both */
};

struct rln__report_look {
    const struct rln__unit *unit;
    bool is_humane;  /* units and bars, for a terminal */
    bool has_unit;   /* the user named it, so the tree uses it too */
    bool is_aligned; /* column or table */
    bool has_color;
};

extern const struct rln__report rln__reports[]; /* ends with a name of NULL */

/* The unit that `name` is a beginning of, or NULL. */
const struct rln__unit *rln__unit_find(const char *name);

/* Fills a table that rln__table_clear() frees. False: the report has no rows. */
bool rln__report_fill(const struct rln__report *report, const rln_stats *stats,
                      const rln_tree *tree, const struct rln__report_look *look,
                      struct rln__table *table);

#endif
