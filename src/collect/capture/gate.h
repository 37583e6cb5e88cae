/* SPDX-License-Identifier: Apache-2.0 */
/* gate.h - decides whether an event is recorded now.                             [hot]
 *
 * The gate is one word of the superblock, which all processes of the run have mapped.
 * While its bits for events are 0, everything is recorded, so windows cost each event
 * one load and one branch.
 *
 * The gate decides about a range when it begins. The thread keeps an *unrecorded* push
 * in a list, and its pop is not recorded either. The pop of a recorded range is always
 * recorded, even if the gate is closed, so the ranges in a trace always nest. The first
 * event that a thread records in a window lists the ranges that are open and
 * unrecorded: "resumed" in docs/reference/FORMAT.md.
 *
 * Budget of a pair while no window is open: 4 ns registered, 6 plain
 * (bench/range_pair.c).
 */
#ifndef RLN_COLLECT_CAPTURE_GATE_H
#define RLN_COLLECT_CAPTURE_GATE_H

#include "collect/capture/gate_word.h"

/* What to do with an event while bits of the gate are set. */
enum rln__verdict {
    RLN__IS_RECORDED = 1,
    RLN__BEGINS_CAPTURE = 2, /* the push or start of a capture range */
    RLN__ENDS_CAPTURE = 4,
    RLN__BEGINS_SNAPSHOT = 8, /* of a range that triggers a snapshot at its end */
    RLN__ENDS_SNAPSHOT = 16,
    RLN__IS_EXCLUDED = 32, /* a push */
    RLN__BEGINS_WATCHED = RLN__BEGINS_CAPTURE | RLN__BEGINS_SNAPSHOT,
    RLN__ENDS_WATCHED = RLN__ENDS_CAPTURE | RLN__ENDS_SNAPSHOT,
};

/* Called before the event is recorded; may open a window. */
unsigned rln__gate_before_event(const struct rln__gated_event *e);

/* Called when the event has been recorded, with the call's intended return value; may
 * close the window. Returns the actual one. */
uint64_t rln__gate_after_event(unsigned verdict, const struct rln__gated_event *e,
                               uint64_t result);

/* The return value of a call with an unrecorded event. Its depth is still counted. */
uint64_t rln__result_of_unrecorded(unsigned kind, uint32_t domain);

/* Records an event while bits of the gate are set; put.h calls them. Pushes and pops,
 * the most frequent events, have functions of their own. */
uint64_t rln__put_gated(uint32_t what, uint32_t shifted_id, uint64_t value);
uint64_t rln__push_gated(uint32_t domain, uint32_t shifted_id);
uint64_t rln__pop_gated(uint32_t domain, uint32_t shifted_id);

#endif
