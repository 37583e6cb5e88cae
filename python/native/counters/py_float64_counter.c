/* SPDX-License-Identifier: Apache-2.0 */
/* py_float64_counter.c - implements the type Float64Counter: a counter of
 * double-precision numbers.
 */
#include "base/py_arguments.h"
#include "counters/py_counter.h"

static int convert_other(PyObject *value, double *out)
{
    *out = PyFloat_AsDouble(value);
    if (*out != -1.0 || !PyErr_Occurred())
        return 0;
    if (PyErr_ExceptionMatches(PyExc_TypeError))
        rln_py_wrong_type("value", "float", value);
    return -1;
}

static PyObject *sample(PyObject *object, PyObject *const *args, Py_ssize_t n_args,
                        PyObject *keywords)
{
    struct counter_object *const self = (struct counter_object *)object;
    PyObject *value;
    double number;

    if (RLN_PY_LIKELY(n_args == 1 && !keywords))
        value = args[0];
    else
        value =
            rln_py_only_argument(self, "sample", RLN_PY_VALUE, args, n_args, keywords);
    if (RLN_PY_LIKELY(value && PyFloat_Check(value)))
        number = PyFloat_AS_DOUBLE(value);
    else if (!value || convert_other(value, &number))
        return NULL;
    if (RLN_PY_LIKELY(rln_py_is_on(self->domain->state)))
        nvtxCounterSampleFloat64(self->domain->handle, self->id, number);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    RLN_PY_METHOD(
        "sample", sample,
        "sample($self, /, value)\n--\n\n"
        "Records the value now: a float, or what can be made one.\n\n"
        "Example:\n"
        "    >>> loss = nvtx.get_domain(\"training\").get_counter(\"loss\", float)\n"
        "    >>> loss.sample(0.42)"),
    RLN_PY_METHOD("batch_submit", rln_py_batch_submit,
                  "batch_submit($self, /, values, timestamps)\n--\n\n"
                  "Records values of the past, each with its time on the clock "
                  "`time_domain`.\n\n"
                  "Arrays of float64 that lie in C's order are not copied. ValueError "
                  "if there are not\nas many values as timestamps.\n\n"
                  "Example:\n"
                  "    >>> domain = nvtx.get_domain(\"training\")\n"
                  "    >>> loss = domain.get_counter(\"loss\", float)\n"
                  "    >>> loss.batch_submit([0.9], [domain.get_timestamp()])"),
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(
    doc, "A counter of double-precision numbers.\n\n"
         "Domain.get_counter() makes them.\n\n"
         "Example:\n"
         "    >>> loss = nvtx.get_domain(\"training\").get_counter(\"loss\", float)\n"
         "    >>> loss.sample(0.42)");

int rln_py_add_float64_counter(PyObject *module, struct native_state *state)
{
    return rln_py_add_counter_kind(module, state, "rangeline.nvtx.Float64Counter", doc,
                                   methods, &state->float64_counter_type);
}
