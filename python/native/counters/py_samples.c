/* SPDX-License-Identifier: Apache-2.0 */
/* py_samples.c - packs ints, floats, tuples and lists as counter samples, and passes
 * all other values to NumPy. */
#include "counters/py_samples.h"

#include "base/py_arguments.h"
#include "base/py_integer.h"

#include <math.h>
#include <string.h>

/* ---- Layouts --------------------------------------------------------------------- */

/* Parses NumPy's name of a number's type, as _schema.py passes it. */
static int code_of(const char *name, uint32_t *code, size_t *size)
{
    static const char *const names[] = {"i1", "u1", "i2", "u2", "i4",
                                        "u4", "i8", "u8", "f4", "f8"};

    for (uint32_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (!strcmp(names[i], name)) {
            *code = i;
            *size = (size_t)(name[1] - '0');
            return 0;
        }
    }
    PyErr_Format(PyExc_SystemError, "_schema.py packs \"%s\"", name);
    return -1;
}

int rln_py_layout_fill(struct rln_py_layout *layout, PyObject *size, PyObject *fields,
                       bool is_group)
{
    const Py_ssize_t n = fields == Py_None ? 0 : PyList_Size(fields);
    size_t n_bytes = 0, field_size;

    layout->size = PyLong_AsSize_t(size);
    layout->is_group = is_group;
    if (PyErr_Occurred())
        return -1;
    layout->fields = PyMem_Calloc((size_t)n + 1, sizeof(*layout->fields));
    if (!layout->fields) {
        PyErr_NoMemory();
        return -1;
    }
    for (; layout->n < n; layout->n++) {
        struct rln_py_field *const field = &layout->fields[layout->n];
        unsigned int offset;
        const char *name;

        if (!PyArg_ParseTuple(PyList_GET_ITEM(fields, layout->n), "Is", &offset,
                              &name) ||
            code_of(name, &field->code, &field_size))
            return -1;
        field->offset = offset;
        n_bytes += field_size;
    }
    layout->has_gaps = n_bytes < layout->size;
    layout->is_dense_group = is_group && layout->n && !layout->has_gaps;
    return 0;
}

void rln_py_layout_clear(struct rln_py_layout *layout)
{
    PyMem_Free(layout->fields);
    memset(layout, 0, sizeof(*layout));
}

/* ---- Packing --------------------------------------------------------------------- */

/* Each stores a value at `out`, which need not be aligned, and returns whether it fits.
 * Most samples are ints of one digit and exact floats in 64-bit fields: these are
 * packed inline, everything else by a call. */

#define PACK_SMALL(name, type, lowest, highest)                                        \
    static bool name(PyObject *value, char *out)                                       \
    {                                                                                  \
        int64_t number;                                                                \
        type narrow;                                                                   \
                                                                                       \
        if (!PyLong_Check(value) || !rln_py_int64(value, &number) ||                   \
            number < lowest || number > highest)                                       \
            return false;                                                              \
        narrow = (type)number;                                                         \
        memcpy(out, &narrow, sizeof(narrow));                                          \
        return true;                                                                   \
    }

PACK_SMALL(pack_i1, int8_t, INT8_MIN, INT8_MAX)
PACK_SMALL(pack_u1, uint8_t, 0, UINT8_MAX)
PACK_SMALL(pack_i2, int16_t, INT16_MIN, INT16_MAX)
PACK_SMALL(pack_u2, uint16_t, 0, UINT16_MAX)
PACK_SMALL(pack_i4, int32_t, INT32_MIN, INT32_MAX)
PACK_SMALL(pack_u4, uint32_t, 0, UINT32_MAX)

RLN_PY_APART static bool pack_any_i8(PyObject *value, char *out)
{
    int64_t number;

    if (!PyLong_Check(value) || !rln_py_int64(value, &number))
        return false;
    memcpy(out, &number, sizeof(number));
    return true;
}

static inline bool pack_i8(PyObject *value, char *out)
{
    int64_t number;

    if (RLN_PY_UNLIKELY(!rln_py_is_digit(value, &number)))
        return pack_any_i8(value, out);
    memcpy(out, &number, sizeof(number));
    return true;
}

static bool pack_u8(PyObject *value, char *out)
{
    uint64_t number;

    if (!PyLong_Check(value) || !rln_py_uint64(value, &number))
        return false;
    memcpy(out, &number, sizeof(number));
    return true;
}

static bool take_double(PyObject *value, double *out)
{
    if (RLN_PY_LIKELY(PyFloat_Check(value))) {
        *out = PyFloat_AS_DOUBLE(value);
        return true;
    }
    if (!PyLong_Check(value))
        return false;
    *out = PyLong_AsDouble(value);
    if (RLN_PY_LIKELY(*out != -1.0 || !PyErr_Occurred()))
        return true;
    PyErr_Clear();
    return false;
}

RLN_PY_APART static bool pack_any_f8(PyObject *value, char *out)
{
    double number;

    if (!take_double(value, &number))
        return false;
    memcpy(out, &number, sizeof(number));
    return true;
}

static inline bool pack_f8(PyObject *value, char *out)
{
    double number;

    if (RLN_PY_UNLIKELY(!PyFloat_CheckExact(value)))
        return pack_any_f8(value, out);
    number = PyFloat_AS_DOUBLE(value);
    memcpy(out, &number, sizeof(number));
    return true;
}

/* Refuses values that are too large, because NumPy warns about them. */
static bool pack_f4(PyObject *value, char *out)
{
    double number;
    float narrow;

    if (!take_double(value, &number))
        return false;
    narrow = (float)number;
    memcpy(out, &narrow, sizeof(narrow));
    return isfinite(narrow) || !isfinite(number);
}

RLN_PY_APART static bool pack_narrow(enum rln_py_code code, PyObject *value, char *out)
{
    switch (code) {
    case RLN_PY_I1:
        return pack_i1(value, out);
    case RLN_PY_U1:
        return pack_u1(value, out);
    case RLN_PY_I2:
        return pack_i2(value, out);
    case RLN_PY_U2:
        return pack_u2(value, out);
    case RLN_PY_I4:
        return pack_i4(value, out);
    case RLN_PY_U4:
        return pack_u4(value, out);
    case RLN_PY_I8:
        return pack_i8(value, out);
    case RLN_PY_U8:
        return pack_u8(value, out);
    case RLN_PY_F4:
        return pack_f4(value, out);
    case RLN_PY_F8:
        return pack_f8(value, out);
    }
    return false;
}

static inline bool pack_field(const struct rln_py_field *field, PyObject *value,
                              char *sample)
{
    char *const out = sample + field->offset;

    if (field->code == RLN_PY_I8)
        return pack_i8(value, out);
    if (field->code == RLN_PY_F8)
        return pack_f8(value, out);
    return pack_narrow((enum rln_py_code)field->code, value, out);
}

static inline bool pack_group(const struct rln_py_layout *layout, PyObject *value,
                              char *out)
{
    const struct rln_py_field *field = layout->fields;
    const struct rln_py_field *const end = field + layout->n;
    PyObject *const *item;

    if (RLN_PY_UNLIKELY(!PyTuple_Check(value) || PyTuple_GET_SIZE(value) != layout->n))
        return false;
    item = &PyTuple_GET_ITEM(value, 0);
    for (; field < end; field++, item++) {
        if (RLN_PY_UNLIKELY(!pack_field(field, *item, out)))
            return false;
    }
    return true;
}

RLN_PY_APART static bool pack_any(const struct rln_py_layout *layout, PyObject *value,
                                  char *out)
{
    if (!layout->n)
        return false;
    if (layout->has_gaps)
        memset(out, 0, layout->size);
    return layout->is_group ? pack_group(layout, value, out)
                            : pack_field(layout->fields, value, out);
}

bool rln_py_pack(const struct rln_py_layout *layout, PyObject *value, char *out)
{
    return RLN_PY_LIKELY(layout->is_dense_group) ? pack_group(layout, value, out)
                                                 : pack_any(layout, value, out);
}

/* ---- By NumPy -------------------------------------------------------------------- */

/* Puts the parameter's name before an exception's text. */
static void name_parameter(const char *parameter)
{
    PyObject *type, *value, *traceback;

    if (!PyErr_ExceptionMatches(PyExc_TypeError) &&
        !PyErr_ExceptionMatches(PyExc_ValueError) &&
        !PyErr_ExceptionMatches(PyExc_OverflowError))
        return;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyErr_Format(
        PyErr_GivenExceptionMatches(type, PyExc_OverflowError) ? PyExc_OverflowError
        : PyErr_GivenExceptionMatches(type, PyExc_ValueError)  ? PyExc_ValueError
                                                               : PyExc_TypeError,
        "%s: %S", parameter, value);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
}

/* numpy.ascontiguousarray(values, dtype): no copy if no conversion is needed. */
static int convert(PyObject *values, PyObject *dtype, size_t sample_size,
                   const char *parameter, struct rln_py_samples *out)
{
    out->array = rln_py_numpy_call("ascontiguousarray", values, dtype);
    if (!out->array || rln_py_elements_of(out->array, &out->elements)) {
        name_parameter(parameter);
        return -1;
    }
    out->address = out->elements.address;
    out->n_bytes = out->elements.n_bytes;
    out->n = sample_size ? out->n_bytes / sample_size : 0;
    return 0;
}

void rln_py_samples_clear(struct rln_py_samples *samples)
{
    rln_py_elements_clear(&samples->elements);
    Py_CLEAR(samples->array);
    PyMem_Free(samples->copy);
    samples->copy = NULL;
}

static char *allocate(struct rln_py_samples *out, size_t n, size_t size)
{
    out->copy = PyMem_Malloc(n && size > SIZE_MAX / n ? SIZE_MAX : n * size);
    if (!out->copy)
        PyErr_NoMemory();
    out->address = out->copy;
    out->n = n;
    out->n_bytes = n * size;
    return out->copy;
}

/* The items of an iterable, as a list or tuple that no other thread changes meanwhile.
 */
static PyObject *items_of(PyObject *values)
{
#ifdef Py_GIL_DISABLED
    return PySequence_Tuple(values);
#else
    return PySequence_Fast(values, "not iterable");
#endif
}

/* ---- Numbers --------------------------------------------------------------------- */

/* Borrows an array of exactly this type, of NumPy or not: 1, or 0 without an exception.
 */
static int borrow_numbers(PyObject *values, enum rln_py_code code,
                          struct rln_py_samples *out)
{
    struct rln_py_elements *const elements = &out->elements;
    const char *format;
    bool is_same;

    if (!PyObject_CheckBuffer(values))
        return 0;
    if (PyObject_GetBuffer(values, &elements->view,
                           PyBUF_C_CONTIGUOUS | PyBUF_FORMAT)) {
        PyErr_Clear();
        memset(&elements->view, 0, sizeof(elements->view));
        return 0;
    }
    format = elements->view.format ? elements->view.format : "B";
    is_same = format[0] && !format[1] && elements->view.itemsize == 8 &&
              strchr(code == RLN_PY_F8 ? "d" : "lq", format[0]);
    if (!is_same) {
        PyBuffer_Release(&elements->view);
        return 0;
    }
    out->address = elements->view.buf;
    out->n_bytes = (size_t)elements->view.len;
    out->n = out->n_bytes / 8;
    return 1;
}

/* Without NumPy: packs anything that Python converts to such a number. */
static bool pack_any_number(enum rln_py_code code, PyObject *value, char *out)
{
    PyObject *const number =
        code == RLN_PY_F8 ? PyNumber_Float(value) : PyNumber_Index(value);
    const bool is_packed =
        number && (code == RLN_PY_F8 ? pack_f8(number, out) : pack_i8(number, out));

    if (number && !is_packed)
        PyErr_SetString(PyExc_OverflowError, "int too large for 64 bits");
    Py_XDECREF(number);
    return is_packed;
}

/* Like pack_numbers(), for anything that Python converts to numbers. Works on a copy,
 * because the conversions run Python code, which may change a list. */
static int pack_by_python(PyObject *sequence, enum rln_py_code code,
                          const char *parameter, struct rln_py_samples *out)
{
    PyObject *const items = PySequence_Tuple(sequence);
    const Py_ssize_t n = items ? PyTuple_GET_SIZE(items) : 0;
    char *room;

    rln_py_samples_clear(out);
    room = items ? allocate(out, (size_t)n, 8) : NULL;
    for (Py_ssize_t i = 0; room && i < n; i++) {
        if (!pack_any_number(code, PyTuple_GET_ITEM(items, i), room + 8 * i)) {
            name_parameter(parameter);
            room = NULL;
        }
    }
    Py_XDECREF(items);
    return room ? 1 : -1;
}

/* Packs items up to the first that does not fit; returns their number. */
static Py_ssize_t pack_items(PyObject *const *items, Py_ssize_t n,
                             enum rln_py_code code, char *room)
{
    Py_ssize_t i = 0;

    if (code == RLN_PY_F8) {
        while (i < n && pack_f8(items[i], room + 8 * i))
            i++;
    } else {
        while (i < n && pack_i8(items[i], room + 8 * i))
            i++;
    }
    return i;
}

/* Packs a list or tuple: 1, 0 to leave it to NumPy, -1 with an exception. */
static int pack_numbers(struct native_state *state, PyObject *sequence,
                        enum rln_py_code code, const char *parameter,
                        struct rln_py_samples *out)
{
    const Py_ssize_t n = PySequence_Fast_GET_SIZE(sequence);
    char *const room = allocate(out, (size_t)n, 8);
    int found;

    if (!room)
        return -1;
    if (pack_items(PySequence_Fast_ITEMS(sequence), n, code, room) == n)
        return 1;
    found = rln_py_numpy_find(state, true);
    if (found)
        return found < 0 ? -1 : 0;
    return pack_by_python(sequence, code, parameter, out);
}

/* Whether NumPy must determine the items. */
static bool is_for_numpy(PyObject *values)
{
    if (PyList_Check(values) || PyTuple_Check(values))
        return false;
    return PyObject_CheckBuffer(values) || PyUnicode_Check(values) ||
           PyObject_HasAttrString(values, "__array__");
}

/* 1, 0 to leave *values, which may be replaced by a list of them, to NumPy, or -1 with
 * an exception. */
static int iterate_numbers(struct native_state *state, PyObject **values,
                           enum rln_py_code code, const char *parameter,
                           struct rln_py_samples *out)
{
    PyObject *const items = items_of(*values);
    int found;

    if (items) {
        Py_SETREF(*values, items);
        return pack_numbers(state, items, code, parameter, out);
    }
    if (!PyErr_ExceptionMatches(PyExc_TypeError))
        return -1;
    PyErr_Clear();
    found = rln_py_numpy_find(state, true);
    if (found == 0)
        rln_py_wrong_type(parameter, "an array or iterable of numbers", *values);
    return found == 1 ? 0 : -1;
}

int rln_py_numbers_of(struct native_state *state, PyObject *values,
                      enum rln_py_code code, const char *parameter,
                      struct rln_py_samples *out)
{
    PyObject *dtype;
    int result = 0;

    memset(out, 0, sizeof(*out));
    if (borrow_numbers(values, code, out))
        return 0;
    Py_INCREF(values);
    if (!is_for_numpy(values))
        result = iterate_numbers(state, &values, code, parameter, out);
    if (result == 0) {
        rln_py_samples_clear(out);
        dtype = PyUnicode_FromString(code == RLN_PY_F8 ? "f8" : "i8");
        result = dtype ? convert(values, dtype, 8, parameter, out) : -1;
        Py_XDECREF(dtype);
    }
    Py_DECREF(values);
    if (result < 0)
        rln_py_samples_clear(out);
    return result < 0 ? -1 : 0;
}

/* ---- Rows ------------------------------------------------------------------------ */

/* Whether `values` is a sequence of samples. To NumPy, a tuple is a single sample of a
 * group; but a tuple of tuples cannot be one, because groups are flat. */
static bool is_list_of_rows(const struct rln_py_layout *layout, PyObject *values)
{
    if (PyList_Check(values))
        return true;
    return PyTuple_Check(values) &&
           (!layout->is_group ||
            (PyTuple_GET_SIZE(values) && PyTuple_Check(PyTuple_GET_ITEM(values, 0))));
}

/* 1, 0 to leave it to NumPy, -1 with an exception. */
static int pack_rows(const struct rln_py_layout *layout, PyObject *values,
                     struct rln_py_samples *out)
{
    PyObject *const rows = layout->n ? items_of(values) : NULL;
    const Py_ssize_t n = rows ? PySequence_Fast_GET_SIZE(rows) : 0;
    PyObject *const *const items = rows ? PySequence_Fast_ITEMS(rows) : NULL;
    char *room = rows ? allocate(out, (size_t)n, layout->size) : NULL;
    Py_ssize_t i = 0;

    for (; room && i < n && rln_py_pack(layout, items[i], room); i++)
        room += layout->size;
    Py_XDECREF(rows);
    return PyErr_Occurred() ? -1 : room && i == n;
}

/* Whether the elements of a buffer are of the dtype. */
static bool has_dtype(struct native_state *state, PyObject *values, PyObject *dtype)
{
    PyObject *const own = PyObject_GetAttr(values, state->keywords[RLN_PY_DTYPE]);
    const bool is_same =
        own == dtype || (own && Py_TYPE(own) == Py_TYPE(dtype) &&
                         PyObject_RichCompareBool(own, dtype, Py_EQ) == 1);

    Py_XDECREF(own);
    return is_same;
}

/* Borrows an array of exactly this dtype, or an element of one: 1, or 0 without an
 * exception. NumPy would give the same result, but takes much longer. */
static int borrow_rows(struct native_state *state, const struct rln_py_layout *layout,
                       PyObject *dtype, PyObject *values, struct rln_py_samples *out)
{
    Py_buffer *const view = &out->elements.view;

    if (!PyObject_CheckBuffer(values))
        return 0;
    if (!has_dtype(state, values, dtype) ||
        PyObject_GetBuffer(values, view, PyBUF_SIMPLE)) {
        PyErr_Clear();
        memset(view, 0, sizeof(*view));
        return 0;
    }
    out->address = view->buf;
    out->n_bytes = (size_t)view->len;
    out->n = layout->size ? out->n_bytes / layout->size : 0;
    return 1;
}

int rln_py_rows_of(const struct rln_py_layout *layout, PyObject *dtype,
                   PyObject *values, struct rln_py_samples *out)
{
    PyObject *rows;
    int result = 0;

    memset(out, 0, sizeof(*out));
    if (PyIter_Check(values) || is_list_of_rows(layout, values)) {
        rows = PyList_Check(values) ? Py_NewRef(values) : PySequence_List(values);
        if (!rows)
            return -1;
        result = pack_rows(layout, rows, out);
    } else {
        rows = Py_NewRef(values);
    }
    if (result == 0) {
        rln_py_samples_clear(out);
        result = convert(rows, dtype, layout->size, "values", out);
    }
    Py_DECREF(rows);
    if (result < 0)
        rln_py_samples_clear(out);
    return result < 0 ? -1 : 0;
}

int rln_py_row_of(struct native_state *state, const struct rln_py_layout *layout,
                  PyObject *dtype, PyObject *value, struct rln_py_samples *out)
{
    memset(out, 0, sizeof(*out));
    if (!borrow_rows(state, layout, dtype, value, out) &&
        convert(value, dtype, layout->size, "value", out)) {
        rln_py_samples_clear(out);
        return -1;
    }
    if (out->n == 1)
        return 0;
    PyErr_Format(PyExc_ValueError,
                 "value must be one sample of dtype %S, not %zu samples; "
                 "batch_submit() takes several",
                 dtype, out->n);
    rln_py_samples_clear(out);
    return -1;
}
