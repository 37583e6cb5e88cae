/* SPDX-License-Identifier: Apache-2.0 */
/* py_numpy.h - uses NumPy through its attributes and the buffer protocol, so that one
 * build works with every version. NumPy is normally used only if already imported.
 */
#ifndef RLN_PYTHON_NUMPY_H
#define RLN_PYTHON_NUMPY_H

#include "base/py_native.h"

/* Whether NumPy is available: 1, 0, or -1 with an exception other than ImportError.
 * Imports it only if `may_import`. */
int rln_py_numpy_find(struct native_state *state, bool may_import);

/* Both return false before rln_py_numpy_find() has found it. */
static inline bool rln_py_is_array(struct native_state *state, PyObject *object)
{
    PyTypeObject *const type = __atomic_load_n(&state->ndarray_type, __ATOMIC_ACQUIRE);

    return type && PyObject_TypeCheck(object, type);
}

static inline bool rln_py_is_numpy_scalar(struct native_state *state, PyObject *object)
{
    PyTypeObject *const type = __atomic_load_n(&state->generic_type, __ATOMIC_ACQUIRE);

    return type && PyObject_TypeCheck(object, type);
}

/* numpy.NAME(first, second), `second` may be NULL: a new reference, or NULL with an
 * exception, ImportError without NumPy. */
PyObject *rln_py_numpy_call(const char *name, PyObject *first, PyObject *second);

/* The elements of an array in C order: borrowed if the array is in that order, else a
 * copy. rln_py_elements_clear() accepts a zeroed one. */
struct rln_py_elements {
    const void *address;
    size_t n_bytes;
    size_t n; /* elements */
    int n_dimensions;
    Py_buffer view; /* owned if view.obj is set */
    PyObject *copy; /* bytes, owned, or NULL */
};

/* 0, or -1 with an exception. */
int rln_py_elements_of(PyObject *array, struct rln_py_elements *elements);
void rln_py_elements_clear(struct rln_py_elements *elements);

#endif
