/* SPDX-License-Identifier: Apache-2.0 */
/* py_profiler_hook.c - implements Profiler's hook, to which Python until 3.11 reports
 * the calls of each thread. */
#include "profiling/py_profiler_hook.h"

#if PY_VERSION_HEX < 0x030c0000

#include "base/py_frame.h"

#include <frameobject.h>
#include <opcode.h>
#include <string.h>
#include <unistd.h>

/* ---- The function, and whether it begins ----------------------------------------- */

#if PY_VERSION_HEX < 0x030b0000
static PyObject *code_of(PyFrameObject *frame) /* borrowed: the frame keeps it */
{
    return (PyObject *)frame->f_code;
}

static PyFrameObject *caller_of(const PyFrameObject *frame) /* borrowed, likewise */
{
    return frame->f_back;
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

static PyFrameObject *caller_of(PyFrameObject *frame)
{
    PyFrameObject *const caller = PyFrame_GetBack(frame);

    Py_XDECREF(caller); /* a running frame keeps its object */
    return caller;
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

/* -1 with the exception that naming the function has set. */
static int on_python_call(struct profiler_object *p, PyFrameObject *frame)
{
    PyObject *const code = code_of(frame);
    const struct rln_py_call_name *const name = rln_py_name_of_code(&p->names, code);
    bool is_resumed;

    if (RLN_PY_UNLIKELY(!name))
        return PyErr_Occurred() ? -1 : 0;
    if (name->is_excluded)
        return 0;
    is_resumed = name->can_pause && !is_at_begin(frame);
    if (name->is_coroutine)
        rln_py_coroutine_enter(p, name, is_resumed, frame);
    else
        rln_py_profiler_enter(p, is_resumed ? &name->resumed : &name->event,
                              name->call_flags);
    return 0;
}

static int on_builtin_call(struct profiler_object *p, PyObject *callable)
{
    const struct rln_py_call_name *const name =
        rln_py_name_of_builtin(&p->names, callable);

    if (RLN_PY_UNLIKELY(!name))
        return PyErr_Occurred() ? -1 : 0;
    if (!name->is_excluded)
        rln_py_profiler_enter(p, &name->event, name->call_flags);
    return 0;
}

/* result is NULL if an exception leaves it. */
static void on_python_return(struct profiler_object *p, PyFrameObject *frame,
                             const PyObject *result)
{
    const struct rln_py_call_name *const name =
        rln_py_known_code(&p->names, code_of(frame));

    if (name && !name->is_excluded &&
        rln_py_profiler_leave(p, name) & RLN_PY_CALL_IS_TASK &&
        (!result || !is_pausing(frame)))
        rln_py_task_end(p, frame);
}

/* What it returns other than 0, the program gets: it is an exception of its own. */
static int on_event(PyObject *self, PyFrameObject *frame, int what, PyObject *arg)
{
    struct profiler_object *const p = (struct profiler_object *)self;
    const struct rln_py_call_name *name;

    if (what == PyTrace_CALL)
        return on_python_call(p, frame);
    if (what == PyTrace_RETURN) {
        on_python_return(p, frame, arg);
    } else if (p->annotates_builtins && arg) {
        if (what == PyTrace_C_CALL)
            return on_builtin_call(p, arg);
        name = rln_py_known_builtin(&p->names, arg); /* C_RETURN, C_EXCEPTION */
        if (name && !name->is_excluded)
            (void)rln_py_profiler_leave(p, name);
    }
    return 0;
}

/* ---- Other hooks. A thread has one: a program that sets its own displaces ours. --- */

/* The profiler that watches all threads; borrowed. */
static struct profiler_object *watching;

static _Thread_local bool is_setting; /* ours, now */
static _Thread_local const PyFrameObject
    *left; /* the frame in which it was displaced */

static void set_hook(PyObject *self)
{
    is_setting = true;
    PyEval_SetProfile(on_event, self);
    is_setting = false;
}

static bool is_hooked(const PyThreadState *thread, const struct profiler_object *p)
{
    return thread->c_profilefunc == on_event && thread->c_profileobj == (PyObject *)p;
}

/* The launcher, or the program, is to know. The other hook does not see it. */
static void report(struct profiler_object *p)
{
    PyThreadState *const thread = PyThreadState_Get();
    PyObject *type, *value, *traceback, *result;

    p->was_displaced = true;
    if (!p->callback)
        return;
    PyErr_Fetch(&type, &value, &traceback);
    thread->tracing++;
    result = PyObject_CallNoArgs(p->callback);
    thread->tracing--;
    if (!result)
        PyErr_WriteUnraisable(p->callback);
    Py_XDECREF(result);
    PyErr_Restore(type, value, traceback);
}

/* The calls that began while the hook was away, from `frame` up to the one in which it
 * left: their returns close nothing. False if that one is no caller of theirs. */
static bool catch_up(struct profiler_object *p, struct rln_py_calls *calls)
{
    PyFrameObject *frame = PyEval_GetFrame(); /* borrowed, as its callers below */
    const struct rln_py_call_name *name;
    bool has_room = true;

    for (; frame && frame != left && has_room; frame = caller_of(frame)) {
        name = rln_py_known_code(&p->names, code_of(frame));
        if (name && !name->is_excluded)
            has_room = rln_py_calls_enter(calls, (struct rln_py_call){NULL, 0});
    }
    return frame && has_room;
}

/* Runs in the main thread, soon after its hook was set or removed. */
static int resume(void *nothing)
{
    struct profiler_object *const p = watching;
    const PyThreadState *const thread = PyThreadState_Get();
    struct rln_py_calls *const calls = rln_py_calls();

    if (!p || !__atomic_load_n(&p->is_on, __ATOMIC_RELAXED) || is_hooked(thread, p))
        return 0;
    if (thread->c_profilefunc && thread->c_profileobj != (PyObject *)p) {
        report(p);
        return 0;
    }
    if (calls && !catch_up(p, calls))
        rln_py_profiler_close(p, calls);
    set_hook((PyObject *)p);
    return 0;
}

/* Whether threading gives new threads our hook. */
static bool gives_ours(const struct profiler_object *p)
{
    PyObject *const name = PyUnicode_FromString("threading");
    PyObject *const module = name ? PyImport_GetModule(name) : NULL;
    PyObject *const hook =
        module ? PyObject_GetAttrString(module, "_profile_hook") : NULL;
    const bool is_ours =
        hook && PyCFunction_Check(hook) && PyCFunction_GET_SELF(hook) == (PyObject *)p;

    PyErr_Clear();
    Py_XDECREF(hook);
    Py_XDECREF(module);
    Py_XDECREF(name);
    return is_ours;
}

/* Python is setting a function, and lets no other thread do so meanwhile: that would
 * fail, in the program. So nothing here may run code, which lets other threads run: the
 * end of the profile reports it. */
static int on_audit(const char *event, PyObject *args, void *nothing)
{
    struct profiler_object *const p = watching;

    if (strcmp(event, "sys.setprofile") != 0 || is_setting || !p ||
        !__atomic_load_n(&p->is_on, __ATOMIC_RELAXED))
        return 0;
    if (is_hooked(PyThreadState_Get(), p))
        left = PyEval_GetFrame();
    if (PyThread_get_thread_native_id() == (unsigned long)getpid())
        (void)Py_AddPendingCall(resume, NULL);
    else if (is_hooked(PyThreadState_Get(), p) || !gives_ours(p))
        p->was_displaced = true;
    return 0;
}

void rln_py_hook_forget(const struct profiler_object *profiler)
{
    if (watching == profiler)
        watching = NULL;
}

/* ---- Threads --------------------------------------------------------------------- */

PyObject *rln_py_watch_threads(PyObject *self, PyObject *nothing)
{
    static bool has_audit_hook; /* which cannot be removed */
    PyThreadState *thread = PyInterpreterState_ThreadHead(PyThreadState_Get()->interp);
    int failed = 0;

    if (!has_audit_hook && PySys_AddAuditHook(on_audit, NULL))
        return NULL;
    has_audit_hook = true;
    watching = (struct profiler_object *)self;
    is_setting = true;
    for (; thread && !failed; thread = PyThreadState_Next(thread))
        failed = _PyEval_SetProfile(thread, on_event, self);
    is_setting = false;
    if (failed)
        return NULL;
    Py_RETURN_NONE;
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
    set_hook(self);
    if (PyUnicode_Check(args[1]) &&
        PyUnicode_CompareWithASCIIString(args[1], "call") == 0 &&
        on_python_call((struct profiler_object *)self, (PyFrameObject *)args[0]))
        return NULL;
    Py_RETURN_NONE;
}

/* A program that got it from sys.getprofile() sets it again. */
PyObject *rln_py_restore(PyObject *self, PyObject *args, PyObject *keywords)
{
    if (!PyTuple_Check(args))
        return PyErr_Format(PyExc_TypeError, "no arguments");
    return rln_py_watch_this_thread(self, &PyTuple_GET_ITEM(args, 0),
                                    PyTuple_GET_SIZE(args));
}

#endif
