/* SPDX-License-Identifier: Apache-2.0 */
/* py_torch.c - implements the functions of torch.cuda.nvtx: `torch_range_push` is
 * rangeline.torch's range_push(), and torch._C._nvtx's rangePushA() if install() puts
 * it there.
 *
 * As in torch, messages are sent as plain strings and depths are the tool's:
 * zero-based, NVTX_NO_PUSH_POP_TRACKING (-2) without one. Unlike in torch, a call may
 * pass a color, domain, category and payload.
 */
#include "base/py_native.h"

#include "base/py_arguments.h"
#include "domain/py_domain.h"
#include "domain/py_switch.h"
#include "events/py_event.h"
#include "events/py_torch.h"

/* ---- Arguments ------------------------------------------------------------------- */

/* The signature of range_push, range_start and mark. */
#define EVENT_SIGNATURE(name)                                                          \
    {                                                                                  \
        name, 5, 1,                                                                    \
        {                                                                              \
            RLN_PY_MSG, RLN_PY_COLOR, RLN_PY_DOMAIN, RLN_PY_CATEGORY, RLN_PY_PAYLOAD   \
        }                                                                              \
    }

/* The arguments of a call. */
struct call {
    struct domain_object *domain; /* owned; NULL: not recorded */
    struct rln_py_event event;
};

static void call_clear(struct call *call)
{
    rln_py_event_clear(&call->event);
    Py_CLEAR(call->domain);
}

/* The text of a message, *text: NULL for None. 0, or -1 with an exception. */
static int take_text(const char **text, PyObject *message)
{
    *text = NULL;
    if (message == Py_None)
        return 0;
    *text = rln_py_text(message, "msg");
    return *text ? 0 : -1;
}

/* 0, or -1 with an exception and nothing to clear. */
static int take_call(struct call *call, struct native_state *state,
                     const struct rln_py_signature *signature, PyObject *const *args,
                     Py_ssize_t n_args, PyObject *keywords)
{
    PyObject *argument[5];
    struct rln_py_fields fields;
    const char *text;

    call->domain = NULL;
    rln_py_event_init(&call->event);
    if (rln_py_arguments(state, signature, args, n_args, keywords, argument))
        return -1;
    if (!argument[0]) {
        PyErr_Format(PyExc_TypeError, "%s() missing required argument 'msg'",
                     signature->function);
        return -1;
    }
    if (take_text(&text, argument[0]))
        return -1;
    call->domain = rln_py_find_domain(state, argument[2]);
    fields = (struct rln_py_fields){NULL, argument[1], argument[3], argument[4]};
    if (!call->domain)
        return PyErr_Occurred() ? -1 : rln_py_event_check(state, &fields);
    if (rln_py_event_fill(&call->event, call->domain, &fields)) {
        call_clear(call);
        return -1;
    }
    call->event.attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    call->event.attributes.message.ascii = text;
    return 0;
}

/* Whether a call has only torch's arguments, a tool records, and the switch is on. */
static inline bool is_plain(const struct native_state *state, Py_ssize_t n_args,
                            PyObject *keywords)
{
    return n_args == 1 && !keywords && rln_py_default_domain(state) &&
           !rln_py_switched(state);
}

/* The domain argument of range_pop() and range_end(). 0, or -1 with an exception. */
static int take_domain(struct domain_object **domain, struct native_state *state,
                       PyObject *name)
{
    *domain = rln_py_find_domain(state, name);
    return *domain || !PyErr_Occurred() ? 0 : -1;
}

/* ---- Ranges of a thread ---------------------------------------------------------- */

static PyObject *range_push(PyObject *module, PyObject *const *args, Py_ssize_t n_args,
                            PyObject *keywords)
{
    static const struct rln_py_signature signature = EVENT_SIGNATURE("range_push");
    struct native_state *const state = PyModule_GetState(module);
    int depth = NVTX_NO_PUSH_POP_TRACKING;
    struct call call;

    if (RLN_PY_LIKELY(is_plain(state, n_args, keywords))) {
        const char *text;

        if (take_text(&text, args[0]))
            return NULL;
        return PyLong_FromLong(nvtxRangePushA(text));
    }
    if (take_call(&call, state, &signature, args, n_args, keywords))
        return NULL;
    if (call.domain)
        depth = rln_py_push(call.domain, &call.event.attributes);
    call_clear(&call);
    return PyLong_FromLong(depth);
}

static PyObject *range_pop(PyObject *module, PyObject *const *args, Py_ssize_t n_args,
                           PyObject *keywords)
{
    static const struct rln_py_signature signature = {
        "range_pop", 1, 0, {RLN_PY_DOMAIN}};
    struct native_state *const state = PyModule_GetState(module);
    struct domain_object *domain = rln_py_default_domain(state);
    int depth = NVTX_NO_PUSH_POP_TRACKING;
    PyObject *name;

    if (RLN_PY_LIKELY(domain && !n_args && !keywords))
        return PyLong_FromLong(rln_py_pop(domain));
    if (rln_py_arguments(state, &signature, args, n_args, keywords, &name) ||
        take_domain(&domain, state, name))
        return NULL;
    if (domain)
        depth = rln_py_pop(domain);
    Py_XDECREF(domain);
    return PyLong_FromLong(depth);
}

/* ---- Ranges of a process --------------------------------------------------------- */

static PyObject *range_start(PyObject *module, PyObject *const *args, Py_ssize_t n_args,
                             PyObject *keywords)
{
    static const struct rln_py_signature signature = EVENT_SIGNATURE("range_start");
    struct native_state *const state = PyModule_GetState(module);
    nvtxRangeId_t id = 0;
    struct call call;

    if (RLN_PY_LIKELY(is_plain(state, n_args, keywords))) {
        const char *text;

        if (take_text(&text, args[0]))
            return NULL;
        return PyLong_FromUnsignedLongLong(nvtxRangeStartA(text));
    }
    if (take_call(&call, state, &signature, args, n_args, keywords))
        return NULL;
    if (call.domain && rln_py_is_on(state))
        id = nvtxDomainRangeStartEx(call.domain->handle, &call.event.attributes);
    call_clear(&call);
    return PyLong_FromUnsignedLongLong(id);
}

static PyObject *range_end(PyObject *module, PyObject *const *args, Py_ssize_t n_args,
                           PyObject *keywords)
{
    static const struct rln_py_signature signature = {
        "range_end", 2, 1, {RLN_PY_RANGE_ID, RLN_PY_DOMAIN}};
    struct native_state *const state = PyModule_GetState(module);
    struct domain_object *domain;
    PyObject *argument[2];
    nvtxRangeId_t id;

    if (rln_py_arguments(state, &signature, args, n_args, keywords, argument))
        return NULL;
    if (!argument[0] || !PyLong_Check(argument[0])) {
        rln_py_wrong_type("range_id", "int", argument[0] ? argument[0] : Py_None);
        return NULL;
    }
    id = PyLong_AsUnsignedLongLong(argument[0]);
    if (id == (nvtxRangeId_t)-1 && PyErr_Occurred()) {
        PyErr_Clear(); /* no tool's id: ignored, like any id that is not open */
        id = 0;
    }
    if (take_domain(&domain, state, argument[1]))
        return NULL;
    if (domain && id)
        nvtxDomainRangeEnd(domain->handle, id);
    Py_XDECREF(domain);
    Py_RETURN_NONE;
}

static PyObject *mark(PyObject *module, PyObject *const *args, Py_ssize_t n_args,
                      PyObject *keywords)
{
    static const struct rln_py_signature signature = EVENT_SIGNATURE("mark");
    struct native_state *const state = PyModule_GetState(module);
    struct call call;

    if (RLN_PY_LIKELY(is_plain(state, n_args, keywords))) {
        const char *text;

        if (take_text(&text, args[0]))
            return NULL;
        nvtxMarkA(text);
        Py_RETURN_NONE;
    }
    if (take_call(&call, state, &signature, args, n_args, keywords))
        return NULL;
    if (call.domain && rln_py_is_on(state))
        nvtxDomainMarkEx(call.domain->handle, &call.event.attributes);
    call_clear(&call);
    Py_RETURN_NONE;
}

/* Checks arguments as the functions above do, without recording anything. */
static PyObject *check(PyObject *module, PyObject *const *args, Py_ssize_t n_args,
                       PyObject *keywords)
{
    static const struct rln_py_signature signature = EVENT_SIGNATURE("check");
    struct call call;

    if (take_call(&call, PyModule_GetState(module), &signature, args, n_args, keywords))
        return NULL;
    call_clear(&call);
    Py_RETURN_NONE;
}

/* ---- The functions --------------------------------------------------------------- */

static PyMethodDef functions[] = {
    RLN_PY_METHOD(
        "range_push", range_push,
        "range_push($module, /, msg, *, color=None, domain=None, category=None, "
        "payload=None)\n--\n\n"
        "Begins a range of this thread, which range_pop() ends, and returns its\n"
        "depth: 0 if none is open around it, -2 without a recorder.\n\n"
        "Example:\n"
        "    >>> depth = range_push(\"forward\", color=\"blue\")\n"
        "    >>> range_pop() == depth\n"
        "    True"),
    RLN_PY_METHOD("range_pop", range_pop,
                  "range_pop($module, /, *, domain=None)\n--\n\n"
                  "Ends the newest open range of this thread, and returns the depth "
                  "that\nits range_push() returned; -1 if none is open, -2 without "
                  "a recorder.\n\n"
                  "Example:\n"
                  "    >>> depth = range_push(\"forward\")\n"
                  "    >>> range_pop() == depth\n"
                  "    True"),
    RLN_PY_METHOD(
        "range_start", range_start,
        "range_start($module, /, msg, *, color=None, domain=None, category=None, "
        "payload=None)\n--\n\n"
        "Begins a range that any thread may end. Returns its id, an int, for\n"
        "range_end(); 0 without a recorder.\n\n"
        "Example:\n"
        "    >>> copy = range_start(\"copy\")\n"
        "    >>> range_end(copy)"),
    RLN_PY_METHOD("range_end", range_end,
                  "range_end($module, /, range_id, *, domain=None)\n--\n\n"
                  "Ends the range of an id. One that is unknown, or has ended, is "
                  "ignored.\n"
                  "Some tools want to be told the domain that it was begun in.\n\n"
                  "Example:\n"
                  "    >>> range_end(range_start(\"copy\"))"),
    RLN_PY_METHOD("mark", mark,
                  "mark($module, /, msg, *, color=None, domain=None, category=None, "
                  "payload=None)\n--\n\n"
                  "Marks an instant.\n\n"
                  "Example:\n"
                  "    >>> mark(\"checkpoint\", payload=3)"),
    RLN_PY_METHOD("check", check,
                  "check($module, /, msg, *, color=None, domain=None, category=None, "
                  "payload=None)\n--\n\n"
                  "Raises what the others do for these arguments, and does no more."),
    {NULL, NULL, 0, NULL},
};

static int add(PyObject *module, PyObject *package, PyMethodDef *function)
{
    PyObject *const object = PyCFunction_NewEx(function, module, package);
    char name[64];
    int result;

    if (!object)
        return -1;
    snprintf(name, sizeof(name), "torch_%s", function->ml_name);
    result = PyObject_SetAttrString(module, name, object);
    Py_DECREF(object);
    return result;
}

int rln_py_add_torch_functions(PyObject *module, PyMethodDef *functions_of_torch)
{
    PyObject *const package = PyUnicode_FromString("rangeline.torch");
    int result = package ? 0 : -1;

    for (; !result && functions_of_torch->ml_name; functions_of_torch++)
        result = add(module, package, functions_of_torch);
    Py_XDECREF(package);
    return result;
}

int rln_py_add_torch(PyObject *module, struct native_state *state)
{
    (void)state;
    return rln_py_add_torch_functions(module, functions);
}
