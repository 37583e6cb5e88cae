/* SPDX-License-Identifier: Apache-2.0 */
/* query_overview.h - how busy a trace is from its beginning to its end. */
#ifndef RLN_QUERY_QUERY_OVERVIEW_H
#define RLN_QUERY_QUERY_OVERVIEW_H

#include "query/query_parts.h"

int rln__query_overview(const struct rln__query_context *asked, struct rln__buf *out);

#endif
