/* SPDX-License-Identifier: Apache-2.0 */
/* py_functions.c - implements the functions of the module: events in a domain passed by
 * name, and the switch. */
#include "base/py_integer.h"
#include "events/py_event_call.h"

/* ---- Events ---------------------------------------------------------------------- */

/* The common case: only a known message, in the default domain. NULL for all others. */
static inline const struct registered_string_object *
take_known(const struct domain_object *domain, PyObject *const *args, Py_ssize_t n_args,
           PyObject *keywords)
{
    return domain && n_args == 1 && !keywords ? rln_py_find_recent(domain, args[0])
                                              : NULL;
}

/* Whether a call has at most an ordinary message and a color, for the default domain,
 * and that is known not to be recorded: then there is nothing to do or to check. */
static inline bool is_unheard(const struct native_state *state, PyObject *const *args,
                              Py_ssize_t n_args, PyObject *keywords)
{
    return n_args <= 2 && !keywords &&
           __atomic_load_n(&state->default_domain, __ATOMIC_RELAXED) ==
               state->dummy_domain &&
           (n_args < 1 || rln_py_is_ordinary_text(args[0])) &&
           (n_args < 2 || args[1] == Py_None || rln_py_is_recent_color(state, args[1]));
}

static RLN_PY_INLINE PyObject *call(PyObject *module,
                                    const struct rln_py_event_form *form,
                                    PyObject *const *args, Py_ssize_t n_args,
                                    PyObject *keywords)
{
    struct native_state *const state = PyModule_GetState(module);
    struct domain_object *const domain = rln_py_default_domain(state);
    const struct registered_string_object *const known =
        take_known(domain, args, n_args, keywords);

    if (RLN_PY_LIKELY(known))
        return rln_py_send(form, domain, &known->event);
    if (is_unheard(state, args, n_args, keywords))
        Py_RETURN_NONE;
    return rln_py_event_call(state, NULL, form, args, n_args, keywords);
}

RLN_PY_EVENT_FUNCTION(mark, RLN_PY_FORM_OF_FUNCTION("mark", RLN_PY_MARK))
RLN_PY_EVENT_FUNCTION(push_range, RLN_PY_FORM_OF_FUNCTION("push_range", RLN_PY_PUSH))
RLN_PY_EVENT_FUNCTION(start_range, RLN_PY_FORM_OF_FUNCTION("start_range", RLN_PY_START))

static PyObject *pop_range(PyObject *module, PyObject *const *args, Py_ssize_t n_args,
                           PyObject *keywords)
{
    static const struct rln_py_signature signature = {
        "pop_range", 1, 1, {RLN_PY_DOMAIN}};
    struct native_state *const state = PyModule_GetState(module);
    struct domain_object *const domain = rln_py_default_domain(state);
    int depth;

    if (RLN_PY_LIKELY(domain && !n_args && !keywords)) {
        rln_py_pop(domain);
        Py_RETURN_NONE;
    }
    if (!n_args && is_unheard(state, args, n_args, keywords))
        Py_RETURN_NONE;
    if (rln_py_pop_call(state, &signature, args, n_args, keywords, &depth))
        return NULL;
    Py_RETURN_NONE;
}

/* This interpreter's Domain with that handle, borrowed, as domains live as long as the
 * interpreter. NULL if there is none. */
static PyObject *find_handle(const struct native_state *state, uint64_t number)
{
    PyObject *name, *domain, *found = NULL;
    Py_ssize_t position = 0;

    Py_BEGIN_CRITICAL_SECTION(state->domains);
    while (!found && PyDict_Next(state->domains, &position, &name, &domain)) {
        if (Py_TYPE(domain) == state->domain_type &&
            (uint64_t)(uintptr_t)((struct domain_object *)domain)->handle == number)
            found = domain;
    }
    Py_END_CRITICAL_SECTION();
    return found;
}

/* Whether a handle is that of a domain of this interpreter. Only those are passed to a
 * tool, which may use the handle as an address. */
static bool is_handle(const struct native_state *state, uint64_t number)
{
    return RLN_PY_LIKELY(number == 0) || find_handle(state, number);
}

static bool is_pair(PyObject *object)
{
    return PyTuple_Check(object) && PyTuple_GET_SIZE(object) == 2 &&
           PyLong_Check(PyTuple_GET_ITEM(object, 0)) &&
           PyLong_Check(PyTuple_GET_ITEM(object, 1));
}

static PyObject *end_range(PyObject *module, PyObject *const *args, Py_ssize_t n_args,
                           PyObject *keywords)
{
    static const struct rln_py_signature signature = {
        "end_range", 1, 1, {RLN_PY_RANGE_ID}};
    struct native_state *const state = PyModule_GetState(module);
    PyObject *pair;
    uint64_t id, handle;

    if (rln_py_arguments(state, &signature, args, n_args, keywords, &pair))
        return NULL;
    if (!pair)
        return PyErr_Format(PyExc_TypeError,
                            "end_range() missing required argument 'range_id'");
    if (RLN_PY_UNLIKELY(!is_pair(pair))) {
        /* None: the range was not recorded. 0 is the id that a DummyDomain returns. */
        if (pair == Py_None || (PyLong_Check(pair) && PyObject_Not(pair) == 1))
            Py_RETURN_NONE;
        rln_py_wrong_type("range_id", "what start_range() returned (two ints, or None)",
                          pair);
        return NULL;
    }
    if (RLN_PY_LIKELY(!state->is_disabled) &&
        rln_py_uint64(PyTuple_GET_ITEM(pair, 0), &id) &&
        rln_py_uint64(PyTuple_GET_ITEM(pair, 1), &handle) && id) {
        if (is_handle(state, handle))
            nvtxDomainRangeEnd((nvtxDomainHandle_t)(uintptr_t)handle, id);
        else
            nvtxRangeEnd(id); /* another process's domain */
    }
    Py_RETURN_NONE;
}

static PyObject *get_domain(PyObject *module, PyObject *const *args, Py_ssize_t n_args,
                            PyObject *keywords)
{
    static const struct rln_py_signature signature = {
        "get_domain", 1, 1, {RLN_PY_NAME}};
    struct native_state *const state = PyModule_GetState(module);
    PyObject *name;

    if (rln_py_arguments(state, &signature, args, n_args, keywords, &name))
        return NULL;
    return rln_py_get_domain(state, name ? name : Py_None, "name");
}

static PyObject *domain_of(PyObject *module, PyObject *handle)
{
    struct native_state *const state = PyModule_GetState(module);
    PyObject *domain = NULL;
    uint64_t number;

    if (!PyLong_Check(handle)) {
        rln_py_wrong_type("domain", "a Domain's handle", handle);
        return NULL;
    }
    if (rln_py_uint64(handle, &number))
        domain = find_handle(state, number);
    if (!domain)
        return PyErr_Format(PyExc_ValueError, "domain must be a Domain's handle");
    return Py_NewRef(domain);
}

/* ---- The switch ------------------------------------------------------------------ */

static PyObject *enabled(PyObject *module, PyObject *unused)
{
    const struct native_state *const state = PyModule_GetState(module);

    return PyBool_FromLong(!state->is_disabled && rln_py_is_on(state));
}

static PyObject *set_enabled(PyObject *module, PyObject *is_on)
{
    struct native_state *const state = PyModule_GetState(module);

    if (!PyBool_Check(is_on)) {
        rln_py_wrong_type("enabled", "bool", is_on);
        return NULL;
    }
    return PyBool_FromLong(rln_py_set_on(state, is_on == Py_True) &&
                           !state->is_disabled);
}

static PyMethodDef functions[] = {
    RLN_PY_METHOD("mark", mark,
                  "mark($module, /, message=None, color=\"blue\", domain=None, "
                  "category=None, payload=None)\n--\n\n"
                  "Marks an instant.\n\n"
                  "Example:\n"
                  "    >>> nvtx.mark(\"checkpoint\", color=\"green\", payload=3)"),
    RLN_PY_METHOD(
        "push_range", push_range,
        "push_range($module, /, message=None, color=None, domain=None, "
        "category=None, payload=None)\n--\n\n"
        "Begins a range of this thread, which pop_range() ends. Prefer annotate:\n"
        "it ends its range however a block is left.\n\n"
        "Example:\n"
        "    >>> nvtx.push_range(\"load\", domain=\"solver\")\n"
        "    >>> nvtx.pop_range(domain=\"solver\")"),
    RLN_PY_METHOD("pop_range", pop_range,
                  "pop_range($module, /, domain=None)\n--\n\n"
                  "Ends the newest open range of this thread in the domain.\n\n"
                  "Example:\n"
                  "    >>> nvtx.push_range(\"load\")\n"
                  "    >>> nvtx.pop_range()"),
    RLN_PY_METHOD("start_range", start_range,
                  "start_range($module, /, message=None, color=None, domain=None, "
                  "category=None, payload=None)\n--\n\n"
                  "Begins a range that any thread may end. Returns a pair of ints for\n"
                  "end_range(), or None without a recorder.\n\n"
                  "Example:\n"
                  "    >>> request = nvtx.start_range(\"request\")\n"
                  "    >>> nvtx.end_range(request)"),
    RLN_PY_METHOD(
        "end_range", end_range,
        "end_range($module, /, range_id)\n--\n\n"
        "Ends the range that start_range() began. None, and what is not open any\n"
        "more, is ignored.\n\n"
        "Example:\n"
        "    >>> nvtx.end_range(nvtx.start_range(\"request\"))"),
    RLN_PY_METHOD(
        "get_domain", get_domain,
        "get_domain($module, /, name=None)\n--\n\n"
        "The Domain of a name, one object for each; None: the default domain. The\n"
        "DummyDomain without a recorder.\n\n"
        "Example:\n"
        "    >>> nvtx.get_domain(\"solver\") is nvtx.get_domain(\"solver\")\n"
        "    True"),
    {"domain_of", domain_of, METH_O, "The Domain that has this handle."},
    {"enabled", enabled, METH_NOARGS,
     "enabled($module, /)\n--\n\n"
     "Whether events are sent: neither NVTX_DISABLE nor set_enabled(False) says no.\n\n"
     "Example:\n"
     "    >>> nvtx.enabled()\n"
     "    True"},
    {"set_enabled", set_enabled, METH_O,
     "set_enabled($module, enabled, /)\n--\n\n"
     "Switches events off and on, in all threads, and returns whether they were on.\n"
     "What is open still closes, and no range is ended that was not begun. Where\n"
     "NVTX_DISABLE is set, they stay off.\n\n"
     "Example:\n"
     "    >>> before = nvtx.set_enabled(False)\n"
     "    >>> nvtx.mark(\"not recorded\")\n"
     "    >>> nvtx.set_enabled(before)\n"
     "    False"},
    {NULL, NULL, 0, NULL},
};

int rln_py_add_functions(PyObject *module, struct native_state *state)
{
    (void)state;
    return PyModule_AddFunctions(module, functions);
}
