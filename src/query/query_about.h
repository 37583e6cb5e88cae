/* SPDX-License-Identifier: Apache-2.0 */
/* query_about.h - the description of a trace that a page loads first. */
#ifndef RLN_QUERY_QUERY_ABOUT_H
#define RLN_QUERY_QUERY_ABOUT_H

#include "query/query_parts.h"

int rln__query_about(const struct rln__query_context *asked, struct rln__buf *out);
int rln__query_names(const struct rln__query_context *asked, struct rln__buf *out);

/* By kinship: the number of its category in about(). Owned by the caller; NULL: no
 * memory. */
uint32_t *rln__query_categories(const struct rln__lod *lod);

/* Whether a group's label in about() (`label pid/tid`) contains `part`. */
int rln__group_holds(const struct rln__lod *lod, const struct rln__lod_group *group,
                     rln_text part);

/* By row: 1 for those of the threads that a text is a part of. Owned by the caller;
 * NULL: no memory. */
uint8_t *rln__query_rows_of_threads(const struct rln__lod *lod, rln_text part);

#endif
