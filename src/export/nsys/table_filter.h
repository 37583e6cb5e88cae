/* SPDX-License-Identifier: Apache-2.0 */
/* table_filter.h - which tables were requested: Nsight's --tables. */
#ifndef RLN_EXPORT_NSYS_TABLE_FILTER_H
#define RLN_EXPORT_NSYS_TABLE_FILTER_H

#include "rangeline/error.h"

struct rln__table_filter;

/* `patterns` are basic regular expressions with commas between. The caller frees
 * `*out`. RLN_ERR_ARGUMENT names the one that is none. */
rln_status rln__table_filter_new(const char *patterns, struct rln__table_filter **out,
                                 rln_error *err);
void rln__table_filter_free(struct rln__table_filter *filter);
int rln__table_filter_has(const struct rln__table_filter *filter, const char *name);

#endif
