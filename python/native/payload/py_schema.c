/* SPDX-License-Identifier: Apache-2.0 */
/* py_schema.c - registers the schemas of dtypes and caches their ids per domain. */
#include "payload/py_schema.h"

#include "base/py_arguments.h"
#include "payload/py_semantics.h"

#include <nvtx3/nvToolsExtPayload.h>

/* The description of a schema for the tool. */
struct description {
    nvtxPayloadSchemaEntry_t *entries;
    nvtxSemanticsCounter_t *semantics; /* one for each entry */
    Py_ssize_t n;
};

static void description_clear(struct description *d)
{
    PyMem_Free(d->entries);
    PyMem_Free(d->semantics);
}

static int fill_entry(struct description *d, Py_ssize_t i, PyObject *tuple)
{
    nvtxPayloadSchemaEntry_t *const entry = &d->entries[i];
    unsigned long long type, flags, detail, offset;
    PyObject *semantics;

    if (!PyArg_ParseTuple(tuple, "zKKKKO", &entry->name, &type, &flags, &detail,
                          &offset, &semantics)) {
        rln_py_name_surrogates("a field's name");
        return -1;
    }
    entry->type = type;
    entry->flags = flags;
    entry->arrayOrUnionDetail = detail;
    entry->offset = offset;
    if (semantics == Py_None)
        return 0;
    entry->semantics = &d->semantics[i].header;
    return rln_py_semantics_fill(&d->semantics[i], semantics);
}

static int description_fill(struct description *d, PyObject *list)
{
    d->n = PyList_GET_SIZE(list);
    d->entries = PyMem_Calloc((size_t)d->n + 1, sizeof(*d->entries));
    d->semantics = PyMem_Calloc((size_t)d->n + 1, sizeof(*d->semantics));
    if (!d->entries || !d->semantics) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < d->n; i++) {
        if (fill_entry(d, i, PyList_GET_ITEM(list, i)))
            return -1;
    }
    return 0;
}

/* register(kind, flags, size, entries) of _schema.py. */
static PyObject *register_schema(PyObject *self, PyObject *args)
{
    const struct domain_object *const domain = (const struct domain_object *)self;
    nvtxPayloadSchemaAttr_t schema = {
        .fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES,
    };
    struct description d = {0};
    unsigned long long kind, flags, size;
    PyObject *entries, *id = NULL;

    if (!PyArg_ParseTuple(args, "KKKO!:register", &kind, &flags, &size, &PyList_Type,
                          &entries))
        return NULL;
    if (!description_fill(&d, entries)) {
        schema.type = kind;
        schema.flags = flags;
        schema.payloadStaticSize = (size_t)size;
        schema.entries = d.entries;
        schema.numEntries = (size_t)d.n;
        if (flags)
            schema.fieldMask |= NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS;
        if (size)
            schema.fieldMask |= NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
        id = PyLong_FromUnsignedLongLong(
            nvtxPayloadSchemaRegister(domain->handle, &schema));
    }
    description_clear(&d);
    return id;
}

static PyMethodDef register_definition = {"register", register_schema, METH_VARARGS,
                                          "Registers a schema with the tool."};

/* The dictionary of _schema.py: borrowed, or NULL with an exception. */
static PyObject *known_schemas(struct domain_object *domain)
{
    PyObject *const key = PyUnicode_InternFromString("known");
    PyObject *const fresh = PyDict_New();
    PyObject *known = NULL;

    /* All threads get the same one, which is never removed. */
    if (key && fresh)
        known = PyDict_SetDefault(domain->schemas, key, fresh);
    Py_XDECREF(key);
    Py_XDECREF(fresh);
    return known;
}

PyObject *rln_py_schema_describe(struct domain_object *domain, const char *function,
                                 PyObject *dtype)
{
    PyObject *const known = known_schemas(domain);
    PyObject *const describe =
        known ? rln_py_import("rangeline.nvtx._schema", function) : NULL;
    PyObject *const registrar =
        describe ? PyCFunction_New(&register_definition, (PyObject *)domain) : NULL;
    PyObject *result = NULL;

    if (registrar)
        result = PyObject_CallFunctionObjArgs(describe, registrar, known, dtype, NULL);
    Py_XDECREF(registrar);
    Py_XDECREF(describe);
    return result;
}

/* (dtype, schema, native dtype): a new reference, or NULL with an exception. The tuple
 * owns the dtype, so that no other object can have its address. */
static PyObject *describe_payload(struct domain_object *domain, PyObject *dtype,
                                  bool is_array, PyObject *key)
{
    PyObject *const found =
        rln_py_schema_describe(domain, is_array ? "of_array" : "of_element", dtype);
    PyObject *row = NULL;

    if (!found)
        return NULL;
    if (PyTuple_Check(found) && PyTuple_GET_SIZE(found) == 2)
        row = PyTuple_Pack(3, dtype, PyTuple_GET_ITEM(found, 0),
                           PyTuple_GET_ITEM(found, 1));
    else
        PyErr_SetString(PyExc_SystemError, "_schema.py has changed");
    Py_DECREF(found);
    if (row && PyDict_Size(domain->schemas) < RLN_PY_MAX_DTYPES &&
        PyDict_SetItem(domain->schemas, key, row))
        Py_CLEAR(row);
    return row;
}

int rln_py_schema_of_payload(struct domain_object *domain, PyObject *dtype,
                             bool is_array, struct rln_py_schema *out)
{
    PyObject *const key = PyLong_FromVoidPtr((char *)dtype + is_array);
    PyObject *row = key ? PyDict_GetItemWithError(domain->schemas, key) : NULL;

    /* Rows are never removed, so a borrowed one stays valid. */
    Py_XINCREF(row);
    if (!row && !PyErr_Occurred())
        row = describe_payload(domain, dtype, is_array, key);
    Py_XDECREF(key);
    if (!row)
        return -1;
    out->id = PyLong_AsUnsignedLongLong(PyTuple_GET_ITEM(row, 1));
    out->has_length = is_array && out->id != NVTX_TYPE_PAYLOAD_SCHEMA_RAW;
    out->native = PyTuple_GET_ITEM(row, 2);
    if (out->native == dtype)
        out->native = NULL;
    Py_XINCREF(out->native);
    Py_DECREF(row);
    return PyErr_Occurred() ? -1 : 0;
}
