/* SPDX-License-Identifier: Apache-2.0 */
/* py_counter.c - implements the type Counter and those derived from it, which differ in
 * how sample() packs a value: Int64Counter, Float64Counter, and ExtCounter, a counter
 * of any other dtype or a group of counters that are sampled together. */
#include "counters/py_counter.h"

#include "base/py_arguments.h"
#include "base/py_integer.h"
#include "domain/py_switch.h"

#include <structmember.h>

/* The only argument of a method: borrowed, or NULL with an exception. */
static PyObject *only_argument(struct counter_object *self, const char *method,
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

/* ---- Samples --------------------------------------------------------------------- */

/* Samples up to this size are packed on the stack. */
#define MAX_ROOM_BYTES 512

/* The argument of sample(): borrowed, or NULL with an exception. */
static inline PyObject *sample_argument(struct counter_object *self,
                                        PyObject *const *args, Py_ssize_t n_args,
                                        PyObject *keywords)
{
    if (RLN_PY_LIKELY(n_args == 1 && !keywords))
        return args[0];
    return only_argument(self, "sample", RLN_PY_VALUE, args, n_args, keywords);
}

/* Converts a value that is no int: by __index__, or by truncation. */
static int convert_to_int(PyObject *value, int64_t *out)
{
    const PyNumberMethods *const methods = Py_TYPE(value)->tp_as_number;
    PyObject *number = NULL;

    if (methods && methods->nb_index)
        number = PyNumber_Index(value);
    else if (methods && methods->nb_int)
        number = PyNumber_Long(value);
    else
        rln_py_wrong_type("value", "int", value);
    if (number)
        *out = PyLong_AsLongLong(number);
    Py_XDECREF(number);
    return PyErr_Occurred() ? -1 : 0;
}

static int take_int(PyObject *value, int64_t *out)
{
    if (RLN_PY_UNLIKELY(!PyLong_Check(value)))
        return convert_to_int(value, out);
    if (RLN_PY_LIKELY(rln_py_int64(value, out)))
        return 0;
    PyErr_SetString(PyExc_OverflowError, "value must be from -2**63 to 2**63 - 1");
    return -1;
}

static PyObject *sample_int64(PyObject *object, PyObject *const *args,
                              Py_ssize_t n_args, PyObject *keywords)
{
    struct counter_object *const self = (struct counter_object *)object;
    PyObject *const value = sample_argument(self, args, n_args, keywords);
    int64_t number;

    if (!value || take_int(value, &number))
        return NULL;
    if (RLN_PY_LIKELY(rln_py_is_on(self->domain->state)))
        nvtxCounterSampleInt64(self->domain->handle, self->id, number);
    Py_RETURN_NONE;
}

static int convert_to_double(PyObject *value, double *out)
{
    *out = PyFloat_AsDouble(value);
    if (*out != -1.0 || !PyErr_Occurred())
        return 0;
    if (PyErr_ExceptionMatches(PyExc_TypeError))
        rln_py_wrong_type("value", "float", value);
    return -1;
}

static PyObject *sample_float64(PyObject *object, PyObject *const *args,
                                Py_ssize_t n_args, PyObject *keywords)
{
    struct counter_object *const self = (struct counter_object *)object;
    PyObject *const value = sample_argument(self, args, n_args, keywords);
    double number;

    if (RLN_PY_LIKELY(value && PyFloat_Check(value)))
        number = PyFloat_AS_DOUBLE(value);
    else if (!value || convert_to_double(value, &number))
        return NULL;
    if (RLN_PY_LIKELY(rln_py_is_on(self->domain->state)))
        nvtxCounterSampleFloat64(self->domain->handle, self->id, number);
    Py_RETURN_NONE;
}

static PyObject *sample_row(PyObject *object, PyObject *const *args, Py_ssize_t n_args,
                            PyObject *keywords)
{
    struct counter_object *const self = (struct counter_object *)object;
    PyObject *const value = sample_argument(self, args, n_args, keywords);
    char room[MAX_ROOM_BYTES];
    struct rln_py_samples one;

    if (!value)
        return NULL;
    if (RLN_PY_LIKELY(self->layout.size <= sizeof(room) &&
                      rln_py_pack(&self->layout, value, room))) {
        if (RLN_PY_LIKELY(rln_py_is_on(self->domain->state)))
            nvtxCounterSample(self->domain->handle, self->id, room, self->layout.size);
        Py_RETURN_NONE;
    }
    if (rln_py_row_of(self->domain->state, &self->layout, self->dtype, value, &one))
        return NULL;
    if (rln_py_is_on(self->domain->state))
        nvtxCounterSample(self->domain->handle, self->id, one.address, one.n_bytes);
    rln_py_samples_clear(&one);
    Py_RETURN_NONE;
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
    PyErr_Format(PyExc_TypeError, "batch_submit() missing 1 required argument: '%s'",
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

static PyObject *batch_submit(PyObject *counter, PyObject *const *args,
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

int rln_py_no_value_reason(struct native_state *state, PyObject *reason)
{
    PyObject *number;
    long value;

    if (!state->no_value_reason_type)
        state->no_value_reason_type =
            rln_py_import("rangeline.nvtx._enums", "CounterNoValueReason");
    if (!state->no_value_reason_type)
        return -1;
    if ((PyObject *)Py_TYPE(reason) != state->no_value_reason_type) {
        rln_py_wrong_type("reason", "a CounterNoValueReason", reason);
        return -1;
    }
    number = PyObject_GetAttrString(reason, "value");
    value = number ? PyLong_AsLong(number) : -1;
    Py_XDECREF(number);
    return (int)value;
}

static PyObject *sample_no_value(PyObject *object, PyObject *const *args,
                                 Py_ssize_t n_args, PyObject *keywords)
{
    struct counter_object *const self = (struct counter_object *)object;
    PyObject *const reason =
        only_argument(self, "sample_no_value", RLN_PY_REASON, args, n_args, keywords);
    const int number =
        reason ? rln_py_no_value_reason(self->domain->state, reason) : -1;

    if (number < 0)
        return NULL;
    if (rln_py_is_on(self->domain->state))
        nvtxCounterSampleNoValue(self->domain->handle, self->id, (uint8_t)number);
    Py_RETURN_NONE;
}

/* ---- The type -------------------------------------------------------------------- */

/* Counter.sample(counter, value): the derived types have their own. */
static PyObject *sample_any(PyObject *object, PyObject *const *args, Py_ssize_t n_args,
                            PyObject *keywords)
{
    const PyObject *const dtype = ((struct counter_object *)object)->dtype;

    if (dtype == (PyObject *)&PyLong_Type)
        return sample_int64(object, args, n_args, keywords);
    if (dtype == (PyObject *)&PyFloat_Type)
        return sample_float64(object, args, n_args, keywords);
    return sample_row(object, args, n_args, keywords);
}

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
        "sample", sample_any,
        "sample($self, /, value)\n--\n\n"
        "Records the value now: a number or, for a group, a tuple.\n\n"
        "Example:\n"
        "    >>> loss = nvtx.get_domain(\"training\").get_counter(\"loss\", float)\n"
        "    >>> nvtx.Counter.sample(loss, 0.42)"),
    RLN_PY_METHOD("batch_submit", batch_submit,
                  "batch_submit($self, /, values, timestamps)\n--\n\n"
                  "Records values of the past, each with its time on the clock "
                  "`time_domain`.\n\n"
                  "The timestamps may be left out if samples contain their time. "
                  "ValueError if there\nare not as many values as timestamps.\n\n"
                  "Example:\n"
                  "    >>> domain = nvtx.get_domain(\"training\")\n"
                  "    >>> loss = domain.get_counter(\"loss\", float)\n"
                  "    >>> nvtx.Counter.batch_submit(loss, [0.9], "
                  "[domain.get_timestamp()])"),
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

/* ---- The three types ------------------------------------------------------------- */

static PyMethodDef int64_methods[] = {
    RLN_PY_METHOD("sample", sample_int64,
                  "sample($self, /, value)\n--\n\n"
                  "Records the value now: an int of at most 64 bits, or what can be "
                  "made one.\n\n"
                  "Example:\n"
                  "    >>> sent = nvtx.get_domain(\"net\").get_counter(\"sent\", int)\n"
                  "    >>> sent.sample(4096)"),
    RLN_PY_METHOD(
        "batch_submit", batch_submit,
        "batch_submit($self, /, values, timestamps)\n--\n\n"
        "Records values of the past, each with its time on the clock "
        "`time_domain`.\n\n"
        "Arrays of int64 that lie in C's order are not copied. ValueError if "
        "there are not\nas many values as timestamps.\n\n"
        "Example:\n"
        "    >>> domain = nvtx.get_domain(\"net\")\n"
        "    >>> times = [domain.get_timestamp(), domain.get_timestamp()]\n"
        "    >>> domain.get_counter(\"sent\", int).batch_submit([1, 2], times)"),
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(int64_doc,
             "A counter of 64-bit integers.\n\n"
             "Domain.get_counter() makes them.\n\n"
             "Example:\n"
             "    >>> sent = nvtx.get_domain(\"net\").get_counter(\"sent\", int)\n"
             "    >>> sent.sample(4096)");

static PyMethodDef float64_methods[] = {
    RLN_PY_METHOD(
        "sample", sample_float64,
        "sample($self, /, value)\n--\n\n"
        "Records the value now: a float, or what can be made one.\n\n"
        "Example:\n"
        "    >>> loss = nvtx.get_domain(\"training\").get_counter(\"loss\", float)\n"
        "    >>> loss.sample(0.42)"),
    RLN_PY_METHOD("batch_submit", batch_submit,
                  "batch_submit($self, /, values, timestamps)\n--\n\n"
                  "Records values of the past, each with its time on the clock "
                  "`time_domain`.\n\n"
                  "Arrays of float64 that lie in C's order are not copied. ValueError "
                  "if there are not\nas many values as timestamps.\n\n"
                  "Example:\n"
                  "    >>> domain = nvtx.get_domain(\"training\")\n"
                  "    >>> loss = domain.get_counter(\"loss\", float)\n"
                  "    >>> loss.batch_submit([0.9], [domain.get_timestamp()])"),
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(
    float64_doc,
    "A counter of double-precision numbers.\n\n"
    "Domain.get_counter() makes them.\n\n"
    "Example:\n"
    "    >>> loss = nvtx.get_domain(\"training\").get_counter(\"loss\", float)\n"
    "    >>> loss.sample(0.42)");

static PyMethodDef ext_methods[] = {
    RLN_PY_METHOD(
        "sample", sample_row,
        "sample($self, /, value)\n--\n\n"
        "Records the values now: a tuple for a group, or whatever NumPy makes "
        "a single\nelement of the counter's dtype of.\n\n"
        "Example:\n"
        "    >>> disk = nvtx.numpy_dtype([(\"read\", \"i8\"), (\"busy\", \"f4\")])\n"
        "    >>> nvtx.get_domain(\"host\").get_counter(\"disk\", disk).sample((10, "
        "0.5))"),
    RLN_PY_METHOD("batch_submit", batch_submit,
                  "batch_submit($self, /, values, timestamps=None)\n--\n\n"
                  "Records samples of the past, each with its time on the clock "
                  "`time_domain`.\n\n"
                  "Arrays of the counter's dtype that lie in C's order are not copied. "
                  "The timestamps\nmay be left out if a field of the dtype is an "
                  "EntryKind.COUNTER_TIMESTAMP. ValueError\nif there are not as many "
                  "values as timestamps.\n\n"
                  "Example:\n"
                  "    >>> domain = nvtx.get_domain(\"host\")\n"
                  "    >>> disk = domain.get_counter(\"disk\", [(\"read\", \"i8\"), "
                  "(\"busy\", \"f4\")])\n"
                  "    >>> disk.batch_submit([(10, 0.5)], [domain.get_timestamp()])"),
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(
    ext_doc,
    "A counter of a NumPy dtype, or a group of counters.\n\n"
    "Domain.get_counter() makes them.\n\n"
    "Example:\n"
    "    >>> disk = nvtx.numpy_dtype([(\"read\", \"i8\"), (\"busy\", \"f4\")])\n"
    "    >>> nvtx.get_domain(\"host\").get_counter(\"disk\", disk).sample((10, 0.5))");

static int add_kind(PyObject *module, struct native_state *state, const char *name,
                    const char *doc, PyMethodDef *methods, PyTypeObject **type)
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

int rln_py_add_counter(PyObject *module, struct native_state *state)
{
    if (rln_py_add_subtype(module, &counter_spec, NULL, &state->counter_type) ||
        add_kind(module, state, "rangeline.nvtx.Int64Counter", int64_doc, int64_methods,
                 &state->int64_counter_type) ||
        add_kind(module, state, "rangeline.nvtx.Float64Counter", float64_doc,
                 float64_methods, &state->float64_counter_type) ||
        add_kind(module, state, "rangeline.nvtx.ExtCounter", ext_doc, ext_methods,
                 &state->ext_counter_type))
        return -1;
    return 0;
}
