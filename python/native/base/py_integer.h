/* SPDX-License-Identifier: Apache-2.0 */
/* py_integer.h - reads the value of an int that fits in 64 bits.
 *
 * Python's own functions for this cost more than recording a sample, so ints of a few
 * digits are read in place, which CPython's headers allow up to 3.14. Other versions
 * and other ints use the public function.
 */
#ifndef RLN_PYTHON_INTEGER_H
#define RLN_PYTHON_INTEGER_H

#include "base/py_native.h"

#if PY_VERSION_HEX < 0x030b0000
#include <longintrepr.h>
#endif

/* The digits of an int; *n is their number, negative for a negative int. */
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

/* Whether an object is exactly an int, of at most one digit, as most are. Small enough
 * to be inlined in loops. */
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
    case 3: /* such as nanoseconds since 1970 */
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

/* The same for ints too large for int64. */
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
