/* SPDX-License-Identifier: Apache-2.0 */
/* gate.h - whether an event is recorded now.                                      [hot]
 *
 * One word of the superblock, which all processes of the run have mapped. Where it says
 * nothing, recording goes on as if it were not there: that is the one load and the one
 * branch that each event pays for windows.
 *
 * Windows bound what begins. A push that is not recorded is *hidden*: the thread keeps
 * it in a list, and its pop is not recorded either. A pop of a range that was recorded
 * is recorded, whatever the gate says; so what is in the trace always nests. The first
 * event that is recorded again lists what is still hidden: "resumed" in docs/FORMAT.md.
 *
 * Budget of a pair while no window is open: 4 ns registered, 6 plain
 * (bench/pair.c).
 */
#ifndef RLN_COLLECT_GATE_H
#define RLN_COLLECT_GATE_H

#include "collect/thread.h"

/* In the mapped superblock, from before the first event on. */
extern RLN_OWN struct rln__control *rln__control;

static inline uint32_t rln__gate(void)
{
    return __atomic_load_n(&rln__control->gate_bits, __ATOMIC_RELAXED) &
           RLN__GATE_CONCERNS;
}

/* Whether a start that got no id may just not have been recorded, because no window was
 * open or its domain is left out: then its end, which has none either and perhaps comes
 * by another domain, is no mistake of the program's, and not recorded. */
static inline int rln__may_have_no_id(void)
{
    return __atomic_load_n(&rln__control->gate, __ATOMIC_RELAXED) >> 32 != 0 ||
           rln__collector.config.filters_domains;
}

/* What becomes of an event that the gate concerns. */
enum rln__verdict {
    RLN__IS_RECORDED = 1,
    RLN__BEGINS_CAPTURE = 2, /* it is a capture range's push or start */
    RLN__ENDS_CAPTURE = 4,
    RLN__BEGINS_SNAPSHOT = 8, /* of a range whose end asks for a snapshot */
    RLN__ENDS_SNAPSHOT = 16,
    RLN__IS_LEFT_OUT = 32, /* a push */
    RLN__BEGINS_WATCHED = RLN__BEGINS_CAPTURE | RLN__BEGINS_SNAPSHOT,
    RLN__ENDS_WATCHED = RLN__ENDS_CAPTURE | RLN__ENDS_SNAPSHOT,
};

/* An event as far as the gate looks at it. */
struct rln__concern {
    unsigned kind;
    uint32_t domain;
    uint32_t id;       /* of its attributes; 0: none */
    uint32_t category; /* of attributes without an id, and their look */
    uint64_t look;
    uint64_t value;   /* of END: the range's id */
    const char *text; /* of a message without an id; or NULL */
    size_t n_bytes;
};

/* gate.c: asked before the event is recorded; may open a window. */
unsigned rln__gate_ask(const struct rln__concern *e);

/* Said when it has been recorded, with what its call would return; may close the
 * window. Returns what it does return. */
uint64_t rln__gate_told(unsigned verdict, const struct rln__concern *e,
                        uint64_t answer);

/* What a call returns whose event is not recorded. Its depth counts all the same. */
uint64_t rln__answer_unrecorded(unsigned kind, uint32_t domain);

/* Ranges that are hidden: {domain:32, id:32} each, for "resumed". */
static inline uint32_t rln__n_hidden(const struct rln__thread *t)
{
    return __atomic_load_n(&t->n_hidden, __ATOMIC_RELAXED);
}

/* Around what is recorded although no window is open: it leaves hidden what is. */
static inline void rln__gate_keeps_hidden(uint32_t keeps)
{
    struct rln__thread *t = rln__own_thread();

    if (rln__n_hidden(t) || t->keeps_hidden)
        t->keeps_hidden = keeps;
}

#endif
