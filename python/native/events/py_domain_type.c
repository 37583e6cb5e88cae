/* SPDX-License-Identifier: Apache-2.0 */
/* py_domain_type.c - implements the type Domain, which sends the events of a library or
 * program. */
#include "counters/py_domain_counters.h"
#include "events/py_event_call.h"

#include <structmember.h>

/* ---- Methods --------------------------------------------------------------------- */

static RLN_PY_INLINE PyObject *call(PyObject *object,
                                    const struct rln_py_event_form *form,
                                    PyObject *const *args, Py_ssize_t n_args,
                                    PyObject *keywords)
{
    struct domain_object *const self = (struct domain_object *)object;
    struct event_attributes_object *attributes;
    struct rln_py_outgoing out;
    PyObject *result;

    if (RLN_PY_UNLIKELY(n_args != 1 || keywords ||
                        Py_TYPE(args[0]) != self->state->event_attributes_type))
        return rln_py_event_call(self->state, self, form, args, n_args, keywords);
    attributes = (struct event_attributes_object *)args[0];
    rln_py_begin_outgoing(&out, attributes);
    result = rln_py_send(form, self, &attributes->event.attributes);
    rln_py_end_outgoing(&out);
    return result;
}

RLN_PY_EVENT_FUNCTION(domain_mark, RLN_PY_FORM_OF_DOMAIN("mark", RLN_PY_MARK))
RLN_PY_EVENT_FUNCTION(domain_push_range,
                      RLN_PY_FORM_OF_DOMAIN("push_range", RLN_PY_PUSH))
RLN_PY_EVENT_FUNCTION(domain_start_range,
                      RLN_PY_FORM_OF_DOMAIN("start_range", RLN_PY_START))

static PyObject *domain_pop_range(PyObject *object, PyObject *unused)
{
    rln_py_pop((struct domain_object *)object);
    Py_RETURN_NONE;
}

static PyObject *domain_end_range(PyObject *object, PyObject *const *args,
                                  Py_ssize_t n_args, PyObject *keywords)
{
    static const struct rln_py_signature signature = {
        "end_range", 1, 1, {RLN_PY_RANGE_ID}};
    struct domain_object *const self = (struct domain_object *)object;
    PyObject *argument;
    nvtxRangeId_t id;

    if (rln_py_arguments(self->state, &signature, args, n_args, keywords, &argument) ||
        rln_py_range_id(argument, &id))
        return NULL;
    if (id)
        nvtxDomainRangeEnd(self->handle, id);
    Py_RETURN_NONE;
}

static PyObject *domain_get_registered_string(PyObject *object, PyObject *const *args,
                                              Py_ssize_t n_args, PyObject *keywords)
{
    static const struct rln_py_signature signature = {
        "get_registered_string", 1, 1, {RLN_PY_STRING}};
    struct domain_object *const self = (struct domain_object *)object;
    PyObject *string;

    if (rln_py_arguments(self->state, &signature, args, n_args, keywords, &string))
        return NULL;
    return rln_py_register_string(self, string ? string : Py_None);
}

static PyObject *domain_get_category_id(PyObject *object, PyObject *const *args,
                                        Py_ssize_t n_args, PyObject *keywords)
{
    static const struct rln_py_signature signature = {
        "get_category_id", 1, 1, {RLN_PY_NAME}};
    struct domain_object *const self = (struct domain_object *)object;
    PyObject *name;
    uint32_t id;

    if (rln_py_arguments(self->state, &signature, args, n_args, keywords, &name) ||
        rln_py_category_id(self, name ? name : Py_None, &id))
        return NULL;
    return PyLong_FromUnsignedLong(id);
}

static PyObject *domain_get_event_attributes(PyObject *object, PyObject *const *args,
                                             Py_ssize_t n_args, PyObject *keywords)
{
    static const struct rln_py_signature signature = {
        "get_event_attributes",
        4,
        4,
        {RLN_PY_MESSAGE, RLN_PY_COLOR, RLN_PY_CATEGORY, RLN_PY_PAYLOAD}};
    struct domain_object *const self = (struct domain_object *)object;
    PyObject *argument[4];

    if (rln_py_arguments(self->state, &signature, args, n_args, keywords, argument))
        return NULL;
    return rln_py_get_attributes(
        self,
        &(struct rln_py_fields){argument[0], argument[1], argument[2], argument[3]});
}

static PyObject *domain_set_event_attributes(PyObject *object, PyObject *const *args,
                                             Py_ssize_t n_args, PyObject *keywords)
{
    static const struct rln_py_event_form form =
        RLN_PY_FORM_OF_DOMAIN("set_event_attributes", RLN_PY_CHECK);
    struct domain_object *const self = (struct domain_object *)object;

    if (n_args == 0 && (!keywords || PyTuple_GET_SIZE(keywords) == 0))
        return PyErr_Format(PyExc_TypeError,
                            "set_event_attributes() missing argument 'attributes'");
    return rln_py_event_call(self->state, self, &form, args, n_args, keywords);
}

static PyObject *domain_reduce(PyObject *object, PyObject *unused)
{
    return Py_BuildValue("O(O)", Py_TYPE(object),
                         ((struct domain_object *)object)->name);
}

static PyObject *domain_repr(PyObject *object)
{
    return PyUnicode_FromFormat("<Domain %R>", ((struct domain_object *)object)->name);
}

static PyObject *domain_get_handle(PyObject *object, void *unused)
{
    return Py_NewRef(((struct domain_object *)object)->number);
}

/* ---- The type -------------------------------------------------------------------- */

static PyObject *domain_tp_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static const struct rln_py_signature signature = {"Domain", 1, 1, {RLN_PY_NAME}};
    struct native_state *const state = rln_py_state_of(type);
    PyObject *name;

    if (rln_py_arguments_of_tuple(state, &signature, args, keywords, &name))
        return NULL;
    if (!name)
        name = Py_None;
    if (type == state->domain_type)
        return rln_py_get_domain(state, name, "name");
    return rln_py_new_domain(state, type, name, "name");
}

static int domain_traverse(PyObject *object, visitproc visit, void *arg)
{
    struct domain_object *const self = (struct domain_object *)object;

    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->strings);
    Py_VISIT(self->attributes);
    Py_VISIT(self->categories);
    Py_VISIT(self->schemas);
    Py_VISIT(self->counters);
    return 0;
}

static int domain_clear(PyObject *object)
{
    struct domain_object *const self = (struct domain_object *)object;

    /* Cleared, not freed: methods may still run while the interpreter ends. Strings
     * stay, because events point to them. */
    PyDict_Clear(self->attributes);
    PyDict_Clear(self->schemas);
    PyDict_Clear(self->counters);
    return 0;
}

static void domain_dealloc(PyObject *object)
{
    struct domain_object *const self = (struct domain_object *)object;

    PyObject_GC_UnTrack(object);
    Py_CLEAR(self->name);
    Py_CLEAR(self->number);
    Py_CLEAR(self->strings);
    Py_CLEAR(self->attributes);
    Py_CLEAR(self->categories);
    Py_CLEAR(self->schemas);
    Py_CLEAR(self->counters);
    rln_py_free(object);
}

static PyMemberDef domain_members[] = {
    {"name", T_OBJECT_EX, offsetof(struct domain_object, name), READONLY,
     "The name, or None for the default domain."},
    {"categories", T_OBJECT_EX, offsetof(struct domain_object, categories), READONLY,
     "The ids of named categories, by name."},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef domain_getset[] = {
    {"handle", domain_get_handle, NULL,
     "The tool's handle as an int, the second of start_range()'s pair.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef domain_methods[] = {
    RLN_PY_METHOD(
        "mark", domain_mark,
        "mark($self, /, attributes=None, *, message=None, color=None, "
        "category=None, payload=None)\n--\n\n"
        "Marks an instant. Values given beside `attributes` change it for good.\n\n"
        "Example:\n"
        "    >>> domain.mark(message=\"checkpoint\", payload=3)"),
    RLN_PY_METHOD(
        "push_range", domain_push_range,
        "push_range($self, /, attributes=None, *, message=None, color=None, "
        "category=None, payload=None)\n--\n\n"
        "Begins a range of this thread, which pop_range() ends. Values given beside\n"
        "`attributes` change it for good.\n\n"
        "Example:\n"
        "    >>> step = domain.get_event_attributes(\"step\")\n"
        "    >>> domain.push_range(step)\n"
        "    >>> domain.pop_range()"),
    {"pop_range", domain_pop_range, METH_NOARGS,
     "pop_range($self, /)\n--\n\n"
     "Ends the newest open range of this thread and domain.\n\n"
     "Example:\n"
     "    >>> domain.push_range(message=\"step\")\n"
     "    >>> domain.pop_range()"},
    RLN_PY_METHOD(
        "start_range", domain_start_range,
        "start_range($self, /, attributes=None, *, message=None, color=None, "
        "category=None, payload=None)\n--\n\n"
        "Begins a range that any thread may end, and returns its id for end_range(),\n"
        "0 while switched off. Values given beside `attributes` change it for good.\n\n"
        "Example:\n"
        "    >>> id = domain.start_range(message=\"request\")\n"
        "    >>> domain.end_range(id)"),
    RLN_PY_METHOD("end_range", domain_end_range,
                  "end_range($self, /, range_id)\n--\n\n"
                  "Ends the range that start_range() began. An id that is not open is\n"
                  "ignored.\n\n"
                  "Example:\n"
                  "    >>> domain.end_range(domain.start_range(message=\"request\"))"),
    RLN_PY_METHOD(
        "get_registered_string", domain_get_registered_string,
        "get_registered_string($self, /, string)\n--\n\n"
        "The RegisteredString of a message, the same one for equal messages. Beyond\n"
        "16,384 messages or 4 MiB of text, messages are sent as plain text.\n\n"
        "Example:\n"
        "    >>> domain.get_registered_string(\"step\").string\n"
        "    'step'"),
    RLN_PY_METHOD(
        "get_category_id", domain_get_category_id,
        "get_category_id($self, /, name)\n--\n\n"
        "The number of a named category, counted from 1 in each domain; 0 (none)\n"
        "beyond 65,536 names.\n\n"
        "Example:\n"
        "    >>> domain.get_category_id(\"io\")\n"
        "    1"),
    RLN_PY_METHOD(
        "get_event_attributes", domain_get_event_attributes,
        "get_event_attributes($self, /, message=None, color=None, category=None, "
        "payload=None)\n--\n\n"
        "EventAttributes to send more than once: the same object for equal\n"
        "arguments, unless it was changed.\n\n"
        "Example:\n"
        "    >>> domain.mark(domain.get_event_attributes(\"step\", color=\"red\"))"),
    RLN_PY_METHOD(
        "set_event_attributes", domain_set_event_attributes,
        "set_event_attributes($self, /, attributes, *, message=<unset>, "
        "color=<unset>, category=<unset>, payload=<unset>)\n\n"
        "Changes what is given of EventAttributes; None takes a value away.\n\n"
        "Example:\n"
        "    >>> step = domain.get_event_attributes(\"step\")\n"
        "    >>> domain.set_event_attributes(step, payload=7)"),
    RLN_PY_METHOD("get_counter", rln_py_domain_get_counter, RLN_PY_GET_COUNTER_DOC),
    {"get_timestamp", rln_py_domain_get_timestamp, METH_NOARGS,
     RLN_PY_GET_TIMESTAMP_DOC},
    {"__reduce__", domain_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(
    domain_doc,
    "Domain(name=None)\n--\n\n"
    "The events of one library or program, apart from those of others.\n\n"
    "There is one object for each name; None is the default domain. Without a\n"
    "tool that records the domain it is the DummyDomain. Its methods cost less\n"
    "than the functions of the module.\n\n"
    "Example:\n"
    "    >>> domain = nvtx.get_domain(\"solver\")\n"
    "    >>> step = domain.get_event_attributes(\"step\", color=\"red\")\n"
    "    >>> domain.push_range(step)\n"
    "    >>> domain.pop_range()");

static PyType_Slot domain_slots[] = {
    {Py_tp_doc, (void *)domain_doc},   {Py_tp_new, domain_tp_new},
    {Py_tp_traverse, domain_traverse}, {Py_tp_clear, domain_clear},
    {Py_tp_dealloc, domain_dealloc},   {Py_tp_repr, domain_repr},
    {Py_tp_members, domain_members},   {Py_tp_getset, domain_getset},
    {Py_tp_methods, domain_methods},   {0, NULL},
};

static PyType_Spec domain_spec = {
    .name = "rangeline.nvtx.Domain",
    .basicsize = sizeof(struct domain_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .slots = domain_slots,
};

int rln_py_add_domain(PyObject *module, struct native_state *state)
{
    return rln_py_add_type(module, &domain_spec, &state->domain_type);
}
