/* SPDX-License-Identifier: Apache-2.0 */
/* capture.h - how capture ranges open and close the gate. row_flags.h says which ranges
 * they are. */
#ifndef RLN_COLLECT_CAPTURE_CAPTURE_H
#define RLN_COLLECT_CAPTURE_CAPTURE_H

#include "collect/capture/gate.h"
#include "collect/process/config.h"

/* A capture range, or something else that opens a window, begins or ends. `reason` is
 * its bit in the gate. */
void rln__capture_begin_with(uint32_t reason, enum rln__window_cause cause);
void rln__capture_end_with(uint32_t reason, enum rln__window_cause cause);

static inline void rln__capture_begin(void)
{
    rln__capture_begin_with(RLN__GATE_CAPTURE, RLN__WINDOW_BY_CAPTURE);
}

static inline void rln__capture_end(void)
{
    rln__capture_end_with(RLN__GATE_CAPTURE, RLN__WINDOW_BY_CAPTURE);
}

/* Remembers the id of a capture range opened by a start, if there is room; or says
 * whether `id` is such a range, and forgets it. With RLN__SNAPSHOT_ID, the same for
 * ranges whose end asks for a snapshot. */
int rln__capture_keep_id(uint64_t id);
int rln__capture_take_id(uint64_t id);

/* An id for a capture range that a start opened while something else keeps the gate
 * closed. The id is remembered, so the range's end is seen. 0 if there is no room. */
uint64_t rln__capture_held_id(void);

/* Counts a range that almost matches the capture pattern, to explain why nothing was
 * captured. */
void rln__capture_note_near_miss(const struct rln__gated_event *e);

/* Reports the names of the first other ranges without a row, for the same purpose. */
void rln__capture_note_other(const struct rln__gated_event *e);

/* The initial gate of a run that this process begins. */
uint32_t rln__capture_first_gate(const struct rln__config *config);

#endif
