/* SPDX-License-Identifier: Apache-2.0 */
/* py_profiler_hook.c - implements Profiler's hook, to which Python until 3.11 reports
 * the calls of each thread. */
#include "profiling/py_profiler_hook.h"

#if PY_VERSION_HEX < 0x030c0000

#include "base/py_frame.h"

#include <frameobject.h>
#include <opcode.h>

/* ---- The function, and whether it begins ----------------------------------------- */

#if PY_VERSION_HEX < 0x030b0000
static PyObject *code_of(PyFrameObject *frame) /* borrowed: the frame keeps it */
{
    return (PyObject *)frame->f_code;
}

static bool is_at_begin(PyFrameObject *frame)
{
    return frame->f_lasti < 0;
}
#else
static PyObject *code_of(PyFrameObject *frame)
{
    PyObject *const code = (PyObject *)PyFrame_GetCode(frame);

    Py_DECREF(code); /* the frame keeps it */
    return code;
}

/* A call is reported at the instruction RESUME, whose argument is 0 at the begin of the
 * function. An exception thrown into a generator is reported elsewhere. */
static bool is_at_begin(PyFrameObject *frame)
{
    const int at = PyFrame_GetLasti(frame);
    const char *const code = ((PyCodeObject *)code_of(frame))->co_code_adaptive;

    if (at < 0 || code[at + 1] != 0)
        return false;
    return (unsigned char)code[at] == RESUME || (unsigned char)code[at] == RESUME_QUICK;
}
#endif

/* Whether a coroutine that returns to its caller pauses, and will be resumed. */
static bool is_pausing(PyFrameObject *frame)
{
#if PY_VERSION_HEX < 0x030a0000
    return frame->f_stacktop != NULL;
#elif PY_VERSION_HEX < 0x030b0000
    return frame->f_state == FRAME_SUSPENDED;
#else
    PyObject *const coroutine = PyFrame_GetGenerator(frame);
    const bool result =
        coroutine && ((PyGenObject *)coroutine)->gi_frame_state == FRAME_SUSPENDED;

    Py_XDECREF(coroutine);
    return result;
#endif
}

/* ---- The hook -------------------------------------------------------------------- */

static void on_python_call(struct profiler_object *p, PyFrameObject *frame)
{
    PyObject *const code = code_of(frame);
    const struct rln_py_call_name *const name = rln_py_name_of_code(&p->names, code);
    bool is_resumed;

    if (!name || name->is_excluded)
        return;
    is_resumed = name->can_pause && !is_at_begin(frame);
    if (name->is_coroutine)
        rln_py_coroutine_enter(p, name, is_resumed, frame);
    else
        rln_py_profiler_enter(p, is_resumed ? &name->resumed : &name->event,
                              rln_py_call_flags(name));
}

/* result is NULL if an exception leaves it. */
static void on_python_return(struct profiler_object *p, PyFrameObject *frame,
                             const PyObject *result)
{
    const struct rln_py_call_name *const name =
        rln_py_known_code(&p->names, code_of(frame));

    if (name && !name->is_excluded && rln_py_profiler_leave(p) & RLN_PY_CALL_IS_TASK &&
        (!result || !is_pausing(frame)))
        rln_py_task_end(p, frame);
}

static int on_event(PyObject *self, PyFrameObject *frame, int what, PyObject *arg)
{
    struct profiler_object *const p = (struct profiler_object *)self;
    const struct rln_py_call_name *name;

    if (what == PyTrace_CALL) {
        on_python_call(p, frame);
    } else if (what == PyTrace_RETURN) {
        on_python_return(p, frame, arg);
    } else if (p->annotates_builtins && arg) { /* C_CALL, C_RETURN, C_EXCEPTION */
        name = rln_py_name_of_builtin(&p->names, arg);
        if (name && !name->is_excluded) {
            if (what == PyTrace_C_CALL)
                rln_py_profiler_enter(p, &name->event, rln_py_call_flags(name));
            else
                (void)rln_py_profiler_leave(p);
        }
    }
    return 0; /* never an exception: the program would get it */
}

/* ---- Threads --------------------------------------------------------------------- */

PyObject *rln_py_watch_threads(PyObject *self, PyObject *nothing)
{
    PyThreadState *thread = PyInterpreterState_ThreadHead(PyThreadState_Get()->interp);

    ((struct profiler_object *)self)->watcher = PyThread_get_thread_ident();
    for (; thread; thread = PyThreadState_Next(thread)) {
        if (_PyEval_SetProfile(thread, on_event, self))
            return NULL;
    }
    Py_RETURN_NONE;
}

PyObject *rln_py_is_displaced(PyObject *self, PyObject *nothing)
{
    return PyBool_FromLong(PyThread_get_thread_ident() ==
                               ((struct profiler_object *)self)->watcher &&
                           PyThreadState_Get()->c_profileobj != self);
}

/* threading calls this for the first event of a new thread: (frame, event, argument).
 */
PyObject *rln_py_watch_this_thread(PyObject *self, PyObject *const *args,
                                   Py_ssize_t n_args)
{
    if (n_args != 3 || !PyFrame_Check(args[0])) {
        PyErr_SetString(PyExc_TypeError,
                        "only threading.setprofile() may call this function");
        return NULL;
    }
    if (!__atomic_load_n(&((struct profiler_object *)self)->is_on, __ATOMIC_RELAXED)) {
        PyEval_SetProfile(NULL, NULL);
        Py_RETURN_NONE;
    }
    PyEval_SetProfile(on_event, self);
    if (PyUnicode_Check(args[1]) &&
        PyUnicode_CompareWithASCIIString(args[1], "call") == 0)
        on_python_call((struct profiler_object *)self, (PyFrameObject *)args[0]);
    Py_RETURN_NONE;
}

#endif
