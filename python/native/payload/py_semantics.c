/* SPDX-License-Identifier: Apache-2.0 */
/* py_semantics.c - reads the attributes of a CounterSemantics into NVTX's struct. */
#include "payload/py_semantics.h"

#include <string.h>

static int get_u64(PyObject *object, const char *name, uint64_t *out)
{
    PyObject *const number = PyObject_GetAttrString(object, name);

    *out = number ? PyLong_AsUnsignedLongLong(number) : 0;
    Py_XDECREF(number);
    return PyErr_Occurred() ? -1 : 0;
}

/* The number behind a member of an enumeration. */
static int get_enum(PyObject *object, const char *name, uint64_t *out)
{
    PyObject *const member = PyObject_GetAttrString(object, name);
    const int failed = !member || get_u64(member, "value", out);

    Py_XDECREF(member);
    return failed ? -1 : 0;
}

static int convert_limit(PyObject *limit, int64_t type, nvtxCounterLimit_t *out)
{
    if (type == NVTX_COUNTER_LIMIT_F64)
        out->f64 = PyFloat_AsDouble(limit);
    else if (type == NVTX_COUNTER_LIMIT_U64)
        out->u64 = PyLong_AsUnsignedLongLong(limit);
    else
        out->i64 = PyLong_AsLongLong(limit);
    return PyErr_Occurred() ? -1 : 0;
}

/* Sets `flag` if there is a limit. */
static int fill_limit(nvtxSemanticsCounter_t *out, PyObject *semantics,
                      const char *name, uint64_t flag, nvtxCounterLimit_t *limit)
{
    PyObject *const value = PyObject_GetAttrString(semantics, name);
    int failed = !value;

    if (value && value != Py_None) {
        failed = convert_limit(value, out->limitType, limit);
        out->flags |= flag;
    }
    Py_XDECREF(value);
    return failed ? -1 : 0;
}

/* Borrows the text: `semantics` is frozen, and keeps its attributes alive. */
static int fill_unit(nvtxSemanticsCounter_t *out, PyObject *semantics)
{
    PyObject *const unit = PyObject_GetAttrString(semantics, "unit");

    if (unit && unit != Py_None)
        out->unit = PyBytes_AsString(unit);
    Py_XDECREF(unit);
    return PyErr_Occurred() ? -1 : 0;
}

int rln_py_semantics_fill(nvtxSemanticsCounter_t *out, PyObject *semantics)
{
    uint64_t value_type, interpolation, limit_type;

    memset(out, 0, sizeof(*out));
    out->header.structSize = sizeof(*out);
    out->header.semanticId = NVTX_SEMANTIC_ID_COUNTERS_V1;
    out->header.version = NVTX_COUNTER_SEMANTIC_VERSION;
    if (get_enum(semantics, "value_type", &value_type) ||
        get_enum(semantics, "interpolation", &interpolation) ||
        get_u64(semantics, "_limit_type", &limit_type) ||
        get_u64(semantics, "unit_scale_numerator", &out->unitScaleNumerator) ||
        get_u64(semantics, "unit_scale_denominator", &out->unitScaleDenominator) ||
        fill_unit(out, semantics))
        return -1;
    out->flags = value_type | interpolation;
    out->limitType = (int64_t)limit_type;
    if (fill_limit(out, semantics, "min", NVTX_COUNTER_FLAG_LIMIT_MIN, &out->min) ||
        fill_limit(out, semantics, "max", NVTX_COUNTER_FLAG_LIMIT_MAX, &out->max))
        return -1;
    return 0;
}
