/* SPDX-License-Identifier: Apache-2.0 */
/* live_events.h - adds up the events since the previous refresh. */
#ifndef RLN_LIVE_LIVE_EVENTS_H
#define RLN_LIVE_LIVE_EVENTS_H

#include "live/live_state.h"

/* Visits an item; `live` is a struct rln_live. */
rln_status rln__live_visit(void *live, const struct rln__item *item, int64_t t_ns,
                           uint32_t part, rln_error *err);

/* The part of a range's time since the previous refresh. */
uint64_t rln__live_new_ns(const rln_live *live, int64_t start_ns, int64_t end_ns);

#endif
