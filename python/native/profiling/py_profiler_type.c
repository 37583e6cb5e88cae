/* SPDX-License-Identifier: Apache-2.0 */
/* py_profiler_type.c - the type Profiler. Only rangeline/_profile.py uses it. */
#include "base/py_arguments.h"
#include "profiling/py_greenlets.h"
#include "profiling/py_profiler_hook.h"
#include "profiling/py_profiler_monitor.h"

static struct profiler_object *profiler_of(PyObject *self)
{
    return (struct profiler_object *)self;
}

static PyObject *start(PyObject *self, PyObject *nothing)
{
    __atomic_store_n(&profiler_of(self)->is_on, true, __ATOMIC_RELAXED);
    Py_RETURN_NONE;
}

/* Threads that still have open ranges must be watched until these are closed. */
static PyObject *stop(PyObject *self, PyObject *nothing)
{
    Py_XDECREF(rln_py_check_greenlet(self, NULL));
    rln_py_profiler_stop(profiler_of(self));
    rln_py_unfollow_greenlets();
    return PyBool_FromLong(rln_py_calls_are_open());
}

#if PY_VERSION_HEX < 0x030c0000
static PyObject *was_displaced(PyObject *self, PyObject *nothing)
{
    return PyBool_FromLong(profiler_of(self)->was_displaced);
}
#endif

static bool are_callable(PyObject *a, PyObject *b, PyObject *c)
{
    return PyCallable_Check(a) && PyCallable_Check(b) && PyCallable_Check(c);
}

static int take_disable(struct profiler_object *p)
{
#if PY_VERSION_HEX >= 0x030c0000
    PyObject *const monitoring = PySys_GetObject("monitoring"); /* borrowed */

    p->disable = monitoring ? PyObject_GetAttrString(monitoring, "DISABLE") : NULL;
    if (!p->disable) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_RuntimeError, "cannot profile: no sys.monitoring");
        return -1;
    }
#endif
    return 0;
}

static PyObject *profiler_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    const struct native_state *const state = rln_py_state_of(type);
    PyObject *domain, *name_of_code, *name_of_builtin, *callback;
    struct profiler_object *p;
    int annotates_builtins;

    if (keywords && PyDict_GET_SIZE(keywords)) {
        PyErr_SetString(PyExc_TypeError, "Profiler() takes no keyword arguments");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "OOOOp:Profiler", &domain, &name_of_code,
                          &name_of_builtin, &callback, &annotates_builtins))
        return NULL;
    if (!rln_py_is_domain(state, domain)) {
        rln_py_wrong_type("domain", "Domain", domain);
        return NULL;
    }
    if (!are_callable(name_of_code, name_of_builtin, callback)) {
        PyErr_SetString(PyExc_TypeError, "Profiler() needs three callables");
        return NULL;
    }
    p = (struct profiler_object *)type->tp_alloc(type, 0);
    if (!p)
        return NULL;
    p->annotates_builtins = annotates_builtins;
    Py_INCREF(callback);
    p->callback = callback;
    if (take_disable(p) ||
        rln_py_call_names_init(&p->names, (struct domain_object *)domain, name_of_code,
                               name_of_builtin))
        Py_CLEAR(p);
    return (PyObject *)p;
}

static int profiler_traverse(PyObject *self, visitproc visit, void *arg)
{
    struct profiler_object *const p = profiler_of(self);

    Py_VISIT(Py_TYPE(self));
    Py_VISIT(p->callback);
    Py_VISIT(p->on_missed);
    Py_VISIT(p->disable);
    return rln_py_call_names_traverse(&p->names, visit, arg);
}

/* Keeps the names, because a thread may be in the middle of an event. */
static int profiler_clear(PyObject *self)
{
    Py_CLEAR(profiler_of(self)->callback);
    Py_CLEAR(profiler_of(self)->on_missed);
    return 0;
}

static void profiler_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
#if PY_VERSION_HEX < 0x030c0000
    rln_py_hook_forget(profiler_of(self));
#endif
    (void)profiler_clear(self);
    Py_CLEAR(profiler_of(self)->disable);
    rln_py_call_names_clear(&profiler_of(self)->names);
    rln_py_paused_free(profiler_of(self)->tasks);
    rln_py_free(self);
}

static PyMethodDef methods[] = {
    {"start", start, METH_NOARGS, "What begins from now on gets a range."},
    {"stop", stop, METH_NOARGS,
     "Closes this thread's ranges. Whether others must be watched until they close."},
    RLN_PY_FASTCALL("follow_greenlets", rln_py_follow_greenlets,
                    "Closes ranges while their greenlet waits."),
    {"check_greenlet", rln_py_check_greenlet, METH_NOARGS,
     "Reports it if this greenlet began to run unnoticed."},
#if PY_VERSION_HEX < 0x030c0000
    {"watch_threads", rln_py_watch_threads, METH_NOARGS, "Watches all threads."},
    {"was_displaced", was_displaced, METH_NOARGS, "Whether another hook was set."},
    RLN_PY_FASTCALL("watch_this_thread", rln_py_watch_this_thread,
                    "For threading.setprofile()."),
#else
    RLN_PY_FASTCALL("on_start", rln_py_on_start, "PY_START."),
    RLN_PY_FASTCALL("on_resume", rln_py_on_resume, "PY_RESUME."),
    RLN_PY_FASTCALL("on_throw", rln_py_on_throw, "PY_THROW."),
    RLN_PY_FASTCALL("on_return", rln_py_on_return, "PY_RETURN."),
    RLN_PY_FASTCALL("on_yield", rln_py_on_yield, "PY_YIELD."),
    RLN_PY_FASTCALL("on_unwind", rln_py_on_unwind, "PY_UNWIND."),
    RLN_PY_FASTCALL("on_call", rln_py_on_call, "CALL."),
    RLN_PY_FASTCALL("on_call_end", rln_py_on_call_end, "C_RETURN and C_RAISE."),
#endif
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(doc, "Profiler(domain, name_of_code, name_of_builtin, callback, "
                  "annotates_builtins)\n--\n\n"
                  "What rangeline.nvtx.Profile is made of. Use that.");

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)doc},
    {Py_tp_new, profiler_new},
    {Py_tp_dealloc, profiler_dealloc},
    {Py_tp_traverse, profiler_traverse},
    {Py_tp_clear, profiler_clear},
    {Py_tp_methods, methods},
#if PY_VERSION_HEX < 0x030c0000
    {Py_tp_call, rln_py_restore},
#endif
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "rangeline._native.Profiler",
    .basicsize = sizeof(struct profiler_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = slots,
};

int rln_py_add_profiler(PyObject *module, struct native_state *state)
{
    PyTypeObject *type;
    int result;

    state->code_extra = -1;
    result = rln_py_add_type(module, &spec, &type);
    if (result == 0)
        Py_DECREF(type); /* the module keeps it */
    return result;
}
