/* SPDX-License-Identifier: Apache-2.0 */
/* lod_longest.h - lists the longest ranges of some names. */
#ifndef RLN_TIMELINE_LOD_LONGEST_H
#define RLN_TIMELINE_LOD_LONGEST_H

#include "timeline/lod_query.h"

/* The longest ranges sought that are in [from_ns, to_ns], at least in part. 0, or -1:
 * no memory. */
int rln__lod_longest(struct rln__lod *lod, const struct rln__lod_sought *sought,
                     int64_t from_ns, int64_t to_ns, struct rln__lod_longest *out);
void rln__lod_longest_clear(struct rln__lod_longest *longest);

#endif
