/* SPDX-License-Identifier: Apache-2.0 */
/* py_dummies.c - implements the types DummyDomain and DummyCounter, for a domain that
 * is not recorded: there is no tool, or it has excluded the domain. Their methods do
 * nothing, and there is one object of each.
 *
 * They raise what a Domain's and a Counter's methods raise for wrong arguments, so that
 * a mistake is not first noticed when a tool records. Arguments that need no check come
 * first. Two things are not checked: payloads other than numbers, which would have to
 * be converted, and the type of samples, because one DummyCounter stands for all. */
#include "base/py_native.h"
#include "counters/py_counter.h"
#include "counters/py_domain_counters.h"
#include "events/py_event_call.h"

#define METHOD(type, name, function)                                                   \
    RLN_PY_METHOD(name, function, "Does nothing; see " type "." name "().")

#define NO_ARGUMENTS(type, name, function)                                             \
    {                                                                                  \
        name, function, METH_NOARGS, "Does nothing; see " type "." name "()."          \
    }

static PyObject *nothing(PyObject *self, PyObject *unused)
{
    Py_RETURN_NONE;
}

static PyObject *zero(PyObject *self, PyObject *unused)
{
    return PyLong_FromLong(0);
}

static void dummy_dealloc(PyObject *self)
{
    if (PyObject_IS_GC(self))
        PyObject_GC_UnTrack(self);
    rln_py_free(self);
}

/* ---- DummyDomain ----------------------------------------------------------------- */

static PyObject *domain_tp_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    struct native_state *const state = rln_py_state_of(type);

    return state->dummy_domain ? Py_NewRef(state->dummy_domain)
                               : type->tp_alloc(type, 0);
}

static int domain_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    return 0;
}

static PyObject *domain_reduce(PyObject *self, PyObject *unused)
{
    return Py_BuildValue("O()", Py_TYPE(self));
}

/* Whether a call has only `message=`, with an ordinary text. */
static inline bool has_ordinary_message(const struct native_state *state,
                                        Py_ssize_t n_args, PyObject *const *args,
                                        PyObject *keywords)
{
    return !n_args && keywords && PyTuple_GET_SIZE(keywords) == 1 &&
           PyTuple_GET_ITEM(keywords, 0) == state->keywords[RLN_PY_MESSAGE] &&
           rln_py_is_ordinary_text(args[0]);
}

/* The only attributes are None, as get_event_attributes() returns. */
static RLN_PY_INLINE PyObject *call(PyObject *self,
                                    const struct rln_py_event_form *form,
                                    PyObject *const *args, Py_ssize_t n_args,
                                    PyObject *keywords)
{
    struct native_state *state;

    if (RLN_PY_UNLIKELY(n_args != 1 || keywords || args[0] != Py_None)) {
        state = rln_py_state_of(Py_TYPE(self));
        if (!has_ordinary_message(state, n_args, args, keywords))
            return rln_py_event_call(state, NULL, form, args, n_args, keywords);
    }
    return form->kind == RLN_PY_START ? zero(self, NULL) : nothing(self, NULL);
}

RLN_PY_EVENT_FUNCTION(domain_mark, RLN_PY_FORM_OF_DOMAIN("mark", RLN_PY_MARK))
RLN_PY_EVENT_FUNCTION(domain_push_range,
                      RLN_PY_FORM_OF_DOMAIN("push_range", RLN_PY_PUSH))
RLN_PY_EVENT_FUNCTION(domain_start_range,
                      RLN_PY_FORM_OF_DOMAIN("start_range", RLN_PY_START))
RLN_PY_EVENT_FUNCTION(domain_set_attributes,
                      RLN_PY_FORM_OF_DOMAIN("set_event_attributes", RLN_PY_CHECK))

static PyObject *domain_set_event_attributes(PyObject *self, PyObject *const *args,
                                             Py_ssize_t n_args, PyObject *keywords)
{
    if (n_args == 0 && (!keywords || PyTuple_GET_SIZE(keywords) == 0))
        return PyErr_Format(PyExc_TypeError,
                            "set_event_attributes() missing argument 'attributes'");
    return domain_set_attributes(self, args, n_args, keywords);
}

static PyObject *domain_get_event_attributes(PyObject *self, PyObject *const *args,
                                             Py_ssize_t n_args, PyObject *keywords)
{
    static const struct rln_py_signature signature = {
        "get_event_attributes",
        4,
        4,
        {RLN_PY_MESSAGE, RLN_PY_COLOR, RLN_PY_CATEGORY, RLN_PY_PAYLOAD}};
    struct native_state *const state = rln_py_state_of(Py_TYPE(self));
    PyObject *argument[4];

    if (RLN_PY_LIKELY(n_args == 1 && !keywords && rln_py_is_ordinary_text(args[0])))
        Py_RETURN_NONE;
    if (rln_py_arguments(state, &signature, args, n_args, keywords, argument) ||
        rln_py_event_check(state, &(struct rln_py_fields){argument[0], argument[1],
                                                          argument[2], argument[3]}))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *check_text(PyObject *self, const struct rln_py_signature *signature,
                            const char *parameter, PyObject *const *args,
                            Py_ssize_t n_args, PyObject *keywords)
{
    PyObject *text;

    if (rln_py_arguments(rln_py_state_of(Py_TYPE(self)), signature, args, n_args,
                         keywords, &text) ||
        !rln_py_text(text ? text : Py_None, parameter))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *domain_get_registered_string(PyObject *self, PyObject *const *args,
                                              Py_ssize_t n_args, PyObject *keywords)
{
    static const struct rln_py_signature signature = {
        "get_registered_string", 1, 1, {RLN_PY_STRING}};

    return check_text(self, &signature, "message", args, n_args, keywords);
}

static PyObject *domain_get_category_id(PyObject *self, PyObject *const *args,
                                        Py_ssize_t n_args, PyObject *keywords)
{
    static const struct rln_py_signature signature = {
        "get_category_id", 1, 1, {RLN_PY_NAME}};

    return check_text(self, &signature, "category", args, n_args, keywords);
}

static PyObject *domain_end_range(PyObject *self, PyObject *const *args,
                                  Py_ssize_t n_args, PyObject *keywords)
{
    static const struct rln_py_signature signature = {
        "end_range", 1, 1, {RLN_PY_RANGE_ID}};
    PyObject *argument;
    nvtxRangeId_t id;

    if (RLN_PY_LIKELY(n_args == 1 && !keywords && PyLong_CheckExact(args[0])))
        Py_RETURN_NONE;
    if (rln_py_arguments(rln_py_state_of(Py_TYPE(self)), &signature, args, n_args,
                         keywords, &argument) ||
        rln_py_range_id(argument, &id))
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef domain_methods[] = {
    METHOD("Domain", "get_registered_string", domain_get_registered_string),
    METHOD("Domain", "get_category_id", domain_get_category_id),
    METHOD("Domain", "get_event_attributes", domain_get_event_attributes),
    METHOD("Domain", "set_event_attributes", domain_set_event_attributes),
    METHOD("Domain", "mark", domain_mark),
    METHOD("Domain", "push_range", domain_push_range),
    NO_ARGUMENTS("Domain", "pop_range", nothing),
    METHOD("Domain", "start_range", domain_start_range),
    METHOD("Domain", "end_range", domain_end_range),
    RLN_PY_METHOD("get_counter", rln_py_dummy_domain_get_counter,
                  RLN_PY_GET_COUNTER_DOC),
    NO_ARGUMENTS("Domain", "get_timestamp", zero),
    {"__reduce__", domain_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(domain_doc,
             "A Domain without a recorder. Methods do nothing.\n\n"
             "Example, without a tool:\n"
             "    >>> nvtx.get_domain(\"solver\").start_range(message=\"x\")\n"
             "    0");

static PyType_Slot domain_slots[] = {
    {Py_tp_doc, (void *)domain_doc},   {Py_tp_new, domain_tp_new},
    {Py_tp_traverse, domain_traverse}, {Py_tp_dealloc, dummy_dealloc},
    {Py_tp_methods, domain_methods},   {0, NULL},
};

static PyType_Spec domain_spec = {
    .name = "rangeline.nvtx.DummyDomain",
    .basicsize = sizeof(PyObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = domain_slots,
};

/* ---- DummyCounter ---------------------------------------------------------------- */

/* 0 if the arguments begin with the required one, in *first; -1 with an exception. */
static int take_first(PyObject *self, const struct rln_py_signature *signature,
                      PyObject *const *args, Py_ssize_t n_args, PyObject *keywords,
                      PyObject **first)
{
    const struct native_state *const state = rln_py_state_of(Py_TYPE(self));
    PyObject *argument[2];

    if (rln_py_arguments(state, signature, args, n_args, keywords, argument))
        return -1;
    *first = argument[0];
    if (*first)
        return 0;
    PyErr_Format(PyExc_TypeError, "%s() missing 1 required argument: '%U'",
                 signature->function, state->keywords[signature->parameters[0]]);
    return -1;
}

static PyObject *counter_sample(PyObject *self, PyObject *const *args,
                                Py_ssize_t n_args, PyObject *keywords)
{
    static const struct rln_py_signature signature = {"sample", 1, 1, {RLN_PY_VALUE}};
    PyObject *value;

    if (RLN_PY_UNLIKELY(n_args != 1 || keywords) &&
        take_first(self, &signature, args, n_args, keywords, &value))
        return NULL;
    Py_RETURN_NONE;
}

/* Timestamps are required of counters whose samples do not contain their time. */
static PyObject *counter_batch_submit(PyObject *self, PyObject *const *args,
                                      Py_ssize_t n_args, PyObject *keywords)
{
    static const struct rln_py_signature signature = {
        "batch_submit", 2, 2, {RLN_PY_VALUES, RLN_PY_TIMESTAMPS}};
    PyObject *values;

    if (take_first(self, &signature, args, n_args, keywords, &values))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *counter_sample_no_value(PyObject *self, PyObject *const *args,
                                         Py_ssize_t n_args, PyObject *keywords)
{
    static const struct rln_py_signature signature = {
        "sample_no_value", 1, 1, {RLN_PY_REASON}};
    PyObject *reason;

    if (take_first(self, &signature, args, n_args, keywords, &reason) ||
        rln_py_no_value_reason(rln_py_state_of(Py_TYPE(self)), reason) < 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef counter_methods[] = {
    METHOD("Counter", "sample", counter_sample),
    METHOD("Counter", "batch_submit", counter_batch_submit),
    METHOD("Counter", "sample_no_value", counter_sample_no_value),
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(
    counter_doc,
    "A Counter without a recorder. Methods do nothing.\n\n"
    "Example, without a tool:\n"
    "    >>> nvtx.get_domain(\"host\").get_counter(\"load\", float).sample(0.5)");

static PyType_Slot counter_slots[] = {
    {Py_tp_doc, (void *)counter_doc},
    {Py_tp_dealloc, dummy_dealloc},
    {Py_tp_methods, counter_methods},
    {0, NULL},
};

static PyType_Spec counter_spec = {
    .name = "rangeline.nvtx.DummyCounter",
    .basicsize = sizeof(PyObject),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = counter_slots,
};

/* The attributes of a Counter, as attributes of the class. */
static int add_attributes(PyTypeObject *type, PyObject *dummy_domain)
{
    static const char *const none[] = {"name",  "dtype",     "description",
                                       "scope", "semantics", "time_domain"};

    for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
        if (PyObject_SetAttrString((PyObject *)type, none[i], Py_None))
            return -1;
    }
    return PyObject_SetAttrString((PyObject *)type, "domain", dummy_domain);
}

int rln_py_add_dummies(PyObject *module, struct native_state *state)
{
    if (rln_py_add_type(module, &domain_spec, &state->dummy_domain_type) ||
        rln_py_add_only(module, "dummy_domain", state->dummy_domain_type,
                        &state->dummy_domain) ||
        rln_py_add_type(module, &counter_spec, &state->dummy_counter_type) ||
        add_attributes(state->dummy_counter_type, state->dummy_domain))
        return -1;
    return rln_py_add_only(module, "dummy_counter", state->dummy_counter_type,
                           &state->dummy_counter);
}
