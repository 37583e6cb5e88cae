/* SPDX-License-Identifier: Apache-2.0 */
/* event_fill.h - the rarer events: neither marks nor of ranges. */
#ifndef RLN_RANGES_EVENT_FILL_H
#define RLN_RANGES_EVENT_FILL_H

#include "ranges/events.h"

struct rln__merged;
struct rln__name_event;

void rln__fill_attributes(const rln_reader *reader, uint32_t attr, int has_value,
                          rln_attributes *out);

/* Name and domain of a synchronization object; all zero if the trace does not say. */
rln_status rln__fill_object(rln_reader *reader, uint32_t process, uint32_t object,
                            uint64_t ticks, rln_attributes *out, rln_error *err);

rln_status rln__fill_domain(rln_events *events, uint32_t process, uint32_t domain_id,
                            rln_error *err);
rln_status rln__fill_name(rln_events *events, const struct rln__name_event *name,
                          rln_error *err);
/* A sample of a batch, or an event whose schema is a group of counters. */
rln_status rln__fill_deferred_sample(rln_events *events,
                                     const struct rln__deferred_event *deferred,
                                     rln_error *err);
/* Any item other than a mark or the begin or end of an NVTX range. What it says of open
 * ranges is not read. */
rln_status rln__fill_other(rln_events *events, const struct rln__merged *merged,
                           rln_error *err);

#endif
