/* SPDX-License-Identifier: Apache-2.0 */
/* sorted_rows.h - the rows of a report that lists many things, one each, in an order of
 * its own. A row is made when it is read.
 *
 *     rows = rln__report_sorted_rows(out, &kind)  then the sorter gets items
 *     rln__sorted_rows_end(rows, status, err)     and from then on it gives rows
 */
#ifndef RLN_REPORTS_SORTED_ROWS_H
#define RLN_REPORTS_SORTED_ROWS_H

#include "base/sorter.h"
#include "rangeline/report.h"

struct rln__sorted_rows;

struct rln__sorted_kind {
    size_t n_bytes; /* of the report's own struct, which begins with the rows */
    size_t item_bytes;
    int (*compare)(const void *, const void *); /* as in rln__sorter */
    /* Puts the cells of an item. */
    void (*put)(rln_report *out, const struct rln__sorted_rows *rows, const void *item);
    /* Releases what the struct owns besides; or NULL. */
    void (*clear)(struct rln__sorted_rows *rows);
};

struct rln__sorted_rows {
    struct rln__sorter all;
    const struct rln__sorted_kind *kind; /* static */
};

/* NULL: no memory. */
struct rln__sorted_rows *rln__sorted_rows_new(const struct rln__sorted_kind *kind);
void rln__sorted_rows_free(struct rln__sorted_rows *rows);

/* After the last item; `status` is that of reading them, RLN_END if all were read. */
rln_status rln__sorted_rows_end(struct rln__sorted_rows *rows, rln_status status,
                                rln_error *err);

#endif
