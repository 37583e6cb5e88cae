/* SPDX-License-Identifier: Apache-2.0 */
/* lod_narrow.h - refines an index: each range of a narrow span gets its own bucket. */
#ifndef RLN_TIMELINE_LOD_NARROW_H
#define RLN_TIMELINE_LOD_NARROW_H

#include "timeline/lod.h"

/* The index to query about push/pop ranges and marks of a span, at `pixel_ns` per
 * pixel: `lod` itself, or a refined one with only these. `lod` owns that one; it is
 * valid until the next call. */
struct rln__lod *rln__lod_refine(struct rln__lod *lod, int64_t from_ns, int64_t to_ns,
                                 int64_t pixel_ns);

#endif
