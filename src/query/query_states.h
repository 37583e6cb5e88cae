/* SPDX-License-Identifier: Apache-2.0 */
/* query_states.h - when threads were on a processor, preempted or blocked, by pixel. */
#ifndef RLN_QUERY_QUERY_STATES_H
#define RLN_QUERY_QUERY_STATES_H

#include "query/query_parts.h"
#include "timeline/lod_states.h"

/* Whether that is known of any thread. Not of a trace that may grow: its switches would
 * have to be read again each time. */
enum rln__lod_states_known
rln__query_states_known(const struct rln__query_context *asked);

int rln__query_states(const struct rln__query_context *asked, struct rln__buf *out);

#endif
