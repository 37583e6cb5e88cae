/* SPDX-License-Identifier: Apache-2.0 */
#include "profiling/py_greenlets.h"

#include "base/py_frame.h"
#include "events/py_event.h"

/* Of the module greenlet; owned, and never released. */
static struct {
    PyObject *settrace, *gettrace, *getcurrent;
    PyObject *parent; /* the descriptor, because a subclass may have another */
} api;

static struct profiler_object *following; /* owned; the last one that was enabled */
static uint64_t serial;                   /* atomic; another one for each enabling */
static nvtxEventAttributes_t resumed;     /* without its message */

/* ---- What greenlet knows --------------------------------------------------------- */

/* New reference; NULL without an exception if it has none, or is no greenlet. */
static PyObject *parent_of(PyObject *greenlet)
{
    PyObject *parent =
        Py_TYPE(api.parent)
            ->tp_descr_get(api.parent, greenlet, (PyObject *)Py_TYPE(greenlet));

    if (!parent)
        PyErr_Clear();
    if (parent == Py_None)
        Py_CLEAR(parent);
    return parent;
}

/* ---- Moving calls ---------------------------------------------------------------- */

/* Closes the ranges of the last level, and removes it. */
static void close_level(struct profiler_object *p, struct rln_py_calls *calls)
{
    if (__atomic_load_n(&p->is_on, __ATOMIC_RELAXED))
        rln_py_greenlet_keep(calls);
    while (calls->n > calls->base) {
        if (rln_py_calls_leave(calls).flags & RLN_PY_CALL_IS_OPEN)
            rln_py_pop(p->names.domain);
    }
    rln_py_greenlet_remove_level(calls);
}

/* A call whose name is not registered goes on without a range. */
static bool reopen(struct profiler_object *p, struct rln_py_calls *calls,
                   struct rln_py_call call)
{
    const bool is_open =
        call.flags & RLN_PY_CALL_IS_OPEN && call.flags & RLN_PY_CALL_IS_NAMED;
    nvtxEventAttributes_t event = resumed;

    if (!is_open)
        call.flags &= ~(unsigned)RLN_PY_CALL_IS_OPEN;
    if (!rln_py_calls_enter(calls, call))
        return false;
    if (is_open) {
        event.message.registered = (nvtxStringHandle_t)(uintptr_t)call.name;
        rln_py_push(p->names.domain, &event);
    }
    return true;
}

/* Adds a level, and opens the ranges of its calls again; false if out of memory. */
static bool open_level(struct profiler_object *p, struct rln_py_calls *calls,
                       const void *greenlet, bool has_calls)
{
    struct rln_py_waiting *const waiting = rln_py_greenlet_take(calls, greenlet);
    bool is_done = rln_py_greenlet_add_level(calls, greenlet);

    for (size_t i = 0; is_done && waiting && has_calls && i < waiting->n; i++)
        is_done = reopen(p, calls, waiting->calls[i]);
    free(waiting);
    return is_done;
}

/* Greenlets without a level, each the parent of the one before. They are not kept: the
 * first, which runs, keeps the others. */
struct path {
    PyObject **greenlets; /* owned; n used of room */
    size_t n, room;
};

static bool path_add(struct path *path, PyObject *greenlet)
{
    if (path->n == path->room) {
        const size_t room = path->room ? 2 * path->room : 8;
        PyObject **const grown = realloc(path->greenlets, room * sizeof(PyObject *));

        if (!grown)
            return false;
        path->greenlets = grown;
        path->room = room;
    }
    path->greenlets[path->n++] = greenlet;
    return true;
}

/* Opens the levels of a greenlet and of its ancestors above those that remain; false if
 * out of memory. */
static bool open_levels(struct profiler_object *p, struct rln_py_calls *calls,
                        PyObject *greenlet, bool has_calls)
{
    struct path path = {NULL, 0, 0};
    size_t level = 0;
    bool is_done = true;

    while (is_done && greenlet && !level) {
        is_done = path_add(&path, greenlet);
        greenlet = parent_of(greenlet);
        Py_XDECREF(greenlet); /* its child keeps it */
        level = greenlet ? rln_py_greenlet_level(calls, greenlet) : 0;
    }
    while (rln_py_greenlet_n_levels(calls) > level)
        close_level(p, calls);
    while (is_done && path.n) {
        path.n--;
        is_done = open_level(p, calls, path.greenlets[path.n], path.n || has_calls);
    }
    free(path.greenlets);
    return is_done;
}

/* `target` runs now, `origin` waits or has ended. */
static void switched(struct profiler_object *p, struct rln_py_calls *calls,
                     PyObject *origin, PyObject *target)
{
    const bool has_calls = rln_py_calling_frame().frame != NULL;
    const void *const running = rln_py_greenlet_running(calls);
    size_t level;

    if (running == target && origin != target)
        return; /* reported twice, by a function that calls ours */
    if (running && running != origin) {
        rln_py_profiler_close(p, calls);
        rln_py_profiler_missed(p);
    }
    if (!rln_py_greenlet_n_levels(calls) && !rln_py_greenlet_add_level(calls, origin))
        return;
    level = rln_py_greenlet_level(calls, target);
    while (level && rln_py_greenlet_n_levels(calls) > level)
        close_level(p, calls);
    if (level && has_calls)
        return;
    if (level) /* of an earlier greenlet at this address */
        close_level(p, calls);
    if (!open_levels(p, calls, target, has_calls))
        rln_py_profiler_close(p, calls);
}

/* ---- The function ---------------------------------------------------------------- */

static void follow(struct rln_py_calls *calls, bool has_switched);

/* self is the function that was set before, or None. Raises what that one raises. */
static PyObject *on_switch(PyObject *self, PyObject *const *args, Py_ssize_t n_args)
{
    struct rln_py_calls *const calls = rln_py_calls();
    const bool is_switch =
        n_args == 2 && PyTuple_CheckExact(args[1]) && PyTuple_GET_SIZE(args[1]) == 2;

    if (is_switch && calls) {
        if (calls->followed_to != __atomic_load_n(&serial, __ATOMIC_ACQUIRE))
            follow(calls, true);
        else
            switched(following, calls, PyTuple_GET_ITEM(args[1], 0),
                     PyTuple_GET_ITEM(args[1], 1));
    }
    if (self == Py_None)
        Py_RETURN_NONE;
    return PyObject_Vectorcall(self, args, (size_t)n_args, NULL);
}

static PyMethodDef definition = RLN_PY_FASTCALL("on_switch", on_switch, NULL);

static bool is_ours(PyObject *function)
{
    return function && PyCFunction_Check(function) &&
           ((PyCFunctionObject *)function)->m_ml == &definition;
}

static void set_function(void)
{
    PyObject *const before = PyObject_CallNoArgs(api.gettrace);
    PyObject *function = NULL, *result = NULL;

    if (before && !is_ours(before))
        function = PyCFunction_New(&definition, before);
    if (function)
        result = PyObject_CallFunctionObjArgs(api.settrace, function, NULL);
    PyErr_Clear();
    Py_XDECREF(result);
    Py_XDECREF(function);
    Py_XDECREF(before);
}

/* Begins, or begins again after another profile was enabled. If this thread has switched
 * before, calls of other greenlets may be in its stack. */
static void follow(struct rln_py_calls *calls, bool has_switched)
{
    const uint64_t now = __atomic_load_n(&serial, __ATOMIC_ACQUIRE);
    PyObject *type, *value, *traceback, *current, *parent;

    if (calls->followed_to == now)
        return;
    calls->followed_to = now;
    PyErr_Fetch(&type, &value, &traceback);
    set_function();
    current = PyObject_CallNoArgs(api.getcurrent);
    parent = current ? parent_of(current) : NULL;
    if (parent || has_switched)
        rln_py_profiler_close(following, calls);
    rln_py_greenlet_calls_forget(calls);
    if (current)
        (void)rln_py_greenlet_add_level(calls, current);
    Py_XDECREF(parent);
    Py_XDECREF(current);
    PyErr_Restore(type, value, traceback);
}

static void follow_this_thread(struct rln_py_calls *calls)
{
    follow(calls, false);
}

/* ---- On and off ------------------------------------------------------------------ */

static int take_api(PyObject *module)
{
    PyObject *type;

    if (api.parent)
        return 0;
    type = PyObject_GetAttrString(module, "greenlet");
    api.settrace = PyObject_GetAttrString(module, "settrace");
    api.gettrace = PyObject_GetAttrString(module, "gettrace");
    api.getcurrent = PyObject_GetAttrString(module, "getcurrent");
    if (type && api.settrace && api.gettrace && api.getcurrent)
        api.parent = PyObject_GetAttrString(type, "parent");
    Py_XDECREF(type);
    if (api.parent && !Py_TYPE(api.parent)->tp_descr_get) {
        PyErr_SetString(PyExc_TypeError, "greenlet.parent is no descriptor");
        Py_CLEAR(api.parent);
    }
    return api.parent ? 0 : -1;
}

static int make_event(struct domain_object *domain)
{
    PyObject *const category = PyUnicode_FromString("resumed");
    int result = -1;

    resumed = (nvtxEventAttributes_t)RLN_PY_EVENT_INIT;
    resumed.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    if (category)
        result = rln_py_event_set_category(&resumed, domain, category);
    Py_XDECREF(category);
    return result;
}

PyObject *rln_py_follow_greenlets(PyObject *self, PyObject *const *args,
                                  Py_ssize_t n_args)
{
    struct profiler_object *const p = (struct profiler_object *)self;
    struct rln_py_calls *const calls = rln_py_calls();
    struct profiler_object *const before = following;

    if (n_args != 2)
        return PyErr_Format(PyExc_TypeError, "follow_greenlets() needs two arguments");
    if (take_api(args[0]) || make_event(p->names.domain))
        return NULL;
    Py_INCREF(args[1]);
    Py_XSETREF(p->on_missed, args[1]);
    Py_INCREF(self);
    following = p;
    __atomic_add_fetch(&serial, 1, __ATOMIC_RELEASE);
    rln_py_calls_on_room(follow_this_thread);
    if (calls)
        follow_this_thread(calls);
#ifdef Py_GIL_DISABLED
    (void)before; /* another thread may be using it */
#else
    Py_XDECREF(before);
#endif
    Py_RETURN_NONE;
}

void rln_py_unfollow_greenlets(void)
{
    PyObject *const function = api.parent ? PyObject_CallNoArgs(api.gettrace) : NULL;
    PyObject *result = NULL;

    if (is_ours(function))
        result = PyObject_CallFunctionObjArgs(api.settrace,
                                              PyCFunction_GET_SELF(function), NULL);
    PyErr_Clear();
    Py_XDECREF(result);
    Py_XDECREF(function);
}

PyObject *rln_py_check_greenlet(PyObject *self, PyObject *nothing)
{
    struct rln_py_calls *const calls = rln_py_calls();
    const void *const running = calls ? rln_py_greenlet_running(calls) : NULL;
    PyObject *const current = running ? PyObject_CallNoArgs(api.getcurrent) : NULL;

    if (current && current != running &&
        calls->followed_to == __atomic_load_n(&serial, __ATOMIC_ACQUIRE))
        rln_py_profiler_missed((struct profiler_object *)self);
    PyErr_Clear();
    Py_XDECREF(current);
    Py_RETURN_NONE;
}
