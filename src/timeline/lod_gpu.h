/* SPDX-License-Identifier: Apache-2.0 */
/* lod_gpu.h - GPU work in an index. */
#ifndef RLN_TIMELINE_LOD_GPU_H
#define RLN_TIMELINE_LOD_GPU_H

#include "timeline/lod.h"

/* The phase of GPU work: reads up to `n` operations. RLN_END: there are no more. */
rln_status rln__lod_begin_gpu(struct rln__lod *lod, rln_error *err);
rln_status rln__lod_read_some_gpu(struct rln__lod *lod, size_t n, rln_error *err);

#endif
