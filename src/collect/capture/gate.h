/* SPDX-License-Identifier: Apache-2.0 */
/* gate.h - decides whether an event is recorded now.                             [hot]
 *
 * The gate is one word of the superblock, which all processes of the run have mapped.
 * While none of its bits concerns events, everything is recorded, so windows cost each
 * event one load and one branch.
 *
 * A window only decides about ranges as they begin. A push that is not recorded is
 * *hidden*: the thread keeps it in a list, and its pop is not recorded either. The pop
 * of a recorded range is always recorded, whatever the gate says, so the ranges in a
 * trace always nest. The first event recorded after a gap lists the ranges that are
 * still hidden: "resumed" in docs/FORMAT.md.
 *
 * Budget of a pair while no window is open: 4 ns registered, 6 plain (bench/pair.c).
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
 * open, or its domain is left out. Then an end without an id, perhaps through another
 * domain, is no mistake of the program, and is not recorded. */
static inline int rln__may_have_no_id(void)
{
    return __atomic_load_n(&rln__control->gate, __ATOMIC_RELAXED) >> 32 != 0 ||
           rln__collector.config.filters_domains;
}

/* What to do with an event that the gate concerns. */
enum rln__verdict {
    RLN__IS_RECORDED = 1,
    RLN__BEGINS_CAPTURE = 2, /* it is a capture range's push or start */
    RLN__ENDS_CAPTURE = 4,
    RLN__BEGINS_SNAPSHOT = 8, /* a range whose end asks for a snapshot */
    RLN__ENDS_SNAPSHOT = 16,
    RLN__IS_EXCLUDED = 32, /* a push */
    RLN__BEGINS_WATCHED = RLN__BEGINS_CAPTURE | RLN__BEGINS_SNAPSHOT,
    RLN__ENDS_WATCHED = RLN__ENDS_CAPTURE | RLN__ENDS_SNAPSHOT,
};

/* The parts of an event that the gate looks at. */
struct rln__gated_event {
    unsigned kind;
    uint32_t domain;
    uint32_t id;       /* of its attributes; 0: none */
    uint32_t category; /* of attributes without an id, and their look */
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

/* The return value of a call whose event is not recorded. Its depth is counted all the
 * same. */
uint64_t rln__query_unrecorded(unsigned kind, uint32_t domain);

/* The thread's number of hidden ranges; each is {domain:32, id:32}, for "resumed". */
static inline uint32_t rln__n_unrecorded(const struct rln__thread_context *t)
{
    return __atomic_load_n(&t->n_unrecorded, __ATOMIC_RELAXED);
}

/* Brackets records written although no window is open, so that hidden ranges stay
 * hidden. */
static inline void rln__gate_keeps_unrecorded(uint32_t keeps)
{
    struct rln__thread_context *t = rln__own_thread();

    if (rln__n_unrecorded(t) || t->keeps_unrecorded)
        t->keeps_unrecorded = keeps;
}

#endif
