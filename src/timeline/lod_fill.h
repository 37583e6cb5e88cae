/* SPDX-License-Identifier: Apache-2.0 */
/* lod_fill.h - puts what the pass over a trace has found into its rows, on a second
 * core where there is one. */
#ifndef RLN_TIMELINE_LOD_FILL_H
#define RLN_TIMELINE_LOD_FILL_H

#include "timeline/lod.h"

/* Puts everything read so far into the rows: call before reading an index that is being
 * built. 0, or -1: no memory. */
int rln__lod_catch_up(struct rln__lod *lod);

/* Adds a range or a mark with that name to a row, at the latest in rln__lod_catch_up().
 * 0, or -1: no memory. */
int rln__lod_fill(struct rln__lod *lod, uint32_t row, uint32_t name,
                  const struct rln__range_bucket *bucket, uint64_t self_ns);
/* Adds a sample. */
int rln__lod_add_sample_bucket(struct rln__lod *lod, uint32_t row,
                               const struct rln__sample_bucket *sample_bucket);

/* Frees the entries that wait, added or not. */
void rln__lod_end_filling(struct rln__lod *lod);

#endif
