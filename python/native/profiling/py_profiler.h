/* SPDX-License-Identifier: Apache-2.0 */
/* py_profiler.h - opens a range for each call that the interpreter reports.
 *
 *     the interpreter --> py_profiler_hook.c (until 3.11)   --> rln_py_profiler_enter()
 *     calls, returns      py_profiler_monitor.c (from 3.12)     rln_py_profiler_leave()
 *
 * rangeline/_profile.py connects it, and _function_names.py names the functions.
 *
 * A task also has a range of its own, which belongs to no thread:
 *
 *     time ->      first step       pause       resumption        end
 *     start/end    NAME, "task" -------------------------------------
 *     push/pop     NAME ---------               NAME, "resumed" -----
 *
 * The texts in quotes are categories. A task is a coroutine that runs inside no other
 * annotated coroutine or generator: an event loop runs it, not an `await`. This needs
 * no knowledge of asyncio, trio or another library. asyncio's eager tasks take their
 * first step inside another coroutine. If asyncio's own functions are excluded, their
 * ranges begin with the second step.
 *
 * A greenlet's ranges are closed while it waits: py_greenlets.h.
 *
 * Only the thread that opened a range can close it. When a profiler is stopped, other
 * threads are watched until the calls that have ranges have returned.
 */
#ifndef RLN_PYTHON_PROFILER_H
#define RLN_PYTHON_PROFILER_H

#include "domain/py_started.h"
#include "profiling/py_call_names.h"
#include "profiling/py_greenlet_calls.h"

struct profiler_object {
    PyObject_HEAD struct rln_py_call_names names;
    /* owned; from 3.12 on, called when no thread needs to be watched any more; before,
     * when the program has set another hook */
    PyObject *callback;
    PyObject *on_missed; /* owned; called once if a switch of greenlets was missed */
    PyObject *disable;   /* owned; sys.monitoring.DISABLE, or NULL before 3.12 */
    struct rln_py_paused *tasks; /* owned; frames of tasks -> their ranges */
    bool annotates_builtins;
    bool is_on;         /* atomic; if false, new calls get no range */
    bool was_displaced; /* until 3.11: by another hook, on some thread */
};

/* A call begins, or resumes after a pause; `event` is that of its range, and `flags`
 * are those of a call that opens one. */
static inline void rln_py_profiler_enter(struct profiler_object *profiler,
                                         const nvtxEventAttributes_t *event,
                                         unsigned flags)
{
    const bool opens = __atomic_load_n(&profiler->is_on, __ATOMIC_RELAXED);
    const struct rln_py_call call = {event->message.registered, opens ? flags : 0};
    struct rln_py_calls *const calls = rln_py_calls();

    if (RLN_PY_LIKELY(calls && rln_py_calls_enter(calls, call) && opens))
        rln_py_push(profiler->names.domain, event);
}

/* The profiler is off, and the calling thread has closed a range. */
void rln_py_profiler_drain(struct profiler_object *profiler);

/* From now on nothing opens a range. Closes this thread's open ranges, and those of
 * tasks: they go on, but are no longer annotated. */
void rln_py_profiler_stop(struct profiler_object *profiler);

/* Closes all open ranges of this thread, and forgets those of greenlets that wait. */
void rln_py_profiler_close(struct profiler_object *profiler,
                           struct rln_py_calls *calls);

/* The newest call was another one's: if greenlets are followed, one has switched
 * unnoticed. */
void rln_py_profiler_missed(struct profiler_object *profiler);

/* A call of this name ends or pauses. Returns its flags. */
static inline unsigned rln_py_profiler_leave(struct profiler_object *profiler,
                                             const struct rln_py_call_name *name)
{
    struct rln_py_calls *const calls = rln_py_calls();
    struct rln_py_call call = {NULL, 0};

    if (RLN_PY_LIKELY(calls != NULL))
        call = rln_py_calls_leave(calls);
    if (RLN_PY_LIKELY(call.flags & RLN_PY_CALL_IS_OPEN)) {
        rln_py_pop(profiler->names.domain);
        if (RLN_PY_UNLIKELY(call.name != name->event.message.registered))
            rln_py_profiler_missed(profiler);
    }
    if (RLN_PY_UNLIKELY(!__atomic_load_n(&profiler->is_on, __ATOMIC_RELAXED)))
        rln_py_profiler_drain(profiler);
    return call.flags;
}

/* A coroutine begins or resumes. `frame` is an address unique to it while it lives. */
void rln_py_coroutine_enter(struct profiler_object *profiler,
                            const struct rln_py_call_name *name, bool is_resumed,
                            const void *frame);

/* A coroutine that is a task has returned or raised. */
void rln_py_task_end(struct profiler_object *profiler, const void *frame);

#endif
