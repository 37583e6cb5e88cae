/* SPDX-License-Identifier: Apache-2.0 */
/* lod_gpus.h - the GPUs of an index: which of its rows are streams of the same one. */
#ifndef RLN_TIMELINE_LOD_GPUS_H
#define RLN_TIMELINE_LOD_GPUS_H

#include "timeline/lod.h"

/* Processes have their own, even where the name is the same. */
struct rln__lod_gpu {
    rln_text name; /* "GPU 0", borrowed */
    uint32_t process;
};

struct rln__lod_gpus {
    struct rln__lod_gpu *items; /* owned, in the order of their first rows */
    size_t n, capacity;
    uint32_t *of_row; /* owned: by row, a GPU's index; RLN__NONE: of none */
};

/* 0, or -1: no memory; either way, `out` can be cleared. */
int rln__lod_find_gpus(struct rln__lod *lod, struct rln__lod_gpus *out);
void rln__lod_gpus_clear(struct rln__lod_gpus *gpus);

#endif
