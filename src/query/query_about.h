/* SPDX-License-Identifier: Apache-2.0 */
/* query_about.h - the description of a trace that a page loads first. */
#ifndef RLN_QUERY_QUERY_ABOUT_H
#define RLN_QUERY_QUERY_ABOUT_H

#include "query/query_parts.h"

int rln__query_about(const struct rln__query_context *asked, struct rln__buf *out);
int rln__query_names(const struct rln__query_context *asked, struct rln__buf *out);

/* The answer to about() without its names, which come between the two parts. 0, or -1:
 * no memory. */
int rln__query_describe(const struct rln__query_context *asked, struct rln__buf *head,
                        struct rln__buf *tail);

/* What a filter of threads is compared with: `label pid/tid`. */
void rln__query_put_group(struct rln__buf *out, const struct rln__lod *lod,
                          size_t group);

/* By row: 1 for those of the threads that a text is a part of. Owned by the caller;
 * NULL: no memory. */
uint8_t *rln__query_rows_of_threads(const struct rln__lod *lod, rln_text part);

#endif
