/* SPDX-License-Identifier: Apache-2.0 */
/* query_diff.h - two traces compared, as `rangeline diff` does. */
#ifndef RLN_QUERY_QUERY_DIFF_H
#define RLN_QUERY_QUERY_DIFF_H

#include "rangeline/reader.h"
#include "table/table.h"

/* Of the ranges that differ; both traces may be closed afterwards. Empty when zeroed. */
struct rln__diff_tables {
    struct rln__table for_people, exact;
    struct rln__buf details; /* terminated: how many ranges there are of each verdict */
};

/* `filter` is what restricts both traces, in words. On failure all are empty. */
rln_status rln__diff_tables_make(rln_reader *before, rln_reader *after,
                                 const char *filter, struct rln__diff_tables *out,
                                 rln_error *err);
void rln__diff_tables_clear(struct rln__diff_tables *tables);

#endif
