/* SPDX-License-Identifier: Apache-2.0 */
/* py_profiler.c - implements the type Profiler. Only rangeline/nvtx/_profile.py uses
 * it.
 */
#include "profiling/py_profiler.h"

#include "base/py_arguments.h"

static struct profiler_object *profiler_of(PyObject *self)
{
    return (struct profiler_object *)self;
}

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
    unsigned flags = rln_py_call_flags(name);

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

/* ---- On and off ------------------------------------------------------------------ */

/* Whether threads still have open ranges, and so must be watched. */
static bool must_go_on(void)
{
    return rln_py_calls_are_open();
}

void rln_py_profiler_drain(struct profiler_object *profiler)
{
#if PY_VERSION_HEX < 0x030c0000
    if (rln_py_calls()->n_open == 0)
        rln_py_unwatch_this_thread(profiler);
#else
    PyObject *result;

    if (must_go_on())
        return;
    result = PyObject_CallNoArgs(profiler->finish);
    if (!result)
        PyErr_WriteUnraisable(profiler->finish);
    Py_XDECREF(result);
#endif
}

static PyObject *start(PyObject *self, PyObject *nothing)
{
    __atomic_store_n(&profiler_of(self)->is_on, true, __ATOMIC_RELAXED);
    Py_RETURN_NONE;
}

/* Closes this thread's open ranges, and those of tasks: they go on, but are no longer
 * annotated. */
static PyObject *stop(PyObject *self, PyObject *nothing)
{
    struct profiler_object *const p = profiler_of(self);
    struct rln_py_calls *const calls = rln_py_calls();

    __atomic_store_n(&p->is_on, false, __ATOMIC_RELAXED);
    while (calls && calls->n) {
        if (rln_py_calls_leave(calls) & RLN_PY_CALL_IS_OPEN)
            rln_py_pop(p->names.domain);
    }
    end_all_tasks(p);
#if PY_VERSION_HEX < 0x030c0000
    rln_py_unwatch_this_thread(p);
#endif
    return PyBool_FromLong(must_go_on());
}

/* ---- The object ------------------------------------------------------------------ */

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
    PyObject *domain, *name_of_code, *name_of_builtin, *finish;
    struct profiler_object *p;
    int annotates_builtins;

    if (keywords && PyDict_GET_SIZE(keywords)) {
        PyErr_SetString(PyExc_TypeError, "Profiler() takes no keyword arguments");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "OOOOp:Profiler", &domain, &name_of_code,
                          &name_of_builtin, &finish, &annotates_builtins))
        return NULL;
    if (!rln_py_is_domain(state, domain)) {
        rln_py_wrong_type("domain", "Domain", domain);
        return NULL;
    }
    if (!are_callable(name_of_code, name_of_builtin, finish)) {
        PyErr_SetString(PyExc_TypeError, "Profiler() needs three callables");
        return NULL;
    }
    p = (struct profiler_object *)type->tp_alloc(type, 0);
    if (!p)
        return NULL;
    p->annotates_builtins = annotates_builtins;
    Py_INCREF(finish);
    p->finish = finish;
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
    Py_VISIT(p->finish);
    Py_VISIT(p->disable);
    return rln_py_call_names_traverse(&p->names, visit, arg);
}

/* Keeps the names, because a thread may be in the middle of an event. */
static int profiler_clear(PyObject *self)
{
    Py_CLEAR(profiler_of(self)->finish);
    return 0;
}

static void profiler_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
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
#if PY_VERSION_HEX < 0x030c0000
    {"watch_threads", rln_py_watch_threads, METH_NOARGS, "Watches all threads."},
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

PyDoc_STRVAR(doc, "Profiler(domain, name_of_code, name_of_builtin, finish, "
                  "annotates_builtins)\n--\n\n"
                  "What rangeline.nvtx.Profile is made of. Use that.");

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)doc},
    {Py_tp_new, profiler_new},
    {Py_tp_dealloc, profiler_dealloc},
    {Py_tp_traverse, profiler_traverse},
    {Py_tp_clear, profiler_clear},
    {Py_tp_methods, methods},
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
