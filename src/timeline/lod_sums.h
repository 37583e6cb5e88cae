/* SPDX-License-Identifier: Apache-2.0 */
/* lod_sums.h - sums up the ranges of a span. */
#ifndef RLN_TIMELINE_LOD_SUMS_H
#define RLN_TIMELINE_LOD_SUMS_H

#include "timeline/lod_query.h"

/* Sums up ranges in [from_ns, to_ns] by name and by path, or by kinds of names
 * (lod_kinds.h), each as its first name. Names are exact for the whole trace without a
 * search. Where the span is narrow enough to be read again, both are, except self times
 * where ranges cross, and with a filter of the reader: then those of names include
 * inner ranges that it excludes. 0, or -1: no memory; clear `out` in either case. */
int rln__lod_sum_up(struct rln__lod *lod, int64_t from_ns, int64_t to_ns,
                    const struct rln__lod_filter *filter, int are_kinds,
                    struct rln__lod_sums *out);

/* Keeps the longest paths, about `most`, and their ancestors. `rest_ns` is the total of
 * the outermost paths left out. 0, or -1: no memory, and all stay. */
int rln__lod_keep_longest(struct rln__lod_sums *sums, size_t most, uint64_t *rest_ns);
void rln__lod_sums_clear(struct rln__lod_sums *sums);

#endif
