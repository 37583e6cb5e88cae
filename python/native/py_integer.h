/* SPDX-License-Identifier: Apache-2.0 */
/* py_integer.h - the value of an int that fits in 64 bits.
 *
 * Python's own functions for it cost more than recording a sample does; so ints of
 * a few digits are read where they lie, which CPython's headers allow to 3.14. Any
 * other version, and any other int, takes the public function.
 */
#ifndef RLN_PYTHON_INTEGER_H
#define RLN_PYTHON_INTEGER_H

#include "py_native.h"

#if PY_VERSION_HEX < 0x030b0000
#include <longintrepr.h>
#endif

/* The digits of an int, and how many there are, less than 0 of a negative one. */
static inline const digit *rln_py_digits(PyObject *number, Py_ssize_t *n)
{
#if PY_VERSION_HEX >= 0x030f0000
    *n = PY_SSIZE_T_MAX;
    return NULL;
#elif PY_VERSION_HEX >= 0x030c0000
    const PyLongObject *const object = (const PyLongObject *)number;
    const uintptr_t tag = object->long_value.lv_tag; /* digits << 3 | 1 - sign */

    *n = (Py_ssize_t)(tag >> 3) * (1 - (Py_ssize_t)(tag & 3));
    return object->long_value.ob_digit;
#else
    *n = Py_SIZE(number);
    return ((const PyLongObject *)number)->ob_digit;
#endif
}

/* Whether an object is an int of Python itself, and of one digit at most: what most of
 * them are. Small enough to stand in loops. */
static inline bool rln_py_is_digit(PyObject *object, int64_t *out)
{
    const digit *digits;
    Py_ssize_t n;

    if (RLN_PY_UNLIKELY(!PyLong_CheckExact(object)))
        return false;
    digits = rln_py_digits(object, &n);
    if (RLN_PY_UNLIKELY((size_t)n + 1 > 2))
        return false;
    *out = n ? n * (int64_t)digits[0] : 0;
    return true;
}

/* Whether an int (PyLong_Check) fits into *out. Sets no exception. */
static inline bool rln_py_int64(PyObject *number, int64_t *out)
{
    Py_ssize_t n;
    const digit *const digits = rln_py_digits(number, &n);
    int overflow;

    switch (n) {
    case 0:
        *out = 0;
        return true;
    case 1:
        *out = digits[0];
        return true;
    case -1:
        *out = -(int64_t)digits[0];
        return true;
#if PyLong_SHIFT == 30
    case 2:
        *out = (int64_t)digits[1] << PyLong_SHIFT | digits[0];
        return true;
    case 3: /* nanoseconds since 1970, for one */
        if (digits[2] >= 1u << (63 - 2 * PyLong_SHIFT))
            return false;
        *out = (int64_t)digits[2] << 2 * PyLong_SHIFT |
               (int64_t)digits[1] << PyLong_SHIFT | digits[0];
        return true;
#endif
    default:
        *out = PyLong_AsLongLongAndOverflow(number, &overflow);
        return !overflow;
    }
}

/* The same for those that no int64 holds. */
static inline bool rln_py_uint64(PyObject *number, uint64_t *out)
{
    int64_t small;

    if (RLN_PY_LIKELY(rln_py_int64(number, &small))) {
        *out = (uint64_t)small;
        return small >= 0;
    }
    *out = PyLong_AsUnsignedLongLong(number);
    if (RLN_PY_LIKELY(*out != (uint64_t)-1 || !PyErr_Occurred()))
        return true;
    PyErr_Clear();
    return false;
}

#endif
