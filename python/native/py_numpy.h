/* SPDX-License-Identifier: Apache-2.0 */
/* py_numpy.h - NumPy as far as somebody has imported it: through its attributes and the
 * buffer protocol, so that one build of ours serves every version of it.
 */
#ifndef RLN_PYTHON_NUMPY_H
#define RLN_PYTHON_NUMPY_H

#include "py_native.h"

/* Whether NumPy is there: 1, 0, or -1 with an exception that is not ImportError. Only
 * `may_import` imports it. */
int rln_py_numpy_find(struct native_state *state, bool may_import);

/* Both are false before rln_py_numpy_find() has found it. */
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
 * exception, ImportError if NumPy is not there. */
PyObject *rln_py_numpy_call(const char *name, PyObject *first, PyObject *second);

/* The elements of an array in C's order: borrowed from it where they lie so, else a
 * copy. All zeros is one that rln_py_elements_clear() accepts. */
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
