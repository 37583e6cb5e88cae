/* SPDX-License-Identifier: Apache-2.0 */
/* py_int64_counter.c - implements the type Int64Counter: a counter of 64-bit integers.
 */
#include "base/py_arguments.h"
#include "base/py_integer.h"
#include "counters/py_counter.h"

/* Converts a value that is no int: by __index__, or by truncation. */
static int convert_other(PyObject *value, int64_t *out)
{
    const PyNumberMethods *const methods = Py_TYPE(value)->tp_as_number;
    PyObject *number = NULL;

    if (methods && methods->nb_index)
        number = PyNumber_Index(value);
    else if (methods && methods->nb_int)
        number = PyNumber_Long(value);
    else
        rln_py_wrong_type("value", "int", value);
    if (number)
        *out = PyLong_AsLongLong(number);
    Py_XDECREF(number);
    return PyErr_Occurred() ? -1 : 0;
}

static int convert(PyObject *value, int64_t *out)
{
    if (RLN_PY_UNLIKELY(!PyLong_Check(value)))
        return convert_other(value, out);
    if (RLN_PY_LIKELY(rln_py_int64(value, out)))
        return 0;
    PyErr_SetString(PyExc_OverflowError, "value must be from -2**63 to 2**63 - 1");
    return -1;
}

static PyObject *sample(PyObject *object, PyObject *const *args, Py_ssize_t n_args,
                        PyObject *keywords)
{
    struct counter_object *const self = (struct counter_object *)object;
    PyObject *value;
    int64_t number;

    if (RLN_PY_LIKELY(n_args == 1 && !keywords))
        value = args[0];
    else
        value =
            rln_py_only_argument(self, "sample", RLN_PY_VALUE, args, n_args, keywords);
    if (!value || convert(value, &number))
        return NULL;
    if (RLN_PY_LIKELY(rln_py_is_on(self->domain->state)))
        nvtxCounterSampleInt64(self->domain->handle, self->id, number);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    RLN_PY_METHOD("sample", sample,
                  "sample($self, /, value)\n--\n\n"
                  "Records the value now: an int of at most 64 bits, or what can be "
                  "made one.\n\n"
                  "Example:\n"
                  "    >>> sent = nvtx.get_domain(\"net\").get_counter(\"sent\", int)\n"
                  "    >>> sent.sample(4096)"),
    RLN_PY_METHOD(
        "batch_submit", rln_py_batch_submit,
        "batch_submit($self, /, values, timestamps)\n--\n\n"
        "Records values of the past, each with its time on the clock "
        "`time_domain`.\n\n"
        "Arrays of int64 that lie in C's order are not copied. ValueError if "
        "there are not\nas many values as timestamps.\n\n"
        "Example:\n"
        "    >>> domain = nvtx.get_domain(\"net\")\n"
        "    >>> times = [domain.get_timestamp(), domain.get_timestamp()]\n"
        "    >>> domain.get_counter(\"sent\", int).batch_submit([1, 2], times)"),
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(doc, "A counter of 64-bit integers.\n\n"
                  "Domain.get_counter() makes them.\n\n"
                  "Example:\n"
                  "    >>> sent = nvtx.get_domain(\"net\").get_counter(\"sent\", int)\n"
                  "    >>> sent.sample(4096)");

int rln_py_add_int64_counter(PyObject *module, struct native_state *state)
{
    return rln_py_add_counter_kind(module, state, "rangeline.nvtx.Int64Counter", doc,
                                   methods, &state->int64_counter_type);
}
