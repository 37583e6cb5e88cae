/* SPDX-License-Identifier: Apache-2.0 */
/* capture.h - opens and closes the gate when capture ranges begin and end. row_flags.h
 * has the flags that make a range a capture range. */
#ifndef RLN_COLLECT_CAPTURE_CAPTURE_H
#define RLN_COLLECT_CAPTURE_CAPTURE_H

#include "collect/capture/gate_word.h"

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

/* Stores the id of a capture range of a start, if there is a free slot; or tells
 * whether `id` is such a range, and removes it. With RLN__SNAPSHOT_ID, the same for
 * ranges that trigger a snapshot at their end. */
int rln__capture_keep_id(uint64_t id);
int rln__capture_take_id(uint64_t id);

/* An id for a capture range of a start that is not recorded, because something else
 * closes the gate. The id is stored, so that the range's end is recognized. 0 if no
 * slot is free. */
uint64_t rln__capture_held_id(void);

/* Counts a range that nearly matches the capture pattern, to explain an empty trace. */
void rln__capture_note_near_miss(const struct rln__gated_event *e);

/* Writes the names of the first other ranges without a row, for the same purpose. */
void rln__capture_note_other(const struct rln__gated_event *e);

/* The initial gate of a run that this process begins. */
uint32_t rln__capture_first_gate(const struct rln__config *config);

#endif
