/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_gaps.h - when a GPU was idle during calls of the step, and where a thread was.
 *
 *     thread   |step: |load      |solve|   |step: |load|solve|
 *     GPU         [copy]          [ kernel ]            [ kernel ]
 *     gaps              |--------|          |----|------|        cut at the steps' ends
 *
 * A gap lies between two operations: what comes before the first or after the last one
 * of the GPU is none.
 */
#ifndef RLN_ANALYSIS_GPU_GAPS_H
#define RLN_ANALYSIS_GPU_GAPS_H

#include "analysis/gpu_times.h"

struct rln__gap {
    int64_t start_ns, end_ns;
    double before_ns; /* in all earlier gaps */
    size_t call;      /* of the track */
};

struct rln__gaps {
    struct rln__gap *gaps; /* owned; by time */
    size_t n, capacity;
    double ns;
};

/* Those over `least_ns` and over `least_share` of their call. 0, or -1 when there is no
 * memory; either way, `out` can be cleared. */
int rln__gaps_find(const struct rln__gpu_track *track, double least_ns,
                   double least_share, struct rln__gaps *out);
void rln__gaps_clear(struct rln__gaps *gaps);

/* Adds, by name, how long each was the innermost range of the track's thread during
 * gaps. */
void rln__gaps_add_where(const struct rln__gaps *gaps, const struct rln__run *run,
                         uint32_t thread, double *by_name);

#endif
