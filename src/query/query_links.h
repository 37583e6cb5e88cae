/* SPDX-License-Identifier: Apache-2.0 */
/* query_links.h - relates ranges of threads to the work of GPUs that was requested in
 * them. */
#ifndef RLN_QUERY_QUERY_LINKS_H
#define RLN_QUERY_QUERY_LINKS_H

#include "query/query_parts.h"

int rln__query_links(const struct rln__query_context *asked, struct rln__buf *out);

#endif
