/* SPDX-License-Identifier: Apache-2.0 */
/* query_counters.h - the bounds and the mean of counters in a span of time. */
#ifndef RLN_QUERY_QUERY_COUNTERS_H
#define RLN_QUERY_QUERY_COUNTERS_H

#include "query/query_parts.h"

int rln__query_counters(const struct rln__query_context *asked, struct rln__buf *out);

#endif
