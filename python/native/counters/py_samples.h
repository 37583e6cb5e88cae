/* SPDX-License-Identifier: Apache-2.0 */
/* py_samples.h - converts Python values to the bytes of counter samples.
 *
 * Common values are packed here, without NumPy: ints and floats, tuples of them, lists
 * of these. Everything else is left to NumPy, which decides what is accepted and how it
 * is converted. Both ways give the same result.
 */
#ifndef RLN_PYTHON_SAMPLES_H
#define RLN_PYTHON_SAMPLES_H

#include "base/py_numpy.h"

enum rln_py_code {
    RLN_PY_I1,
    RLN_PY_U1,
    RLN_PY_I2,
    RLN_PY_U2,
    RLN_PY_I4,
    RLN_PY_U4,
    RLN_PY_I8,
    RLN_PY_U8,
    RLN_PY_F4,
    RLN_PY_F8
};

/* A number in a sample. */
struct rln_py_field {
    uint32_t offset;
    uint32_t code; /* enum rln_py_code: NumPy's names */
};

/* The layout of a sample. */
struct rln_py_layout {
    size_t size;                 /* bytes of a sample */
    bool is_group;               /* a sample is a tuple, else a number */
    bool has_time;               /* samples contain their time */
    bool has_gaps;               /* between fields */
    bool is_dense_group;         /* a group without gaps, packed here */
    Py_ssize_t n;                /* fields packed here; 0: left to NumPy */
    struct rln_py_field *fields; /* owned */
};

/* The layout that _schema.of_counter() returned: 0, or -1 with an exception. */
int rln_py_layout_fill(struct rln_py_layout *layout, PyObject *size, PyObject *fields,
                       bool is_group);
void rln_py_layout_clear(struct rln_py_layout *layout);

/* Packs the value into layout->size bytes at `out`, with cleared padding. False, never
 * with an exception, leaves it to NumPy. */
bool rln_py_pack(const struct rln_py_layout *layout, PyObject *value, char *out);

/* Contiguous samples: borrowed from an array, or a copy. */
struct rln_py_samples {
    const void *address;
    size_t n_bytes;
    size_t n;
    PyObject *array; /* owned, or NULL */
    struct rln_py_elements elements;
    void *copy; /* owned, or NULL */
};

/* All of these return 0, or -1 with an exception that names the parameter. `code` is
 * RLN_PY_I8 or RLN_PY_F8. */
int rln_py_numbers_of(struct native_state *state, PyObject *values,
                      enum rln_py_code code, const char *parameter,
                      struct rln_py_samples *out);
int rln_py_rows_of(const struct rln_py_layout *layout, PyObject *dtype,
                   PyObject *values, struct rln_py_samples *out);
int rln_py_row_of(struct native_state *state, const struct rln_py_layout *layout,
                  PyObject *dtype, PyObject *value, struct rln_py_samples *out);
void rln_py_samples_clear(struct rln_py_samples *samples);

#endif
