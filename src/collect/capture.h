/* SPDX-License-Identifier: Apache-2.0 */
/* capture.h - what capture ranges do to the gate. Which they are says row_flags.h. */
#ifndef RLN_COLLECT_CAPTURE_H
#define RLN_COLLECT_CAPTURE_H

#include "collect/config.h"
#include "collect/gate.h"

/* A capture range, or what else takes that reason from the gate, begins or has ended.
 */
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

/* Keeps the id of a capture range that a start began, if there is room for one more; or
 * says whether it is one and forgets it. With RLN__SNAPSHOT_ID the same of ranges whose
 * end asks for a snapshot. */
int rln__capture_keep_id(uint64_t id);
int rln__capture_take_id(uint64_t id);

/* An id for a capture range that a start began while something else keeps the gate
 * closed: it is kept, and so its end is seen. 0 if there is no room. */
uint64_t rln__capture_held_id(void);

/* A range begins that is no capture range, but nearly: counted, for who wonders why
 * nothing was captured. */
void rln__capture_note_near_miss(const struct rln__concern *e);

/* Any other range begins that has no row: the first ones' names are told to the same
 * end. */
void rln__capture_note_other(const struct rln__concern *e);

/* The gate of a run that this process begins. */
uint32_t rln__capture_first_gate(const struct rln__config *config);

#endif
