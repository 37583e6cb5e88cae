/* SPDX-License-Identifier: Apache-2.0 */
/* least.c - the least that an extension for CPython can do to send NVTX events; ours is
 * compared with it. It supports no coroutines, colors, payloads, NVTX_DISABLE, NumPy or
 * other threads; its counter groups have one layout, which is compiled in.
 *
 * It does only what a correct record needs, with CPython's own functions in the
 * cheapest order: a value of a wrong type or beyond 64 bits raises, and it sends only
 * bytes that were passed. Anything less would record wrong numbers. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtPayload.h>

static nvtxDomainHandle_t domain;
static uint64_t counter, group;

static nvtxEventAttributes_t attributes_of(PyObject *message)
{
    nvtxEventAttributes_t a = {.version = NVTX_VERSION,
                               .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                               .messageType = NVTX_MESSAGE_TYPE_ASCII};

    a.message.ascii = PyUnicode_AsUTF8(message);
    return a;
}

/* ---- An annotation: a context, and a decorator ----------------------------------- */

struct annotate {
    PyObject_HEAD PyObject *message;
    nvtxEventAttributes_t event;
};

struct annotated {
    PyObject_HEAD vectorcallfunc call;
    PyObject *function;
    nvtxEventAttributes_t event;
};

static PyTypeObject annotate_type, annotated_type;

static PyObject *annotate_make(PyObject *type, PyObject *const *args, size_t n,
                               PyObject *names)
{
    struct annotate *self = PyObject_New(struct annotate, &annotate_type);

    Py_INCREF(args[0]);
    self->message = args[0];
    self->event = attributes_of(args[0]);
    return (PyObject *)self;
}

static void annotate_free(PyObject *self)
{
    Py_DECREF(((struct annotate *)self)->message);
    PyObject_Free(self);
}

static PyObject *annotate_enter(PyObject *self, PyObject *nothing)
{
    nvtxDomainRangePushEx(domain, &((struct annotate *)self)->event);
    Py_INCREF(self);
    return self;
}

static PyObject *annotate_exit(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    nvtxDomainRangePop(domain);
    Py_RETURN_FALSE;
}

static PyObject *annotated_run(PyObject *object, PyObject *const *args, size_t n,
                               PyObject *names)
{
    struct annotated *self = (struct annotated *)object;
    PyObject *result;

    nvtxDomainRangePushEx(domain, &self->event);
    result = PyObject_Vectorcall(self->function, args, n, names);
    nvtxDomainRangePop(domain);
    return result;
}

static void annotated_free(PyObject *self)
{
    Py_DECREF(((struct annotated *)self)->function);
    PyObject_Free(self);
}

static PyObject *annotate_call(PyObject *self, PyObject *args, PyObject *names)
{
    struct annotated *made = PyObject_New(struct annotated, &annotated_type);

    made->call = annotated_run;
    made->function = PyTuple_GET_ITEM(args, 0);
    Py_INCREF(made->function);
    made->event = ((struct annotate *)self)->event;
    return (PyObject *)made;
}

static PyMethodDef annotate_methods[] = {
    {"__enter__", annotate_enter, METH_NOARGS, NULL},
    {"__exit__", (PyCFunction)(void (*)(void))annotate_exit, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject annotate_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "least.annotate",
    .tp_basicsize = sizeof(struct annotate),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_vectorcall = annotate_make,
    .tp_dealloc = annotate_free,
    .tp_call = annotate_call,
    .tp_methods = annotate_methods,
};

static PyTypeObject annotated_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "least.annotated",
    .tp_basicsize = sizeof(struct annotated),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_vectorcall_offset = offsetof(struct annotated, call),
    .tp_call = PyVectorcall_Call,
    .tp_dealloc = annotated_free,
};

/* ---- Functions ------------------------------------------------------------------- */

static PyObject *push_range(PyObject *self, PyObject *message)
{
    nvtxEventAttributes_t a = attributes_of(message);

    if (!a.message.ascii)
        return NULL;
    nvtxDomainRangePushEx(domain, &a);
    Py_RETURN_NONE;
}

static PyObject *pop_range(PyObject *self, PyObject *nothing)
{
    nvtxDomainRangePop(domain);
    Py_RETURN_NONE;
}

static PyObject *mark(PyObject *self, PyObject *message)
{
    nvtxEventAttributes_t a = attributes_of(message);

    if (!a.message.ascii)
        return NULL;
    nvtxDomainMarkEx(domain, &a);
    Py_RETURN_NONE;
}

static PyObject *pair_of(uint64_t id)
{
    PyObject *pair = PyTuple_New(2);

    PyTuple_SET_ITEM(pair, 0, PyLong_FromUnsignedLongLong(id));
    PyTuple_SET_ITEM(pair, 1, PyLong_FromVoidPtr(domain));
    return pair;
}

static PyObject *start_range(PyObject *self, PyObject *message)
{
    nvtxEventAttributes_t a = attributes_of(message);

    if (!a.message.ascii)
        return NULL;
    return pair_of(nvtxDomainRangeStartEx(domain, &a));
}

static PyObject *end_range(PyObject *self, PyObject *pair)
{
    nvtxDomainRangeEnd(PyLong_AsVoidPtr(PyTuple_GET_ITEM(pair, 1)),
                       PyLong_AsUnsignedLongLong(PyTuple_GET_ITEM(pair, 0)));
    Py_RETURN_NONE;
}

/* ---- With attributes made beforehand --------------------------------------------- */

static PyObject *push_made(PyObject *self, PyObject *annotation)
{
    nvtxDomainRangePushEx(domain, &((struct annotate *)annotation)->event);
    Py_RETURN_NONE;
}

static PyObject *mark_made(PyObject *self, PyObject *annotation)
{
    nvtxDomainMarkEx(domain, &((struct annotate *)annotation)->event);
    Py_RETURN_NONE;
}

static PyObject *start_made(PyObject *self, PyObject *annotation)
{
    return PyLong_FromUnsignedLongLong(
        nvtxDomainRangeStartEx(domain, &((struct annotate *)annotation)->event));
}

static PyObject *end_made(PyObject *self, PyObject *id)
{
    nvtxDomainRangeEnd(domain, PyLong_AsUnsignedLongLong(id));
    Py_RETURN_NONE;
}

/* ---- Counters -------------------------------------------------------------------- */

static PyObject *sample(PyObject *self, PyObject *value)
{
    const long long number = PyLong_AsLongLong(value);

    if (number == -1 && PyErr_Occurred())
        return NULL;
    nvtxCounterSampleInt64(domain, counter, number);
    Py_RETURN_NONE;
}

static PyObject *sample_float(PyObject *self, PyObject *value)
{
    const double number = PyFloat_AsDouble(value);

    if (number == -1 && PyErr_Occurred())
        return NULL;
    nvtxCounterSampleFloat64(domain, counter, number);
    Py_RETURN_NONE;
}

struct row {
    int64_t a;
    double b;
    int64_t c;
};

static PyObject *sample_array(PyObject *self, PyObject *array)
{
    Py_buffer view;

    if (PyObject_GetBuffer(array, &view, PyBUF_FORMAT))
        return NULL;
    if (view.format && !strcmp(view.format, "T{l:a:d:b:l:c:}") &&
        view.len == sizeof(struct row))
        nvtxCounterSample(domain, group, view.buf, (size_t)view.len);
    else
        PyErr_SetString(PyExc_TypeError, "an array of another dtype, or several rows");
    PyBuffer_Release(&view);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

/* Whether the tuple is a row. Checks for errors after all three, as -1 is rare. */
static int row_of(PyObject *tuple, struct row *out)
{
    if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) != 3) {
        PyErr_SetString(PyExc_TypeError, "a row is a tuple of three");
        return 0;
    }
    out->a = PyLong_AsLongLong(PyTuple_GET_ITEM(tuple, 0));
    out->b = PyFloat_AsDouble(PyTuple_GET_ITEM(tuple, 1));
    out->c = PyLong_AsLongLong(PyTuple_GET_ITEM(tuple, 2));
    return !((out->a == -1 || out->b == -1 || out->c == -1) && PyErr_Occurred());
}

static PyObject *sample_tuple(PyObject *self, PyObject *tuple)
{
    struct row row;

    if (!row_of(tuple, &row))
        return NULL;
    nvtxCounterSample(domain, group, &row, sizeof(row));
    Py_RETURN_NONE;
}

static PyObject *batch_submit(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    nvtxCounterBatch_t batch = {.counterId = counter};
    Py_buffer values, times;

    if (PyObject_GetBuffer(args[0], &values, PyBUF_SIMPLE) ||
        PyObject_GetBuffer(args[1], &times, PyBUF_SIMPLE))
        return NULL;
    batch.counters = values.buf;
    batch.countersSize = (size_t)values.len;
    batch.timestamps = times.buf;
    batch.timestampsSize = (size_t)times.len;
    nvtxCounterBatchSubmit(domain, &batch);
    PyBuffer_Release(&values);
    PyBuffer_Release(&times);
    Py_RETURN_NONE;
}

/* The list's ints: owned, or NULL with an exception. */
static int64_t *ints_of(PyObject *list)
{
    const Py_ssize_t n = PyList_GET_SIZE(list);
    int64_t *const ints = PyMem_Malloc((size_t)n * sizeof(*ints));

    for (Py_ssize_t i = 0; ints && i < n; i++) {
        ints[i] = PyLong_AsLongLong(PyList_GET_ITEM(list, i));
        if (ints[i] == -1 && PyErr_Occurred()) {
            PyMem_Free(ints);
            return NULL;
        }
    }
    return ints;
}

static struct row *rows_of(PyObject *list)
{
    const Py_ssize_t n = PyList_GET_SIZE(list);
    struct row *const rows = PyMem_Malloc((size_t)n * sizeof(*rows));

    for (Py_ssize_t i = 0; rows && i < n; i++) {
        if (!row_of(PyList_GET_ITEM(list, i), &rows[i])) {
            PyMem_Free(rows);
            return NULL;
        }
    }
    return rows;
}

static PyObject *submit_copies(uint64_t id, void *samples, size_t sample_size,
                               PyObject *const *args)
{
    const size_t n = (size_t)PyList_GET_SIZE(args[0]);
    int64_t *const times =
        samples && n == (size_t)PyList_GET_SIZE(args[1]) ? ints_of(args[1]) : NULL;
    const nvtxCounterBatch_t batch = {
        .counterId = id,
        .counters = samples,
        .countersSize = n * sample_size,
        .timestamps = times,
        .timestampsSize = n * sizeof(*times),
    };

    if (times)
        nvtxCounterBatchSubmit(domain, &batch);
    else if (!PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "not as many values as timestamps");
    PyMem_Free(times);
    PyMem_Free(samples);
    return times ? Py_NewRef(Py_None) : NULL;
}

static PyObject *batch_ints(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    return submit_copies(counter, ints_of(args[0]), sizeof(int64_t), args);
}

static PyObject *batch_rows(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    return submit_copies(group, rows_of(args[0]), sizeof(struct row), args);
}

#define FAST(function) (PyCFunction)(void (*)(void)) function, METH_FASTCALL

static PyMethodDef functions[] = {
    {"push_range", push_range, METH_O, NULL},
    {"pop_range", pop_range, METH_NOARGS, NULL},
    {"mark", mark, METH_O, NULL},
    {"start_range", start_range, METH_O, NULL},
    {"end_range", end_range, METH_O, NULL},
    {"push_made", push_made, METH_O, NULL},
    {"mark_made", mark_made, METH_O, NULL},
    {"start_made", start_made, METH_O, NULL},
    {"end_made", end_made, METH_O, NULL},
    {"sample", sample, METH_O, NULL},
    {"sample_float", sample_float, METH_O, NULL},
    {"sample_array", sample_array, METH_O, NULL},
    {"sample_tuple", sample_tuple, METH_O, NULL},
    {"batch_submit", FAST(batch_submit), NULL},
    {"batch_ints", FAST(batch_ints), NULL},
    {"batch_rows", FAST(batch_rows), NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "least",
    .m_size = -1,
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit_least(void)
{
    const nvtxCounterAttr_t counted = {.structSize = sizeof(counted),
                                       .schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
                                       .name = "least"};
    static const nvtxPayloadSchemaEntry_t entries[] = {
        {.type = NVTX_PAYLOAD_ENTRY_TYPE_INT64, .name = "a"},
        {.type = NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, .name = "b", .offset = 8},
        {.type = NVTX_PAYLOAD_ENTRY_TYPE_INT64, .name = "c", .offset = 16},
    };
    const nvtxPayloadSchemaAttr_t row = {
        .fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE,
        .type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
        .entries = entries,
        .numEntries = 3,
        .payloadStaticSize = sizeof(struct row),
    };
    nvtxCounterAttr_t grouped = {.structSize = sizeof(grouped), .name = "least group"};
    PyObject *module = PyModule_Create(&definition);

    if (!module || PyType_Ready(&annotate_type) || PyType_Ready(&annotated_type))
        return NULL;
    domain = nvtxDomainCreateA("least");
    counter = nvtxCounterRegister(domain, &counted);
    grouped.schemaId = nvtxPayloadSchemaRegister(domain, &row);
    group = nvtxCounterRegister(domain, &grouped);
    Py_INCREF(&annotate_type);
    PyModule_AddObject(module, "annotate", (PyObject *)&annotate_type);
    return module;
}
