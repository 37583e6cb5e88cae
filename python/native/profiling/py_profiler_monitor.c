/* SPDX-License-Identifier: Apache-2.0 */
/* py_profiler_monitor.c - implements Profiler's callbacks of sys.monitoring
 * (Python 3.12 and later).
 *
 * Python calls them from any thread, with the code object, the offset in it and the
 * event's own arguments. For excluded functions they return DISABLE, so that Python
 * stops reporting that location. The frame that an event is about is the calling one.
 */
#include "profiling/py_profiler_monitor.h"

#if PY_VERSION_HEX >= 0x030c0000

static bool are_arguments(Py_ssize_t n_args, Py_ssize_t least)
{
    if (n_args >= least)
        return true;
    PyErr_SetString(PyExc_TypeError, "only sys.monitoring may call this function");
    return false;
}

static const void *frame(void)
{
#if PY_VERSION_HEX < 0x030d0000
    return PyThreadState_Get()->cframe->current_frame;
#else
    return PyThreadState_Get()->current_frame;
#endif
}

/* A call begins, or resumes after a pause. name may be NULL: nothing is recorded. The
 * result is a new reference to if_excluded for excluded functions, else to None, or NULL
 * with the exception that naming the function has set. */
static PyObject *enter(struct profiler_object *p, const struct rln_py_call_name *name,
                       bool is_resumed, PyObject *if_excluded)
{
    if (RLN_PY_UNLIKELY(!name))
        return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
    if (name->is_excluded)
        return Py_NewRef(if_excluded);
    if (RLN_PY_UNLIKELY(name->is_coroutine))
        rln_py_coroutine_enter(p, name, is_resumed, frame());
    else
        rln_py_profiler_enter(p, is_resumed ? &name->resumed : &name->event,
                              name->call_flags);
    Py_RETURN_NONE;
}

/* As enter(), for a call that ends or pauses. */
static PyObject *leave(struct profiler_object *p, const struct rln_py_call_name *name,
                       bool is_pausing, PyObject *if_excluded)
{
    if (name && name->is_excluded)
        return Py_NewRef(if_excluded);
    if (name && RLN_PY_UNLIKELY(rln_py_profiler_leave(p, name) & RLN_PY_CALL_IS_TASK) &&
        !is_pausing)
        rln_py_task_end(p, frame());
    Py_RETURN_NONE;
}

#define CALLBACK(name, n_least, result)                                                \
    PyObject *rln_py_##name(PyObject *self, PyObject *const *args, Py_ssize_t n_args)  \
    {                                                                                  \
        struct profiler_object *const p = (struct profiler_object *)self;              \
                                                                                       \
        return are_arguments(n_args, n_least) ? (result) : NULL;                       \
    }

CALLBACK(on_start, 1,
         enter(p, rln_py_name_of_code(&p->names, args[0]), false, p->disable))
CALLBACK(on_resume, 1,
         enter(p, rln_py_name_of_code(&p->names, args[0]), true, p->disable))
CALLBACK(on_yield, 1, leave(p, rln_py_known_code(&p->names, args[0]), true, p->disable))
CALLBACK(on_return, 1,
         leave(p, rln_py_known_code(&p->names, args[0]), false, p->disable))
/* An exception is thrown into a generator, or leaves a function: these events cannot be
 * disabled. */
CALLBACK(on_throw, 1, enter(p, rln_py_name_of_code(&p->names, args[0]), true, Py_None))
CALLBACK(on_unwind, 1, leave(p, rln_py_known_code(&p->names, args[0]), false, Py_None))
CALLBACK(on_call, 3,
         enter(p, rln_py_name_of_builtin(&p->names, args[2]), false, Py_None))
CALLBACK(on_call_end, 3,
         leave(p, rln_py_known_builtin(&p->names, args[2]), false, Py_None))

#endif
