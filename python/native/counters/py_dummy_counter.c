/* SPDX-License-Identifier: Apache-2.0 */
/* py_dummy_counter.c - implements the type DummyCounter, for a counter that is not
 * recorded. Its methods do nothing. */
#include "counters/py_counter.h"

static PyObject *nothing(PyObject *self, PyObject *const *args, Py_ssize_t n_args,
                         PyObject *keywords)
{
    Py_RETURN_NONE;
}

static void dummy_dealloc(PyObject *self)
{
    rln_py_free(self);
}

static PyMethodDef methods[] = {
    RLN_PY_METHOD("sample", nothing, "Does nothing; see Counter.sample()."),
    RLN_PY_METHOD("batch_submit", nothing, "Does nothing; see Counter.batch_submit()."),
    RLN_PY_METHOD("sample_no_value", nothing,
                  "Does nothing; see Counter.sample_no_value()."),
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(
    doc, "A Counter without a recorder. Methods do nothing.\n\n"
         "Example, without a tool:\n"
         "    >>> nvtx.get_domain(\"host\").get_counter(\"load\", float).sample(0.5)");

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)doc},
    {Py_tp_dealloc, dummy_dealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "rangeline.nvtx.DummyCounter",
    .basicsize = sizeof(PyObject),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
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

int rln_py_add_dummy_counter(PyObject *module, struct native_state *state)
{
    if (rln_py_add_type(module, &spec, &state->dummy_counter_type) ||
        add_attributes(state->dummy_counter_type, state->dummy_domain))
        return -1;
    state->dummy_counter = PyObject_CallNoArgs((PyObject *)state->dummy_counter_type);
    if (!state->dummy_counter)
        return -1;
    Py_INCREF(state->dummy_counter);
    if (PyModule_AddObject(module, "dummy_counter", state->dummy_counter)) {
        Py_DECREF(state->dummy_counter);
        return -1;
    }
    return 0;
}
