/* SPDX-License-Identifier: Apache-2.0 */
/* py_torch.c - implements the functions of torch.cuda.nvtx: `torch_range_push` is
 * rangeline.torch's range_push(), and torch._C._nvtx's rangePushA() if install() puts
 * it there.
 *
 * As in torch, messages are sent as plain strings and depths are the tool's:
 * zero-based, NVTX_NO_PUSH_POP_TRACKING (-2) without one. Unlike in torch, a call may
 * pass a color, domain, category and payload.
 */
#include "events/py_torch.h"

#include "events/py_event_call.h"

#include <pythread.h>

/* ---- Events ---------------------------------------------------------------------- */

/* Whether a call has only torch's arguments, a tool records, and the switch is on. */
static inline bool is_plain(const struct native_state *state, Py_ssize_t n_args,
                            PyObject *keywords)
{
    return n_args == 1 && !keywords && rln_py_default_domain(state) &&
           !rln_py_switched(state);
}

static RLN_PY_INLINE PyObject *call(PyObject *module,
                                    const struct rln_py_event_form *form,
                                    PyObject *const *args, Py_ssize_t n_args,
                                    PyObject *keywords)
{
    struct native_state *const state = PyModule_GetState(module);
    const char *text;

    if (RLN_PY_UNLIKELY(!is_plain(state, n_args, keywords)))
        return rln_py_event_call(state, NULL, form, args, n_args, keywords);
    if (rln_py_torch_text(&text, args[0]))
        return NULL;
    if (form->kind == RLN_PY_PUSH)
        return PyLong_FromLong(nvtxRangePushA(text));
    if (form->kind == RLN_PY_START)
        return PyLong_FromUnsignedLongLong(nvtxRangeStartA(text));
    nvtxMarkA(text);
    Py_RETURN_NONE;
}

RLN_PY_EVENT_FUNCTION(mark, RLN_PY_FORM_OF_TORCH("mark", RLN_PY_MARK))
RLN_PY_EVENT_FUNCTION(range_push, RLN_PY_FORM_OF_TORCH("range_push", RLN_PY_PUSH))
RLN_PY_EVENT_FUNCTION(range_start, RLN_PY_FORM_OF_TORCH("range_start", RLN_PY_START))

static PyObject *range_pop(PyObject *module, PyObject *const *args, Py_ssize_t n_args,
                           PyObject *keywords)
{
    static const struct rln_py_signature signature = {
        "range_pop", 1, 0, {RLN_PY_DOMAIN}};
    struct native_state *const state = PyModule_GetState(module);
    struct domain_object *const domain = rln_py_default_domain(state);
    int depth;

    if (RLN_PY_LIKELY(domain && !n_args && !keywords))
        return PyLong_FromLong(rln_py_pop(domain));
    if (rln_py_pop_call(state, &signature, args, n_args, keywords, &depth))
        return NULL;
    return PyLong_FromLong(depth);
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

    if (rln_py_arguments(state, &signature, args, n_args, keywords, argument) ||
        rln_py_range_id(argument[0], &id) ||
        rln_py_take_domain(state, argument[1], &domain))
        return NULL;
    if (domain && id)
        nvtxDomainRangeEnd(domain->handle, id);
    Py_XDECREF(domain);
    Py_RETURN_NONE;
}

/* Checks arguments as the functions above do, without recording anything. */
static PyObject *check(PyObject *module, PyObject *const *args, Py_ssize_t n_args,
                       PyObject *keywords)
{
    static const struct rln_py_event_form form =
        RLN_PY_FORM_OF_TORCH("check", RLN_PY_CHECK);

    return rln_py_event_call(PyModule_GetState(module), NULL, &form, args, n_args,
                             keywords);
}

static PyObject *name_thread(PyObject *module, PyObject *name)
{
    const char *text;

    if (rln_py_torch_text(&text, name))
        return NULL;
    nvtxNameOsThreadA((uint32_t)PyThread_get_thread_native_id(), text);
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
    {"name_thread", name_thread, METH_O, "Names this thread in the trace."},
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
