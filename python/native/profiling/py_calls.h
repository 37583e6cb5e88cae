/* SPDX-License-Identifier: Apache-2.0 */
/* py_calls.h - keeps a stack per thread of the calls that a profiler saw begin, or
 * resume.
 *
 *     thread's calls:  open   open, can pause   0   open     newest last
 *                      ^ base
 *
 * A return belongs to the newest call. If there is none, the function was entered
 * before the profiler started, and the return closes nothing. Calls without a range are
 * in the stack, too, so that their returns close nothing.
 *
 * A thread with greenlets has the calls of several in its stack: those below `base`
 * belong to greenlets that wait (py_greenlet_calls.h). Returns do not reach them.
 *
 * Each thread writes only its own stack; other threads read its number of open ranges,
 * and may set its limit to 0. Stacks outlive their threads, and new threads reuse them.
 */
#ifndef RLN_PYTHON_CALLS_H
#define RLN_PYTHON_CALLS_H

#include "base/py_native.h"

enum rln_py_call_flags {
    RLN_PY_CALL_IS_OPEN = 1,   /* a range was opened for it */
    RLN_PY_CALL_CAN_PAUSE = 2, /* of a generator, coroutine or async generator */
    RLN_PY_CALL_IS_TASK = 4,   /* of a task: see py_profiler.h */
    RLN_PY_CALL_IS_NAMED = 8   /* its name is registered */
};

struct rln_py_call {
    const void *name; /* the handle of a registered string, if IS_NAMED; else unique */
    unsigned flags;
};

struct rln_py_calls {
    struct rln_py_call *items; /* owned; n used of room */
    size_t n, room;
    size_t limit; /* atomic; room, or 0 for rln_py_calls_make_room() at the next call */
    size_t base;
    size_t n_open;        /* atomic */
    uint64_t followed_to; /* py_greenlets.c; 0: its greenlets are not followed */
    struct rln_py_greenlet_calls *greenlets; /* owned, or NULL */
    int process;  /* its thread's process; only one thread survives into a fork */
    bool is_used; /* atomic; it belongs to a running thread */
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

/* Makes room for one more call; false if out of memory. Called for the first call of
 * each thread, and then rarely. */
bool rln_py_calls_make_room(struct rln_py_calls *calls);

/* From now on rln_py_calls_make_room() also calls this, on each thread first at its next
 * call. */
void rln_py_calls_on_room(void (*function)(struct rln_py_calls *calls));

/* Adds a call; false if out of memory, and then no range may be opened for it. */
static inline bool rln_py_calls_enter(struct rln_py_calls *calls,
                                      struct rln_py_call call)
{
    /* Relaxed: another thread's 0 may be seen late. */
    if (RLN_PY_UNLIKELY(calls->n >= __atomic_load_n(&calls->limit, __ATOMIC_RELAXED)) &&
        !rln_py_calls_make_room(calls))
        return false;
    calls->items[calls->n++] = call;
    if (call.flags & RLN_PY_CALL_IS_OPEN)
        __atomic_store_n(&calls->n_open, calls->n_open + 1, __ATOMIC_RELAXED);
    return true;
}

/* Removes the newest call; without flags if there is none. */
static inline struct rln_py_call rln_py_calls_leave(struct rln_py_calls *calls)
{
    struct rln_py_call call = {NULL, 0};

    if (RLN_PY_LIKELY(calls->n > calls->base))
        call = calls->items[--calls->n];
    if (call.flags & RLN_PY_CALL_IS_OPEN)
        __atomic_store_n(&calls->n_open, calls->n_open - 1, __ATOMIC_RELAXED);
    return call;
}

/* Whether the newest call can pause. */
static inline bool rln_py_calls_can_pause(const struct rln_py_calls *calls)
{
    return calls->n > calls->base &&
           calls->items[calls->n - 1].flags & RLN_PY_CALL_CAN_PAUSE;
}

/* Whether any thread of this process has a range open. */
bool rln_py_calls_are_open(void);

#endif
