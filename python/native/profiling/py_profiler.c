/* SPDX-License-Identifier: Apache-2.0 */
#include "profiling/py_profiler.h"

/* ---- Tasks. A lock guards their table: one may resume on another thread. --------- */

static void start_range(struct profiler_object *profiler,
                        const struct rln_py_call_name *name, const void *frame)
{
    struct domain_object *const domain = profiler->names.domain;
    struct rln_py_started started = rln_py_started_begin(domain, &name->task, true);

    if (rln_py_paused_add(&profiler->tasks, frame, started))
        rln_py_started_end(domain, &started);
    else
        rln_py_started_enter(domain->state, &started);
}

static void end_locked(struct profiler_object *profiler, const void *frame)
{
    struct rln_py_started started;

    if (rln_py_paused_take(&profiler->tasks, frame, &started))
        rln_py_started_end(profiler->names.domain, &started);
}

static void begin_or_resume(struct profiler_object *profiler,
                            const struct rln_py_call_name *name, bool is_resumed,
                            const void *frame)
{
    Py_BEGIN_CRITICAL_SECTION(profiler);
    /* From 3.12 on, Python may close a paused coroutine without an event. Then another
     * one gets its address. */
    if (!is_resumed)
        end_locked(profiler, frame);
    /* is_on is read here: no range is to start after end_all_tasks(). */
    if (__atomic_load_n(&profiler->is_on, __ATOMIC_RELAXED) &&
        !rln_py_paused_has(profiler->tasks, frame))
        start_range(profiler, name, frame);
    Py_END_CRITICAL_SECTION();
}

void rln_py_coroutine_enter(struct profiler_object *profiler,
                            const struct rln_py_call_name *name, bool is_resumed,
                            const void *frame)
{
    const struct rln_py_calls *const calls = rln_py_calls();
    unsigned flags = name->call_flags;

    if (calls && !rln_py_calls_can_pause(calls)) {
        begin_or_resume(profiler, name, is_resumed, frame);
        flags |= RLN_PY_CALL_IS_TASK;
    }
    rln_py_profiler_enter(profiler, is_resumed ? &name->resumed : &name->event, flags);
}

void rln_py_task_end(struct profiler_object *profiler, const void *frame)
{
    Py_BEGIN_CRITICAL_SECTION(profiler);
    end_locked(profiler, frame);
    Py_END_CRITICAL_SECTION();
}

static void end_all_tasks(struct profiler_object *profiler)
{
    struct rln_py_started started;

    Py_BEGIN_CRITICAL_SECTION(profiler);
    while (rln_py_paused_take_any(&profiler->tasks, &started))
        rln_py_started_end(profiler->names.domain, &started);
    Py_END_CRITICAL_SECTION();
}

/* ---- Off ------------------------------------------------------------------------- */

#if PY_VERSION_HEX < 0x030c0000
/* Only a profiler's own hook is set with it as the object. */
static void unwatch_this_thread(struct profiler_object *profiler)
{
    if (PyThreadState_Get()->c_profileobj == (PyObject *)profiler)
        PyEval_SetProfile(NULL, NULL);
}
#endif

void rln_py_profiler_drain(struct profiler_object *profiler)
{
#if PY_VERSION_HEX < 0x030c0000
    if (rln_py_calls()->n_open == 0)
        unwatch_this_thread(profiler);
#else
    PyObject *result;

    if (rln_py_calls_are_open())
        return;
    result = PyObject_CallNoArgs(profiler->callback);
    if (!result)
        PyErr_WriteUnraisable(profiler->callback);
    Py_XDECREF(result);
#endif
}

void rln_py_profiler_missed(struct profiler_object *profiler)
{
    PyObject *const function = profiler->on_missed;
    PyObject *type, *value, *traceback, *result;

    profiler->on_missed = NULL;
    if (!function)
        return;
    PyErr_Fetch(&type, &value, &traceback);
    result = PyObject_CallNoArgs(function);
    if (!result)
        PyErr_WriteUnraisable(function);
    Py_XDECREF(result);
    Py_DECREF(function);
    PyErr_Restore(type, value, traceback);
}

void rln_py_profiler_close(struct profiler_object *profiler, struct rln_py_calls *calls)
{
    rln_py_greenlet_calls_forget(calls);
    while (calls->n) {
        if (rln_py_calls_leave(calls).flags & RLN_PY_CALL_IS_OPEN)
            rln_py_pop(profiler->names.domain);
    }
}

void rln_py_profiler_stop(struct profiler_object *profiler)
{
    struct rln_py_calls *const calls = rln_py_calls();

    __atomic_store_n(&profiler->is_on, false, __ATOMIC_RELAXED);
    if (calls)
        rln_py_profiler_close(profiler, calls);
    end_all_tasks(profiler);
#if PY_VERSION_HEX < 0x030c0000
    unwatch_this_thread(profiler);
#endif
}
