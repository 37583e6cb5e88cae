/* SPDX-License-Identifier: Apache-2.0 */
/* py_calls.h - keeps a stack per thread of the calls that a profiler saw begin, or
 * resume.
 *
 *     thread's calls:  open   open, can pause   0   open     newest last
 *
 * A return belongs to the newest call. If there is none, the function was entered
 * before the profiler started, and the return closes nothing. Calls without a range are
 * in the stack, too, so that their returns close nothing.
 *
 * Each thread writes only its own stack; other threads read its number of open ranges.
 * Stacks outlive their threads, and new threads reuse them.
 */
#ifndef RLN_PYTHON_CALLS_H
#define RLN_PYTHON_CALLS_H

#include "base/py_native.h"

enum rln_py_call_flags {
    RLN_PY_CALL_IS_OPEN = 1,   /* a range was opened for it */
    RLN_PY_CALL_CAN_PAUSE = 2, /* of a generator, coroutine or async generator */
    RLN_PY_CALL_IS_TASK = 4    /* of a task: see py_profiler.h */
};

struct rln_py_calls {
    uint8_t *flags; /* owned; n used of room */
    size_t n, room;
    size_t n_open; /* atomic */
    int process;   /* its thread's process; only one thread survives into a fork */
    bool is_used;  /* atomic; it belongs to a running thread */
    struct rln_py_calls *next;
};

/* The calling thread's; NULL if out of memory, and then no range may be opened. */
extern _Thread_local struct rln_py_calls *rln_py_own_calls;
struct rln_py_calls *rln_py_take_calls(void);

static inline struct rln_py_calls *rln_py_calls(void)
{
    return RLN_PY_LIKELY(rln_py_own_calls != NULL) ? rln_py_own_calls
                                                   : rln_py_take_calls();
}

/* Makes room for one more call; false if out of memory. */
bool rln_py_calls_grow(struct rln_py_calls *calls);

/* Adds a call; false if out of memory, and then no range may be opened for it. */
static inline bool rln_py_calls_enter(struct rln_py_calls *calls, unsigned flags)
{
    if (RLN_PY_UNLIKELY(calls->n == calls->room) && !rln_py_calls_grow(calls))
        return false;
    calls->flags[calls->n++] = (uint8_t)flags;
    if (flags & RLN_PY_CALL_IS_OPEN)
        __atomic_store_n(&calls->n_open, calls->n_open + 1, __ATOMIC_RELAXED);
    return true;
}

/* Removes the newest call and returns its flags; 0 if there is none. */
static inline unsigned rln_py_calls_leave(struct rln_py_calls *calls)
{
    const unsigned flags = RLN_PY_LIKELY(calls->n) ? calls->flags[--calls->n] : 0;

    if (flags & RLN_PY_CALL_IS_OPEN)
        __atomic_store_n(&calls->n_open, calls->n_open - 1, __ATOMIC_RELAXED);
    return flags;
}

/* Whether the newest call can pause. */
static inline bool rln_py_calls_can_pause(const struct rln_py_calls *calls)
{
    return calls->n && calls->flags[calls->n - 1] & RLN_PY_CALL_CAN_PAUSE;
}

/* Whether any thread of this process has a range open. */
bool rln_py_calls_are_open(void);

#endif
