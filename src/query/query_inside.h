/* SPDX-License-Identifier: Apache-2.0 */
/* query_inside.h - how an occurrence differs from the others of its name: the time of
 * each part of it (timeline/lod_inside.h), beside the median over all of them. */
#ifndef RLN_QUERY_QUERY_INSIDE_H
#define RLN_QUERY_QUERY_INSIDE_H

#include "query/query_parts.h"
#include "timeline/lod_inside.h"

int rln__query_inside(const struct rln__query_context *asked, struct rln__buf *out);

/* Whether what begins there is inside no other range of those names, which are nonzero at
 * their numbers. */
int rln__query_is_outermost(struct rln__lod *lod, const uint8_t *names, uint32_t row,
                            int64_t start_ns);

/* Members that name a part: "name", or -1 and "gpu" or "isSelf". */
void rln__query_put_part(struct rln__buf *out, const struct rln__lod_gpus *gpus,
                         uint32_t part);

#endif
