/* SPDX-License-Identifier: Apache-2.0 */
/* py_domain_counters.c - creates a domain's counters and finds them again.
 * rangeline/nvtx/_counters.py checks the arguments. */
#include "counters/py_domain_counters.h"

#include "base/py_arguments.h"
#include "counters/py_counter.h"
#include "payload/py_schema.h"
#include "payload/py_semantics.h"

#include <nvtx3/nvToolsExtSemanticsTime.h>

/* The row that _counters.get_counter() returns. */
enum { KEY, NAME, DTYPE, DESCRIPTION, SCOPE, SEMANTICS, TIME_DOMAIN, N_COLUMNS };

/* A new reference, or NULL with an exception. */
static PyObject *check_arguments(PyObject *const *args, Py_ssize_t n_args,
                                 PyObject *keywords)
{
    PyObject *const function = rln_py_import("rangeline.nvtx._counters", "get_counter");
    PyObject *row = NULL;

    if (function)
        row = PyObject_Vectorcall(function, args, (size_t)n_args, keywords);
    if (row && (!PyTuple_Check(row) || PyTuple_GET_SIZE(row) != N_COLUMNS)) {
        PyErr_SetString(PyExc_SystemError, "_counters.get_counter() has changed");
        Py_CLEAR(row);
    }
    Py_XDECREF(function);
    return row;
}

/* ---- Registering ----------------------------------------------------------------- */

/* The id of a path below the root, registered once: 0, or -1 with an exception. */
static int register_scope(struct domain_object *domain, PyObject *path, uint64_t *id)
{
    nvtxScopeAttr_t scope = {
        .structSize = sizeof(scope),
        .path = rln_py_text(path, "scope"),
        .parentScope = NVTX_SCOPE_NONE,
    };
    PyObject *const key =
        scope.path ? Py_BuildValue("(sN)", "scope", rln_py_text_key(path)) : NULL;
    PyObject *known = NULL;

    if (!key)
        return -1;
    /* No other thread may register the path meanwhile. */
    Py_BEGIN_CRITICAL_SECTION(domain);
    known = PyDict_GetItemWithError(domain->counters, key);
    Py_XINCREF(known);
    if (!known && !PyErr_Occurred()) {
        known = PyLong_FromUnsignedLongLong(nvtxScopeRegister(domain->handle, &scope));
        if (known && PyDict_SetItem(domain->counters, key, known))
            Py_CLEAR(known);
    }
    Py_END_CRITICAL_SECTION();
    Py_DECREF(key);
    if (!known)
        return -1;
    *id = PyLong_AsUnsignedLongLong(known);
    Py_DECREF(known);
    return 0;
}

/* None, a path, or a PredefinedScope. */
static int find_scope(struct domain_object *domain, PyObject *scope, uint64_t *id)
{
    PyObject *number;

    *id = NVTX_SCOPE_NONE;
    if (scope == Py_None)
        return 0;
    if (PyUnicode_Check(scope) || PyBytes_Check(scope))
        return register_scope(domain, scope, id);
    number = PyObject_GetAttrString(scope, "value");
    if (number)
        *id = PyLong_AsUnsignedLongLong(number);
    Py_XDECREF(number);
    return PyErr_Occurred() ? -1 : 0;
}

/* The type of samples and, for an ExtCounter, their layout. */
static int find_schema(struct counter_object *counter, uint64_t *id)
{
    PyObject *found, *size, *fields;
    unsigned long long schema;
    int is_group, has_time, failed = -1;

    if (PyType_Check(counter->dtype)) {
        *id = Py_TYPE(counter) == counter->domain->state->int64_counter_type
                  ? NVTX_PAYLOAD_ENTRY_TYPE_INT64
                  : NVTX_PAYLOAD_ENTRY_TYPE_FLOAT64;
        return 0;
    }
    found = rln_py_schema_describe(counter->domain, "of_counter", counter->dtype);
    if (found && PyArg_ParseTuple(found, "KOOpp", &schema, &size, &fields, &is_group,
                                  &has_time)) {
        failed = rln_py_layout_fill(&counter->layout, size, fields, is_group);
        counter->layout.has_time = has_time;
        *id = schema;
    }
    Py_XDECREF(found);
    return failed;
}

static int register_counter(struct counter_object *counter)
{
    nvtxSemanticsTime_t time = {
        .header = {sizeof(time), NVTX_SEMANTIC_ID_TIME_V1, NVTX_TIME_SEMANTIC_VERSION,
                   NULL},
        .timeDomainId = counter->time_domain,
    };
    nvtxCounterAttr_t attributes = {
        .structSize = sizeof(attributes),
        .semantics = &time.header,
        .counterId = NVTX_COUNTER_ID_NONE,
    };
    nvtxSemanticsCounter_t semantics;

    attributes.name = rln_py_text(counter->name, "name");
    if (!attributes.name)
        return -1;
    if (counter->description != Py_None) {
        attributes.description = rln_py_text(counter->description, "description");
        if (!attributes.description)
            return -1;
    }
    if (counter->semantics != Py_None) {
        if (rln_py_semantics_fill(&semantics, counter->semantics))
            return -1;
        time.header.next = &semantics.header;
    }
    if (find_schema(counter, &attributes.schemaId) ||
        find_scope(counter->domain, counter->scope, &attributes.scopeId))
        return -1;
    counter->id = nvtxCounterRegister(counter->domain->handle, &attributes);
    return 0;
}

/* A new reference, or NULL with an exception. */
static PyObject *make_counter(struct domain_object *domain, PyObject *row)
{
    const struct native_state *const state = domain->state;
    PyObject *const dtype = PyTuple_GET_ITEM(row, DTYPE);
    PyTypeObject *const type =
        dtype == (PyObject *)&PyLong_Type    ? state->int64_counter_type
        : dtype == (PyObject *)&PyFloat_Type ? state->float64_counter_type
                                             : state->ext_counter_type;
    struct counter_object *counter = (struct counter_object *)type->tp_alloc(type, 0);

    if (!counter)
        return NULL;
    counter->domain = (struct domain_object *)Py_NewRef((PyObject *)domain);
    counter->name = Py_NewRef(PyTuple_GET_ITEM(row, NAME));
    counter->dtype = Py_NewRef(dtype);
    counter->description = Py_NewRef(PyTuple_GET_ITEM(row, DESCRIPTION));
    counter->scope = Py_NewRef(PyTuple_GET_ITEM(row, SCOPE));
    counter->semantics = Py_NewRef(PyTuple_GET_ITEM(row, SEMANTICS));
    counter->time_domain =
        PyLong_AsUnsignedLongLong(PyTuple_GET_ITEM(row, TIME_DOMAIN));
    if (PyErr_Occurred() || register_counter(counter))
        Py_CLEAR(counter);
    return (PyObject *)counter;
}

/* ---- Methods --------------------------------------------------------------------- */

PyObject *rln_py_domain_get_counter(PyObject *self, PyObject *const *args,
                                    Py_ssize_t n_args, PyObject *keywords)
{
    struct domain_object *const domain = (struct domain_object *)self;
    PyObject *const row = check_arguments(args, n_args, keywords);
    PyObject *const key = row ? PyTuple_GET_ITEM(row, KEY) : NULL;
    PyObject *counter, *fresh = NULL;

    if (!row)
        return NULL;
    /* Borrowed from a dictionary that never loses an entry. */
    counter = PyDict_GetItemWithError(domain->counters, key);
    if (!counter && !PyErr_Occurred()) {
        fresh = make_counter(domain, row);
        /* If another thread was faster, ours is dropped. */
        counter = fresh ? PyDict_SetDefault(domain->counters, key, fresh) : NULL;
    }
    Py_XINCREF(counter);
    Py_XDECREF(fresh);
    Py_DECREF(row);
    return counter;
}

PyObject *rln_py_dummy_domain_get_counter(PyObject *self, PyObject *const *args,
                                          Py_ssize_t n_args, PyObject *keywords)
{
    const struct native_state *const state = rln_py_state_of(Py_TYPE(self));
    PyObject *const row = check_arguments(args, n_args, keywords);

    if (!row)
        return NULL;
    Py_DECREF(row);
    return Py_NewRef(state->dummy_counter);
}

PyObject *rln_py_domain_get_timestamp(PyObject *self, PyObject *unused)
{
    return PyLong_FromLongLong(nvtxTimestampGet());
}
