/* SPDX-License-Identifier: Apache-2.0 */
/* py_numpy.c - finds NumPy's types once, and calls its functions. */
#include "base/py_numpy.h"

#include <string.h>

/* Publishes numpy.NAME in *slot, once. */
static int publish_type(PyTypeObject **slot, PyObject *numpy, const char *name)
{
    PyObject *const type = PyObject_GetAttrString(numpy, name);
    PyTypeObject *expected = NULL;

    if (!type)
        return -1;
    /* Release: pairs with the acquires of py_numpy.h. */
    if (!PyType_Check(type) ||
        !__atomic_compare_exchange_n(slot, &expected, (PyTypeObject *)type, false,
                                     __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        Py_DECREF(type);
    return 0;
}

int rln_py_numpy_find(struct native_state *state, bool may_import)
{
    PyObject *name, *numpy;
    int found = 0;

    if (__atomic_load_n(&state->generic_type, __ATOMIC_ACQUIRE))
        return 1;
    name = PyUnicode_FromString("numpy");
    if (!name)
        return -1;
    numpy = may_import ? PyImport_Import(name) : PyImport_GetModule(name);
    Py_DECREF(name);
    if (numpy && numpy != Py_None)
        found = !publish_type(&state->ndarray_type, numpy, "ndarray") &&
                !publish_type(&state->generic_type, numpy, "generic");
    Py_XDECREF(numpy);
    /* Not installed, or just being imported by our caller. */
    if (!found && PyErr_Occurred() &&
        (PyErr_ExceptionMatches(PyExc_ImportError) ||
         PyErr_ExceptionMatches(PyExc_AttributeError)))
        PyErr_Clear();
    return PyErr_Occurred() ? -1 : found;
}

PyObject *rln_py_numpy_call(const char *name, PyObject *first, PyObject *second)
{
    PyObject *const function = rln_py_import("numpy", name);
    PyObject *result = NULL;

    if (function)
        result = PyObject_CallFunctionObjArgs(function, first, second, NULL);
    Py_XDECREF(function);
    return result;
}

static int get_size(PyObject *array, const char *name, size_t *out)
{
    PyObject *const number = PyObject_GetAttrString(array, name);

    *out = number ? PyLong_AsSize_t(number) : 0;
    Py_XDECREF(number);
    return PyErr_Occurred() ? -1 : 0;
}

/* For arrays that are not in C order, and for dtypes that buffers do not support, such
 * as datetime64. */
static int copy_elements(PyObject *array, struct rln_py_elements *elements)
{
    size_t n_dimensions;

    if (get_size(array, "size", &elements->n) || get_size(array, "ndim", &n_dimensions))
        return -1;
    elements->n_dimensions = (int)n_dimensions;
    elements->copy = PyObject_CallMethod(array, "tobytes", NULL);
    if (!elements->copy)
        return -1;
    if (!PyBytes_Check(elements->copy)) {
        PyErr_SetString(PyExc_TypeError, "an array's tobytes() must return bytes");
        Py_CLEAR(elements->copy);
        return -1;
    }
    elements->address = PyBytes_AS_STRING(elements->copy);
    elements->n_bytes = (size_t)PyBytes_GET_SIZE(elements->copy);
    return 0;
}

int rln_py_elements_of(PyObject *array, struct rln_py_elements *elements)
{
    memset(elements, 0, sizeof(*elements));
    if (PyObject_GetBuffer(array, &elements->view, PyBUF_C_CONTIGUOUS)) {
        if (!PyErr_ExceptionMatches(PyExc_ValueError) &&
            !PyErr_ExceptionMatches(PyExc_BufferError))
            return -1;
        PyErr_Clear();
        memset(&elements->view, 0, sizeof(elements->view));
        return copy_elements(array, elements);
    }
    elements->address = elements->view.buf;
    elements->n_bytes = (size_t)elements->view.len;
    elements->n_dimensions = elements->view.ndim;
    if (elements->view.itemsize > 0)
        elements->n = elements->n_bytes / (size_t)elements->view.itemsize;
    return 0;
}

void rln_py_elements_clear(struct rln_py_elements *elements)
{
    if (elements->view.obj)
        PyBuffer_Release(&elements->view);
    Py_CLEAR(elements->copy);
}
