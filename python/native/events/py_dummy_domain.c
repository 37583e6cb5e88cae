/* SPDX-License-Identifier: Apache-2.0 */
/* py_dummy_domain.c - implements the type DummyDomain, for a domain that is not
 * recorded: there is no tool, or it has excluded the domain. Its methods do nothing.
 */
#include "base/py_native.h"

#include "base/py_arguments.h"
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

static PyObject *dummy_tp_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    struct native_state *const state = rln_py_state_of(type);

    if (!state->dummy_domain)
        return type->tp_alloc(type, 0);
    Py_INCREF(state->dummy_domain);
    return state->dummy_domain;
}

static int dummy_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    return 0;
}

static void dummy_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    rln_py_free(self);
}

static PyObject *dummy_reduce(PyObject *self, PyObject *unused)
{
    return Py_BuildValue("O()", Py_TYPE(self));
}

#define METHOD(name, function)                                                         \
    {                                                                                  \
        name, (PyCFunction)(void (*)(void))function, METH_FASTCALL | METH_KEYWORDS,    \
            "Does nothing; see Domain." name "()."                                     \
    }

static PyMethodDef dummy_methods[] = {
    METHOD("get_registered_string", nothing),
    METHOD("get_category_id", nothing),
    METHOD("get_event_attributes", nothing),
    METHOD("set_event_attributes", nothing),
    METHOD("mark", nothing),
    METHOD("push_range", nothing),
    METHOD("pop_range", nothing),
    METHOD("start_range", zero),
    METHOD("end_range", nothing),
    {"get_counter", (PyCFunction)(void (*)(void))rln_py_dummy_domain_get_counter,
     METH_FASTCALL | METH_KEYWORDS, RLN_PY_GET_COUNTER_DOC},
    METHOD("get_timestamp", zero),
    {"__reduce__", dummy_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(dummy_doc,
             "A Domain without a recorder. Methods do nothing.\n\n"
             "Example, without a tool:\n"
             "    >>> nvtx.get_domain(\"solver\").start_range(message=\"x\")\n"
             "    0");

static PyType_Slot dummy_slots[] = {
    {Py_tp_doc, (void *)dummy_doc},   {Py_tp_new, dummy_tp_new},
    {Py_tp_traverse, dummy_traverse}, {Py_tp_dealloc, dummy_dealloc},
    {Py_tp_methods, dummy_methods},   {0, NULL},
};

static PyType_Spec dummy_spec = {
    .name = "rangeline.nvtx.DummyDomain",
    .basicsize = sizeof(PyObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = dummy_slots,
};

int rln_py_add_dummy_domain(PyObject *module, struct native_state *state)
{
    if (rln_py_add_type(module, &dummy_spec, &state->dummy_domain_type))
        return -1;
    state->dummy_domain = PyObject_CallNoArgs((PyObject *)state->dummy_domain_type);
    if (!state->dummy_domain)
        return -1;
    Py_INCREF(state->dummy_domain);
    if (PyModule_AddObject(module, "dummy_domain", state->dummy_domain)) {
        Py_DECREF(state->dummy_domain);
        return -1;
    }
    return 0;
}
