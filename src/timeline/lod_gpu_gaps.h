/* SPDX-License-Identifier: Apache-2.0 */
/* lod_gpu_gaps.h - when a GPU was idle between its operations.
 *
 *     stream 7   [kernel]              [kernel]
 *     stream 8      [ copy ]
 *     gap                  |----------|           ended by the operation after it
 */
#ifndef RLN_TIMELINE_LOD_GPU_GAPS_H
#define RLN_TIMELINE_LOD_GPU_GAPS_H

#include "timeline/lod_gpus.h"

#define RLN__LOD_MOST_GAPS 5u

struct rln__lod_gpu_gap {
    int64_t start_ns, end_ns;
    uint32_t row; /* of the operation that ends it */
    const struct rln__range_bucket *next;
};

/* Times of a damaged trace may be absurd: the difference is unsigned. */
static inline uint64_t rln__lod_gap_ns(const struct rln__lod_gpu_gap *gap)
{
    return (uint64_t)gap->end_ns - (uint64_t)gap->start_ns;
}

/* Of a GPU; what comes before its first operation or after its last one is no gap. */
struct rln__lod_gpu_idle {
    int64_t first_ns, last_ns;
    uint32_t row; /* of its first operation */
    uint64_t idle_ns;
    size_t n_operations;
    struct rln__lod_gpu_gap longest[RLN__LOD_MOST_GAPS]; /* the longest first */
    size_t n;
    int is_rough; /* some operations are merged, with what is between them */
};

/* An item for each of `gpus`: 0, or -1: no memory. */
int rln__lod_find_gpu_gaps(struct rln__lod *lod, const struct rln__lod_gpus *gpus,
                           struct rln__lod_gpu_idle *out);

#endif
