/* SPDX-License-Identifier: Apache-2.0 */
/* query_sought.h - answers about the ranges and marks of a name, of its kind, or of all
 * names that contain a text: the nearest, the longest, the n-th, and all of them. */
#ifndef RLN_QUERY_QUERY_SOUGHT_H
#define RLN_QUERY_QUERY_SOUGHT_H

#include "query/query_parts.h"

/* By name: 1 for the name that is asked for, and if numbers are folded for all of its
 * kind; or for all that contain a text. Owned by the caller; NULL: no memory. */
uint8_t *rln__query_names_sought(const struct rln__query_context *asked);

int rln__query_next(const struct rln__query_context *asked, struct rln__buf *out);
int rln__query_occurrences(const struct rln__query_context *asked,
                           struct rln__buf *out);
int rln__query_nth(const struct rln__query_context *asked, struct rln__buf *out);
int rln__query_instances(const struct rln__query_context *asked, struct rln__buf *out);
int rln__query_search(const struct rln__query_context *asked, struct rln__buf *out);

#endif
