/* SPDX-License-Identifier: Apache-2.0 */
/* lod_gpu.h - GPU work in an index. */
#ifndef RLN_TIMELINE_LOD_GPU_H
#define RLN_TIMELINE_LOD_GPU_H

#include "timeline/lod.h"

/* The phase of GPU work: reads up to `n` operations. RLN_END: there are no more. */
rln_status rln__lod_begin_gpu(struct rln__lod *lod, rln_error *err);
rln_status rln__lod_read_some_gpu(struct rln__lod *lod, size_t n, rln_error *err);

/* Levels of ranges that are projected on a stream, from the outermost on. */
#define RLN__LOD_PROJECTED_LEVELS 8u

/* Call once all ranges are in their rows: decides which operations the main threads
 * adopt, and projects ranges on streams. 0, or -1: no memory. */
int rln__lod_own_gpu(struct rln__lod *lod);

#endif
