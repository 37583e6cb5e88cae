/* SPDX-License-Identifier: Apache-2.0 */
/* gate_word.h - the gate as every event reads it, and what a thread remembers of events
 * that it has not recorded. gate.h decides.                                      [hot]
 */
#ifndef RLN_COLLECT_CAPTURE_GATE_WORD_H
#define RLN_COLLECT_CAPTURE_GATE_WORD_H

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
