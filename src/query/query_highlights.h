/* SPDX-License-Identifier: Apache-2.0 */
/* query_highlights.h - where to look first: the slowest occurrences of what the program
 * repeats and what grew in them, what only some of them have, and when GPUs were idle. */
#ifndef RLN_QUERY_QUERY_HIGHLIGHTS_H
#define RLN_QUERY_QUERY_HIGHLIGHTS_H

#include "query/query_parts.h"

int rln__query_highlights(const struct rln__query_context *asked, struct rln__buf *out);

#endif
