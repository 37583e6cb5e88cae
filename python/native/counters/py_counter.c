/* SPDX-License-Identifier: Apache-2.0 */
/* py_counter.c - implements the type Counter: methods common to all types of counters.
 */
#include "counters/py_counter.h"

#include "base/py_arguments.h"

#include <structmember.h>

struct counter_object *rln_py_counter_new(PyTypeObject *type,
                                          struct domain_object *domain)
{
    struct counter_object *const self =
        (struct counter_object *)type->tp_alloc(type, 0);

    if (!self)
        return NULL;
    Py_INCREF(domain);
    self->domain = domain;
    return self;
}

PyObject *rln_py_only_argument(struct counter_object *self, const char *method,
                               enum rln_py_keyword keyword, PyObject *const *args,
                               Py_ssize_t n_args, PyObject *keywords)
{
    const struct rln_py_signature signature = {method, 1, 1, {(uint8_t)keyword}};
    PyObject *argument;

    if (rln_py_arguments(self->domain->state, &signature, args, n_args, keywords,
                         &argument))
        return NULL;
    if (!argument)
        PyErr_Format(PyExc_TypeError, "%s() missing 1 required argument: '%U'", method,
                     self->domain->state->keywords[keyword]);
    return argument;
}

/* ---- Batches --------------------------------------------------------------------- */

/* 0, or -1 with an exception. */
static int batch_arguments(struct counter_object *self, PyObject *const *args,
                           Py_ssize_t n_args, PyObject *keywords, PyObject **values,
                           PyObject **timestamps)
{
    static const struct rln_py_signature signature = {
        "batch_submit", 2, 2, {RLN_PY_VALUES, RLN_PY_TIMESTAMPS}};
    PyObject *argument[2];

    if (rln_py_arguments(self->domain->state, &signature, args, n_args, keywords,
                         argument))
        return -1;
    *values = argument[0];
    *timestamps = argument[1] ? argument[1] : Py_None;
    if (argument[0] && (*timestamps != Py_None || self->layout.has_time))
        return 0;
    PyErr_Format(PyExc_TypeError, "batch_submit() missing required argument: '%s'",
                 argument[0] ? "timestamps" : "values");
    return -1;
}

static void submit(struct counter_object *self, const struct rln_py_samples *samples,
                   const struct rln_py_samples *times)
{
    const nvtxCounterBatch_t batch = {
        .counterId = self->id,
        .counters = samples->address,
        .countersSize = samples->n_bytes,
        .flags = NVTX_BATCH_FLAG_TIME_SORTED,
        .timestamps = times ? times->address : NULL,
        .timestampsSize = times ? times->n_bytes : 0,
    };

    if (samples->n && rln_py_is_on(self->domain->state))
        nvtxCounterBatchSubmit(self->domain->handle, &batch);
}

static int submit_with_times(struct counter_object *self,
                             const struct rln_py_samples *samples, PyObject *timestamps)
{
    struct rln_py_samples times;
    int failed = 0;

    if (rln_py_numbers_of(self->domain->state, timestamps, RLN_PY_I8, "timestamps",
                          &times))
        return -1;
    if (times.n == samples->n) {
        submit(self, samples, &times);
    } else {
        PyErr_Format(PyExc_ValueError,
                     "values and timestamps must have the same length, "
                     "but there are %zu and %zu",
                     samples->n, times.n);
        failed = -1;
    }
    rln_py_samples_clear(&times);
    return failed;
}

static int take_samples(struct counter_object *self, PyObject *values,
                        struct rln_py_samples *samples)
{
    if (!PyType_Check(self->dtype))
        return rln_py_rows_of(&self->layout, self->dtype, values, samples);
    return rln_py_numbers_of(self->domain->state, values,
                             self->dtype == (PyObject *)&PyLong_Type ? RLN_PY_I8
                                                                     : RLN_PY_F8,
                             "values", samples);
}

PyObject *rln_py_batch_submit(PyObject *counter, PyObject *const *args,
                              Py_ssize_t n_args, PyObject *keywords)
{
    struct counter_object *const self = (struct counter_object *)counter;
    struct rln_py_samples samples;
    PyObject *values, *timestamps;
    int failed = 0;

    if (batch_arguments(self, args, n_args, keywords, &values, &timestamps) ||
        take_samples(self, values, &samples))
        return NULL;
    if (timestamps == Py_None)
        submit(self, &samples, NULL);
    else
        failed = submit_with_times(self, &samples, timestamps);
    rln_py_samples_clear(&samples);
    return failed ? NULL : Py_NewRef(Py_None);
}

/* ---- Samples without a value ----------------------------------------------------- */

/* The number of a CounterNoValueReason, or -1 with an exception. */
static int reason_number(PyObject *reason)
{
    PyObject *const type =
        rln_py_import("rangeline.nvtx._enums", "CounterNoValueReason");
    const int is_reason = type ? PyObject_IsInstance(reason, type) : -1;
    PyObject *number = NULL;
    long value = -1;

    Py_XDECREF(type);
    if (is_reason == 0)
        rln_py_wrong_type("reason", "a CounterNoValueReason", reason);
    if (is_reason == 1)
        number = PyObject_GetAttrString(reason, "value");
    if (number)
        value = PyLong_AsLong(number);
    Py_XDECREF(number);
    return (int)value;
}

static PyObject *sample_no_value(PyObject *object, PyObject *const *args,
                                 Py_ssize_t n_args, PyObject *keywords)
{
    struct counter_object *const self = (struct counter_object *)object;
    PyObject *const reason = rln_py_only_argument(
        self, "sample_no_value", RLN_PY_REASON, args, n_args, keywords);
    const int number = reason ? reason_number(reason) : -1;

    if (number < 0)
        return NULL;
    if (rln_py_is_on(self->domain->state))
        nvtxCounterSampleNoValue(self->domain->handle, self->id, (uint8_t)number);
    Py_RETURN_NONE;
}

/* ---- The type -------------------------------------------------------------------- */

static int counter_traverse(PyObject *object, visitproc visit, void *arg)
{
    struct counter_object *const self = (struct counter_object *)object;

    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->domain);
    Py_VISIT(self->dtype);
    Py_VISIT(self->semantics);
    return 0;
}

static int counter_clear(PyObject *object)
{
    struct counter_object *const self = (struct counter_object *)object;

    Py_CLEAR(self->name);
    Py_CLEAR(self->dtype);
    Py_CLEAR(self->description);
    Py_CLEAR(self->scope);
    Py_CLEAR(self->semantics);
    Py_CLEAR(self->domain);
    return 0;
}

static void counter_dealloc(PyObject *object)
{
    PyObject_GC_UnTrack(object);
    rln_py_layout_clear(&((struct counter_object *)object)->layout);
    counter_clear(object);
    rln_py_free(object);
}

/* With NumPy, a dtype even for int and float. */
static PyObject *get_dtype(PyObject *object, void *unused)
{
    struct counter_object *const self = (struct counter_object *)object;
    int found;

    if (PyType_Check(self->dtype)) {
        found = rln_py_numpy_find(self->domain->state, true);
        if (found)
            return found < 0 ? NULL : rln_py_numpy_call("dtype", self->dtype, NULL);
    }
    Py_INCREF(self->dtype);
    return self->dtype;
}

static PyObject *counter_repr(PyObject *object)
{
    struct counter_object *const self = (struct counter_object *)object;

    return PyUnicode_FromFormat("<%s %R domain=%R>", Py_TYPE(object)->tp_name,
                                self->name, self->domain->name);
}

static PyMethodDef counter_methods[] = {
    RLN_PY_METHOD(
        "sample_no_value", sample_no_value,
        "sample_no_value($self, /, reason)\n--\n\n"
        "Records that there is no value now, and why.\n\n"
        "`reason` is a CounterNoValueReason. ZERO counts as the value 0, "
        "UNCHANGED repeats\nthe last one, UNAVAILABLE is a gap.\n\n"
        "Example:\n"
        "    >>> load = nvtx.get_domain(\"host\").get_counter(\"load\", float)\n"
        "    >>> load.sample_no_value(nvtx.CounterNoValueReason.UNAVAILABLE)"),
    {NULL, NULL, 0, NULL},
};

static PyMemberDef counter_members[] = {
    {"domain", T_OBJECT_EX, offsetof(struct counter_object, domain), READONLY,
     "The Domain that it belongs to."},
    {"name", T_OBJECT_EX, offsetof(struct counter_object, name), READONLY, "Its name."},
    {"description", T_OBJECT_EX, offsetof(struct counter_object, description), READONLY,
     "More about it, or None."},
    {"scope", T_OBJECT_EX, offsetof(struct counter_object, scope), READONLY,
     "Where in the system it counts, or None."},
    {"semantics", T_OBJECT_EX, offsetof(struct counter_object, semantics), READONLY,
     "What its values mean: CounterSemantics, or None."},
    {"time_domain", T_ULONGLONG, offsetof(struct counter_object, time_domain), READONLY,
     "The clock of batches: the number of a TimestampType."},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef counter_getset[] = {
    {"dtype", get_dtype, NULL, "Its NumPy dtype; int or float where NumPy is not.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyDoc_STRVAR(
    counter_doc,
    "A value over time: Int64Counter, Float64Counter or ExtCounter.\n\n"
    "Domain.get_counter() makes them.\n\n"
    "Example:\n"
    "    >>> loss = nvtx.get_domain(\"training\").get_counter(\"loss\", float)\n"
    "    >>> loss.sample(0.42)");

static PyType_Slot counter_slots[] = {
    {Py_tp_doc, (void *)counter_doc},
    {Py_tp_traverse, counter_traverse},
    {Py_tp_clear, counter_clear},
    {Py_tp_dealloc, counter_dealloc},
    {Py_tp_repr, counter_repr},
    {Py_tp_methods, counter_methods},
    {Py_tp_members, counter_members},
    {Py_tp_getset, counter_getset},
    {0, NULL},
};

static PyType_Spec counter_spec = {
    .name = "rangeline.nvtx.Counter",
    .basicsize = sizeof(struct counter_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC |
             RLN_PY_NO_CONSTRUCTOR,
    .slots = counter_slots,
};

int rln_py_add_counter(PyObject *module, struct native_state *state)
{
    return rln_py_add_subtype(module, &counter_spec, NULL, &state->counter_type);
}

int rln_py_add_counter_kind(PyObject *module, struct native_state *state,
                            const char *name, const char *doc, PyMethodDef *methods,
                            PyTypeObject **type)
{
    PyType_Slot slots[] = {
        {Py_tp_doc, (void *)doc},           {Py_tp_methods, methods},
        {Py_tp_traverse, counter_traverse}, {Py_tp_clear, counter_clear},
        {Py_tp_dealloc, counter_dealloc},   {0, NULL},
    };
    PyType_Spec spec = {
        .name = name,
        .basicsize = sizeof(struct counter_object),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | RLN_PY_NO_CONSTRUCTOR,
        .slots = slots,
    };

    return rln_py_add_subtype(module, &spec, state->counter_type, type);
}
