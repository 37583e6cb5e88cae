/* SPDX-License-Identifier: Apache-2.0 */
/* query.h - answers a question from an index, as JSON (viewer/README.md). The caller
 * has the reader to itself meanwhile. */
#ifndef RLN_QUERY_QUERY_H
#define RLN_QUERY_QUERY_H

#include "query/query_parts.h"

/* The status of HTTP: 200, 404 (no such row or name) or 500. */
int rln__query(const struct rln__query_context *asked, struct rln__buf *out);

#endif
