/* SPDX-License-Identifier: Apache-2.0 */
/* query_tile.h - the part of rows that a picture of a span shows, as columns. */
#ifndef RLN_QUERY_QUERY_TILE_H
#define RLN_QUERY_QUERY_TILE_H

#include "query/query_parts.h"

int rln__query_tile(const struct rln__query_context *asked, struct rln__buf *out);

#endif
