/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_ranks.h - how long GPUs worked for the ranges of each name, rank by rank. */
#ifndef RLN_REPORTS_GPU_GPU_RANKS_H
#define RLN_REPORTS_GPU_GPU_RANKS_H

#include "reports/sums.h"

/* As rln__sums_new() with RLN__SUM_RANKS, of the time of GPUs: only ranges with GPU
 * work count. */
rln_status rln__gpu_ranks_new(rln_reader *reader, struct rln__sums **out,
                              rln_error *err);

#endif
