/* SPDX-License-Identifier: Apache-2.0 */
/* py_dummies.c - implements the types DummyDomain and DummyCounter, for a domain that
 * is not recorded: there is no tool, or it has excluded the domain. Their methods do
 * nothing, and there is one object of each. */
#include "base/py_native.h"
#include "counters/py_domain_counters.h"

static PyObject *nothing(PyObject *self, PyObject *const *args, Py_ssize_t n_args,
                         PyObject *keywords)
{
    Py_RETURN_NONE;
}

static PyObject *zero(PyObject *self, PyObject *const *args, Py_ssize_t n_args,
                      PyObject *keywords)
{
    return PyLong_FromLong(0);
}

#define METHOD(type, name, function)                                                   \
    RLN_PY_METHOD(name, function, "Does nothing; see " type "." name "().")

static void dummy_dealloc(PyObject *self)
{
    if (PyObject_IS_GC(self))
        PyObject_GC_UnTrack(self);
    rln_py_free(self);
}

/* ---- DummyDomain ----------------------------------------------------------------- */

static PyObject *domain_tp_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    struct native_state *const state = rln_py_state_of(type);

    return state->dummy_domain ? Py_NewRef(state->dummy_domain)
                               : type->tp_alloc(type, 0);
}

static int domain_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    return 0;
}

static PyObject *domain_reduce(PyObject *self, PyObject *unused)
{
    return Py_BuildValue("O()", Py_TYPE(self));
}

static PyMethodDef domain_methods[] = {
    METHOD("Domain", "get_registered_string", nothing),
    METHOD("Domain", "get_category_id", nothing),
    METHOD("Domain", "get_event_attributes", nothing),
    METHOD("Domain", "set_event_attributes", nothing),
    METHOD("Domain", "mark", nothing),
    METHOD("Domain", "push_range", nothing),
    METHOD("Domain", "pop_range", nothing),
    METHOD("Domain", "start_range", zero),
    METHOD("Domain", "end_range", nothing),
    RLN_PY_METHOD("get_counter", rln_py_dummy_domain_get_counter,
                  RLN_PY_GET_COUNTER_DOC),
    METHOD("Domain", "get_timestamp", zero),
    {"__reduce__", domain_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(domain_doc,
             "A Domain without a recorder. Methods do nothing.\n\n"
             "Example, without a tool:\n"
             "    >>> nvtx.get_domain(\"solver\").start_range(message=\"x\")\n"
             "    0");

static PyType_Slot domain_slots[] = {
    {Py_tp_doc, (void *)domain_doc},   {Py_tp_new, domain_tp_new},
    {Py_tp_traverse, domain_traverse}, {Py_tp_dealloc, dummy_dealloc},
    {Py_tp_methods, domain_methods},   {0, NULL},
};

static PyType_Spec domain_spec = {
    .name = "rangeline.nvtx.DummyDomain",
    .basicsize = sizeof(PyObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = domain_slots,
};

/* ---- DummyCounter ---------------------------------------------------------------- */

static PyMethodDef counter_methods[] = {
    METHOD("Counter", "sample", nothing),
    METHOD("Counter", "batch_submit", nothing),
    METHOD("Counter", "sample_no_value", nothing),
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(
    counter_doc,
    "A Counter without a recorder. Methods do nothing.\n\n"
    "Example, without a tool:\n"
    "    >>> nvtx.get_domain(\"host\").get_counter(\"load\", float).sample(0.5)");

static PyType_Slot counter_slots[] = {
    {Py_tp_doc, (void *)counter_doc},
    {Py_tp_dealloc, dummy_dealloc},
    {Py_tp_methods, counter_methods},
    {0, NULL},
};

static PyType_Spec counter_spec = {
    .name = "rangeline.nvtx.DummyCounter",
    .basicsize = sizeof(PyObject),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = counter_slots,
};

/* The attributes of a Counter, as attributes of the class. */
static int add_attributes(PyTypeObject *type, PyObject *dummy_domain)
{
    static const char *const none[] = {"name",  "dtype",     "description",
                                       "scope", "semantics", "time_domain"};

    for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
        if (PyObject_SetAttrString((PyObject *)type, none[i], Py_None))
            return -1;
    }
    return PyObject_SetAttrString((PyObject *)type, "domain", dummy_domain);
}

int rln_py_add_dummies(PyObject *module, struct native_state *state)
{
    if (rln_py_add_type(module, &domain_spec, &state->dummy_domain_type) ||
        rln_py_add_only(module, "dummy_domain", state->dummy_domain_type,
                        &state->dummy_domain) ||
        rln_py_add_type(module, &counter_spec, &state->dummy_counter_type) ||
        add_attributes(state->dummy_counter_type, state->dummy_domain))
        return -1;
    return rln_py_add_only(module, "dummy_counter", state->dummy_counter_type,
                           &state->dummy_counter);
}
