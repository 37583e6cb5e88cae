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

#include "collect/event/thread.h"

/* Lies in the mapped superblock; set before the first event. */
extern RLN_OWN struct rln__control *rln__control;

static inline uint32_t rln__gate(void)
{
    return __atomic_load_n(&rln__control->gate_bits, __ATOMIC_RELAXED) &
           RLN__GATE_CONCERNS;
}

/* Whether a start may have returned no id because it was not recorded: no window was
 * open, or its domain is excluded. Then an end without an id, perhaps through another
 * domain, is not a mistake of the program, and is not recorded. */
static inline int rln__may_have_no_id(void)
{
    return __atomic_load_n(&rln__control->gate, __ATOMIC_RELAXED) >> 32 != 0 ||
           rln__collector.config.filters_domains;
}

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

/* The parts of an event that the gate needs. */
struct rln__gated_event {
    unsigned kind;
    uint32_t domain;
    uint32_t id;       /* of its attributes; 0: none */
    uint32_t category; /* of attributes without an id */
    uint64_t style_key;
    uint64_t value;   /* of END: the range's id */
    const char *text; /* of a message without an id; or NULL */
    size_t n_bytes;
};

/* gate.c: called before the event is recorded; may open a window. */
unsigned rln__gate_before_event(const struct rln__gated_event *e);

/* Called when the event has been recorded, with the call's intended return value; may
 * close the window. Returns the actual one. */
uint64_t rln__gate_after_event(unsigned verdict, const struct rln__gated_event *e,
                               uint64_t result);

/* The return value of a call with an unrecorded event. Its depth is still counted. */
uint64_t rln__query_unrecorded(unsigned kind, uint32_t domain);

/* The number of the thread's unrecorded ranges; each is {domain:32, id:32}, for
 * "resumed". */
static inline uint32_t rln__n_unrecorded(const struct rln__thread_context *t)
{
    return __atomic_load_n(&t->n_unrecorded, __ATOMIC_RELAXED);
}

/* Call with 1 before and 0 after records that are written outside windows, so that they
 * do not resume unrecorded ranges. */
static inline void rln__gate_keeps_unrecorded(uint32_t keeps)
{
    struct rln__thread_context *t = rln__own_thread();

    if (rln__n_unrecorded(t) || t->keeps_unrecorded)
        t->keeps_unrecorded = keeps;
}

#endif
