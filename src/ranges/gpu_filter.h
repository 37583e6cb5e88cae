/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_filter.h - whether GPU work passes the reader's filter and overlaps its window,
 * for those who read it in batches instead of as events. */
#ifndef RLN_RANGES_GPU_FILTER_H
#define RLN_RANGES_GPU_FILTER_H

#include "ranges/event_filter.h"
#include "trace/decode/gpu_batches.h"

struct rln__gpu_filter {
    rln_reader *reader; /* borrowed */
    struct rln__event_payloads payloads;
};

/* `filter` is zeroed except the reader. Events without a place in time never pass. */
rln_status rln__gpu_filter_accepts(struct rln__gpu_filter *filter,
                                   const struct rln__gpu_batch *batch,
                                   const struct rln__gpu_event *event, int *accepts,
                                   rln_error *err);
void rln__gpu_filter_clear(struct rln__gpu_filter *filter);

#endif
