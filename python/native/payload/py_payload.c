/* SPDX-License-Identifier: Apache-2.0 */
/* py_payload.c - converts each type of Python value to its type of payload. */
#include "payload/py_payload.h"

#include "base/py_arguments.h"
#include "base/py_integer.h"
#include "base/py_numpy.h"
#include "domain/py_domain.h"
#include "payload/py_schema.h"

#include <string.h>

void rln_py_payload_clear(struct rln_py_payload *payload)
{
    PyMem_Free(payload->bytes);
    memset(payload, 0, sizeof(*payload));
}

/* ---- Numbers --------------------------------------------------------------------- */

int rln_py_payload_of_int(PyObject *number, int32_t *type, uint64_t *value)
{
    int64_t small;

    if (RLN_PY_LIKELY(rln_py_int64(number, &small))) {
        *type = NVTX_PAYLOAD_TYPE_INT64;
        *value = (uint64_t)small;
        return 0;
    }
    *type = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
    if (rln_py_uint64(number, value))
        return 0;
    *type = NVTX_PAYLOAD_UNKNOWN;
    *value = 0;
    rln_py_out_of_range("payload", "from -2**63 to 2**64 - 1", number);
    return -1;
}

static int set_double(struct rln_py_payload *payload, PyObject *number)
{
    const double value = PyFloat_AsDouble(number);

    if (value == -1.0 && PyErr_Occurred())
        return -1;
    payload->type = NVTX_PAYLOAD_TYPE_DOUBLE;
    memcpy(&payload->value, &value, sizeof(value));
    return 0;
}

/* ---- Arrays and structs ---------------------------------------------------------- */

/* Copies the elements, preceded by their number if it is an array. */
static int set_bytes(struct rln_py_payload *payload,
                     const struct rln_py_elements *elements,
                     const struct rln_py_schema *schema)
{
    const uint64_t n = elements->n;
    const size_t head = schema->has_length ? sizeof(n) : 0;
    char *const bytes = elements->n_bytes <= (size_t)PY_SSIZE_T_MAX - head
                            ? PyMem_Malloc(head + elements->n_bytes)
                            : NULL;

    if (!bytes) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(bytes, &n, head);
    memcpy(bytes + head, elements->address, elements->n_bytes);
    payload->bytes = bytes;
    payload->data.schemaId = schema->id;
    payload->data.size = head + elements->n_bytes;
    payload->data.payload = bytes;
    payload->type = NVTX_PAYLOAD_TYPE_EXT;
    payload->n_data = 1;
    payload->value = NVTX_POINTER_AS_PAYLOAD_ULLVALUE(&payload->data);
    return 0;
}

/* Sets the elements, after converting them to our byte order. */
static int set_elements(struct rln_py_payload *payload, PyObject *array,
                        const struct rln_py_elements *elements,
                        const struct rln_py_schema *schema)
{
    struct rln_py_elements converted;
    PyObject *native;
    int failed;

    if (!schema->native)
        return set_bytes(payload, elements, schema);
    native = PyObject_CallMethod(array, "astype", "O", schema->native);
    if (!native)
        return -1;
    failed = rln_py_elements_of(native, &converted);
    if (!failed) {
        failed = set_bytes(payload, &converted, schema);
        rln_py_elements_clear(&converted);
    }
    Py_DECREF(native);
    return failed;
}

/* An array without elements is no payload. */
static int set_array(struct rln_py_payload *payload, struct domain_object *domain,
                     PyObject *array)
{
    struct rln_py_elements elements;
    struct rln_py_schema schema;
    PyObject *dtype = NULL;
    int failed = 0;

    if (rln_py_elements_of(array, &elements))
        return -1;
    if (elements.n_bytes) {
        dtype = PyObject_GetAttrString(array, "dtype");
        failed = !dtype || rln_py_schema_of_payload(domain, dtype,
                                                    elements.n_dimensions > 0, &schema);
        if (!failed) {
            failed = set_elements(payload, array, &elements, &schema);
            Py_XDECREF(schema.native);
        }
    }
    Py_XDECREF(dtype);
    rln_py_elements_clear(&elements);
    return failed ? -1 : 0;
}

/* Sets the payload to the result of numpy.FUNCTION(value). */
static int set_converted(struct rln_py_payload *payload, struct domain_object *domain,
                         PyObject *value, const char *function)
{
    PyObject *const array = rln_py_numpy_call(function, value, NULL);
    const int failed = !array || set_array(payload, domain, array);

    Py_XDECREF(array);
    return failed ? -1 : 0;
}

/* NumPy's numbers are numbers; its texts, structs and times are arrays of no dimension.
 */
static int set_numpy_scalar(struct rln_py_payload *payload,
                            struct domain_object *domain, PyObject *value)
{
    PyObject *const dtype = PyObject_GetAttrString(value, "dtype");
    PyObject *const kind = dtype ? PyObject_GetAttrString(dtype, "kind") : NULL;
    const Py_UCS4 letter =
        kind && PyUnicode_GetLength(kind) == 1 ? PyUnicode_ReadChar(kind, 0) : 0;
    PyObject *number;
    int failed;

    Py_XDECREF(kind);
    Py_XDECREF(dtype);
    if (PyErr_Occurred())
        return -1;
    if (letter == 'f')
        return set_double(payload, value);
    if (letter != 'b' && letter != 'i' && letter != 'u')
        return set_converted(payload, domain, value, "asarray");
    number = PyNumber_Long(value);
    failed = !number || rln_py_payload_of_int(number, &payload->type, &payload->value);
    Py_XDECREF(number);
    return failed ? -1 : 0;
}

/* ---- Anything -------------------------------------------------------------------- */

static int warn_of(PyObject *value, const char *way_out)
{
    PyObject *const category = rln_py_import("rangeline.nvtx._warning", "NvtxWarning");
    int failed = -1;

    if (category)
        failed = PyErr_WarnFormat(category, 1, "unsupported payload type: %.100s%s",
                                  Py_TYPE(value)->tp_name, way_out);
    Py_XDECREF(category);
    return failed;
}

static bool is_sequence(PyObject *value)
{
    return PyList_Check(value) || PyTuple_Check(value) || PyBytes_Check(value) ||
           PyRange_Check(value);
}

static bool converts_itself(PyObject *value)
{
    return PyObject_CheckBuffer(value) || PyObject_HasAttrString(value, "__array__");
}

static int set_other(struct rln_py_payload *payload, struct domain_object *domain,
                     PyObject *value)
{
    struct native_state *const state = domain->state;
    int found = rln_py_numpy_find(state, false);

    if (found < 0)
        return -1;
    if (rln_py_is_array(state, value))
        return set_array(payload, domain, value);
    if (rln_py_is_numpy_scalar(state, value))
        return set_numpy_scalar(payload, domain, value);
    if (!is_sequence(value) && !converts_itself(value))
        return warn_of(value, "");
    found = rln_py_numpy_find(state, true);
    if (found < 0)
        return -1;
    if (!found)
        return warn_of(value, ". Install numpy for extended payload support.");
    /* NumPy treats bytes as text, and would treat a buffer as an array of bytes. */
    return set_converted(payload, domain, value,
                         is_sequence(value) ? "array" : "asarray");
}

int rln_py_payload_set(struct rln_py_payload *payload, struct domain_object *domain,
                       PyObject *value)
{
    rln_py_payload_clear(payload);
    if (PyFloat_Check(value))
        return set_double(payload, value);
    if (rln_py_is_array(domain->state, value))
        return set_array(payload, domain, value);
    return set_other(payload, domain, value);
}
