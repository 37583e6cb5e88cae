/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_states.h - the states of the threads of the kernel, one after the other, of the
 * switches of a trace.
 *
 *   read      {thread, time, state}          in the order of the file
 *   sort      thread 0: states | thread 1: states | ...
 *             a thread comes as another one leaves the processor for it
 *   settle    what cannot be is unknown, and what was lost
 */
#ifndef RLN_RANGES_CPU_STATES_H
#define RLN_RANGES_CPU_STATES_H

#include "ranges/cpu_times.h"

/* The lower bits of a change. At the same time, the greater comes later. */
enum rln__cpu_state {
    RLN__CPU_BLOCKED,
    RLN__CPU_PREEMPTED,
    RLN__CPU_PREEMPTED_TO_OWN, /* other threads of the program had the processor */
    RLN__CPU_ON,
    RLN__CPU_MIXED,  /* times->mixes has how much of it was what, not when */
    RLN__CPU_EXECED, /* on a processor, whatever was before */
    RLN__CPU_ENDED,
    RLN__CPU_BORN,     /* preempted: it can go on, and has not yet */
    RLN__CPU_RUNNABLE, /* on a processor or preempted, as the next one shows */
    RLN__CPU_UNKNOWN,
};

#define RLN__CPU_STATE_BITS 4
#define RLN__CPU_LEAST_NS (-(1ll << 59))
#define RLN__CPU_MOST_NS (-(RLN__CPU_LEAST_NS + 1))

static inline uint64_t rln__cpu_change(int64_t t_ns, enum rln__cpu_state state)
{
    const int64_t clamped = t_ns < RLN__CPU_LEAST_NS  ? RLN__CPU_LEAST_NS
                            : t_ns > RLN__CPU_MOST_NS ? RLN__CPU_MOST_NS
                                                      : t_ns;

    return (uint64_t)(clamped - RLN__CPU_LEAST_NS) << RLN__CPU_STATE_BITS |
           (uint64_t)state;
}

static inline int64_t rln__cpu_change_ns(uint64_t change)
{
    return (int64_t)(change >> RLN__CPU_STATE_BITS) + RLN__CPU_LEAST_NS;
}

static inline enum rln__cpu_state rln__cpu_change_state(uint64_t change)
{
    return (enum rln__cpu_state)(change & ((1u << RLN__CPU_STATE_BITS) - 1));
}

/* The key of a thread of the kernel in times->by_tid. */
static inline uint64_t rln__cpu_tid_key(uint32_t part, uint32_t tid)
{
    return (uint64_t)part << 32 | tid;
}

/* Fills in the threads, their changes and what is mixed: settled states, which are none
 * of EXECED, BORN and RUNNABLE. */
rln_status rln__cpu_states_read(struct rln__cpu_times *times, rln_error *err);

#endif
