/* SPDX-License-Identifier: Apache-2.0 */
/* lod_gpu_owners.h - which ranges the work of GPUs belongs to, and these ranges above the
 * work of each stream. */
#ifndef RLN_TIMELINE_LOD_GPU_OWNERS_H
#define RLN_TIMELINE_LOD_GPU_OWNERS_H

#include "timeline/lod.h"

/* Levels of ranges that are projected on a stream, from the outermost on. */
#define RLN__LOD_PROJECTED_LEVELS 8u

/* Call once all ranges are in their rows: decides which operations the main threads
 * adopt, and projects ranges on streams. 0, or -1: no memory. */
int rln__lod_own_gpu(struct rln__lod *lod);

#endif
