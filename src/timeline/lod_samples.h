/* SPDX-License-Identifier: Apache-2.0 */
/* lod_samples.h - puts the numbers of a counter's samples into its rows. */
#ifndef RLN_TIMELINE_LOD_SAMPLES_H
#define RLN_TIMELINE_LOD_SAMPLES_H

#include "timeline/lod_pass.h"

rln_status rln__lod_sample(struct rln__lod *lod, const struct rln__item *item,
                           int64_t t_ns, uint32_t part, rln_error *err);
rln_status rln__lod_no_value(struct rln__lod *lod, const struct rln__item *item,
                             int64_t t_ns, uint32_t part, rln_error *err);
rln_status rln__lod_deferred_sample(struct rln__lod *lod,
                                    const struct rln__deferred_events *deferred_events,
                                    const struct rln__deferred_event *event,
                                    rln_error *err);

#endif
