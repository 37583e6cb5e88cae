/* SPDX-License-Identifier: Apache-2.0 */
/* py_event_attributes.c - implements the type EventAttributes, and the objects that a
 * domain keeps.
 *
 * A domain keeps the objects made by get_event_attributes() under their arguments, and
 * returns the same object for equal ones. Changing an object removes it, so that a
 * later request for the old values does not return the new ones.
 *
 * EventAttributes of the DummyDomain only store their values: they are never sent.
 */
#include "events/py_event_attributes.h"

#include "base/py_arguments.h"
#include "events/py_event.h"

/* ---- Fields ---------------------------------------------------------------------- */

/* Replaces a field's reference; steals `value`. None becomes NULL. */
static void keep(PyObject **field, PyObject *value)
{
    PyObject *const before = *field;

    if (value == Py_None) {
        Py_DECREF(value);
        value = NULL;
    }
    *field = value;
    Py_XDECREF(before);
}

/* The message of the domain: a new reference, or NULL with an exception. */
static PyObject *message_of(struct event_attributes_object *self, PyObject *message)
{
    const struct native_state *const state = rln_py_state_of(Py_TYPE(self));

    if (message == Py_None || Py_TYPE(message) == state->registered_string_type)
        return Py_NewRef(message);
    if (self->domain)
        return rln_py_register_string(self->domain, message);
    return rln_py_text(message, "message") ? Py_NewRef(message) : NULL;
}

static int set_message(struct event_attributes_object *self, PyObject *message)
{
    PyObject *const string = message_of(self, message);

    if (!string)
        return -1;
    if (self->domain &&
        rln_py_event_set_message(&self->event.attributes, self->domain, string)) {
        Py_DECREF(string);
        return -1;
    }
    keep(&self->kept.message, string);
    return 0;
}

static int set_color(struct event_attributes_object *self, PyObject *color)
{
    if (rln_py_event_set_color(&self->event.attributes, rln_py_state_of(Py_TYPE(self)),
                               color))
        return -1;
    keep(&self->kept.color, Py_NewRef(color));
    return 0;
}

static int set_category(struct event_attributes_object *self, PyObject *category)
{
    const bool has_number = self->domain || PyLong_Check(category);

    return rln_py_event_set_category(&self->event.attributes, self->domain,
                                     has_number ? category : Py_None);
}

static int set_payload(struct event_attributes_object *self, PyObject *payload)
{
    if (self->domain && rln_py_event_set_payload(&self->event, self->domain, payload))
        return -1;
    keep(&self->kept.payload, Py_NewRef(payload));
    return 0;
}

static int set_fields(struct event_attributes_object *self,
                      const struct rln_py_fields *fields)
{
    if ((fields->color && set_color(self, fields->color)) ||
        (fields->category && set_category(self, fields->category)) ||
        (fields->message && set_message(self, fields->message)) ||
        (fields->payload && set_payload(self, fields->payload)))
        return -1;
    return 0;
}

/* ---- Objects that a domain keeps ------------------------------------------------- */

static PyObject *make(PyTypeObject *type, struct domain_object *domain,
                      const struct rln_py_fields *fields)
{
    static const nvtxEventAttributes_t empty = RLN_PY_EVENT_INIT;
    struct event_attributes_object *const self =
        (struct event_attributes_object *)type->tp_alloc(type, 0);

    if (!self)
        return NULL;
    self->event.attributes = empty;
    Py_XINCREF(domain);
    self->domain = domain;
    if (set_fields(self, fields)) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

PyObject *rln_py_new_attributes(struct domain_object *domain,
                                const struct rln_py_fields *fields)
{
    return make(domain->state->event_attributes_type, domain, fields);
}

/* Whether a value's type is immutable and compares by value. */
static bool is_simple(PyObject *value)
{
    return value == Py_None || PyUnicode_CheckExact(value) ||
           PyLong_CheckExact(value) || PyFloat_CheckExact(value);
}

/* The key of the arguments, which distinguishes equal values of different types. NULL
 * without an exception if the result must not be kept. */
static PyObject *key_of(const struct rln_py_fields *fields)
{
    PyObject *const value[] = {fields->message ? fields->message : Py_None,
                               fields->color ? fields->color : Py_None,
                               fields->category ? fields->category : Py_None,
                               fields->payload ? fields->payload : Py_None};

    for (size_t i = 0; i < sizeof(value) / sizeof(*value); i++) {
        if (!is_simple(value[i]))
            return NULL;
    }
    return PyTuple_Pack(7, value[0], value[1], value[2], value[3], Py_TYPE(value[1]),
                        Py_TYPE(value[2]), Py_TYPE(value[3]));
}

PyObject *rln_py_get_attributes(struct domain_object *domain,
                                const struct rln_py_fields *fields)
{
    PyObject *const key = key_of(fields);
    PyObject *attributes, *kept = NULL;

    if (!key)
        return PyErr_Occurred() ? NULL : rln_py_new_attributes(domain, fields);
    /* Objects may leave this dictionary, so lock it while a reference is only borrowed.
     */
    Py_BEGIN_CRITICAL_SECTION(domain->attributes);
    kept = PyDict_GetItemWithError(domain->attributes, key);
    Py_XINCREF(kept);
    Py_END_CRITICAL_SECTION();
    if (kept || PyErr_Occurred()) {
        Py_DECREF(key);
        return kept;
    }

    attributes = rln_py_new_attributes(domain, fields);
    if (attributes && PyDict_GET_SIZE(domain->attributes) < RLN_PY_MAX_ATTRIBUTES) {
        ((struct event_attributes_object *)attributes)->is_kept = true;
        Py_BEGIN_CRITICAL_SECTION(domain->attributes);
        kept = PyDict_SetDefault(domain->attributes, key, attributes);
        Py_XINCREF(kept);
        Py_END_CRITICAL_SECTION();
        Py_DECREF(attributes);
        attributes = kept;
    }
    Py_DECREF(key);
    return attributes;
}

/* Removes an object that is about to change from its domain's dictionary. */
static int forget(struct event_attributes_object *self)
{
    PyObject *dict, *key, *value, *found = NULL;
    Py_ssize_t position = 0;
    int result = 0;

    if (!__atomic_exchange_n(&self->is_kept, false, __ATOMIC_RELAXED))
        return 0;
    dict = self->domain->attributes;
    /* A search, because the key cannot be computed from the properties. It happens once
     * per object. */
    Py_BEGIN_CRITICAL_SECTION(dict);
    while (!found && PyDict_Next(dict, &position, &key, &value)) {
        if (value == (PyObject *)self)
            found = key;
    }
    Py_XINCREF(found);
    Py_END_CRITICAL_SECTION();
    if (found)
        result = PyDict_DelItem(dict, found);
    Py_XDECREF(found);
    return result;
}

int rln_py_change_attributes(struct event_attributes_object *attributes,
                             const struct rln_py_fields *fields)
{
    int result;

    if (forget(attributes))
        return -1;
    Py_BEGIN_CRITICAL_SECTION(attributes);
    result = set_fields(attributes, fields);
    Py_END_CRITICAL_SECTION();
    return result;
}

/* ---- The type -------------------------------------------------------------------- */

static PyObject *attributes_tp_new(PyTypeObject *type, PyObject *args,
                                   PyObject *keywords)
{
    static const struct rln_py_signature signature = {
        "EventAttributes",
        5,
        5,
        {RLN_PY_DOMAIN, RLN_PY_MESSAGE, RLN_PY_COLOR, RLN_PY_CATEGORY, RLN_PY_PAYLOAD}};
    const struct native_state *const state = rln_py_state_of(type);
    struct domain_object *domain;
    PyObject *argument[5];

    if (rln_py_arguments_of_tuple(state, &signature, args, keywords, argument) ||
        rln_py_domain_argument(state, argument[0], &domain))
        return NULL;
    return make(
        type, domain,
        &(struct rln_py_fields){argument[1], argument[2], argument[3], argument[4]});
}

static int attributes_traverse(PyObject *object, visitproc visit, void *arg)
{
    struct event_attributes_object *const self =
        (struct event_attributes_object *)object;

    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->domain);
    Py_VISIT(self->kept.message);
    Py_VISIT(self->kept.color);
    Py_VISIT(self->kept.payload);
    return 0;
}

/* Only a payload or a color can be part of a cycle. */
static int attributes_clear(PyObject *object)
{
    struct event_attributes_object *const self =
        (struct event_attributes_object *)object;

    Py_CLEAR(self->kept.color);
    Py_CLEAR(self->kept.payload);
    return 0;
}

static void attributes_dealloc(PyObject *object)
{
    struct event_attributes_object *const self =
        (struct event_attributes_object *)object;

    PyObject_GC_UnTrack(object);
    attributes_clear(object);
    Py_CLEAR(self->kept.message);
    Py_CLEAR(self->domain);
    rln_py_event_clear(&self->event);
    rln_py_free(object);
}

static PyObject *or_none(PyObject *value)
{
    return value ? value : Py_None;
}

static PyObject *get_domain(PyObject *object, void *unused)
{
    PyObject *const domain =
        (PyObject *)((struct event_attributes_object *)object)->domain;

    return Py_NewRef(domain ? domain : rln_py_state_of(Py_TYPE(object))->dummy_domain);
}

/* Properties: `offset` in struct rln_py_fields. */
static PyObject *get_property(PyObject *object, void *offset)
{
    struct event_attributes_object *const self =
        (struct event_attributes_object *)object;

    return Py_NewRef(or_none(*(PyObject **)((char *)&self->kept + (size_t)offset)));
}

static PyObject *get_category(PyObject *object, void *unused)
{
    return PyLong_FromUnsignedLong(
        ((struct event_attributes_object *)object)->event.attributes.category);
}

/* `del` sets it to none. */
static int set_property(PyObject *object, PyObject *value, void *offset)
{
    struct rln_py_fields fields = {NULL, NULL, NULL, NULL};

    *(PyObject **)((char *)&fields + (size_t)offset) = value ? value : Py_None;
    return rln_py_change_attributes((struct event_attributes_object *)object, &fields);
}

static PyObject *attributes_repr(PyObject *object)
{
    struct event_attributes_object *const self =
        (struct event_attributes_object *)object;
    PyObject *message = or_none(self->kept.message);

    if (Py_TYPE(message) == rln_py_state_of(Py_TYPE(object))->registered_string_type)
        message = ((struct registered_string_object *)message)->string;
    return PyUnicode_FromFormat(
        "<EventAttributes message=%R color=%R category=%lu payload=%R>", message,
        or_none(self->kept.color), (unsigned long)self->event.attributes.category,
        or_none(self->kept.payload));
}

static PyObject *attributes_reduce(PyObject *object, PyObject *unused)
{
    struct event_attributes_object *const self =
        (struct event_attributes_object *)object;

    return Py_BuildValue("O(NOOkO)", Py_TYPE(object), get_domain(object, NULL),
                         or_none(self->kept.message), or_none(self->kept.color),
                         (unsigned long)self->event.attributes.category,
                         or_none(self->kept.payload));
}

#define FIELD(name) ((void *)offsetof(struct rln_py_fields, name))

static PyGetSetDef attributes_getset[] = {
    {"domain", get_domain, NULL, "The Domain that these belong to, or the DummyDomain.",
     NULL},
    {"message", get_property, set_property,
     "The event's RegisteredString, or None. May be set to a str, too.",
     FIELD(message)},
    {"color", get_property, set_property,
     "A color's name, an int (ARGB) or None, as it was given.", FIELD(color)},
    {"category", get_category, set_property,
     "The category's id; 0: none. May be set to a name, too.", FIELD(category)},
    {"payload", get_property, set_property,
     "The value that goes with the event, as it was given, or None.", FIELD(payload)},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef attributes_methods[] = {
    {"__reduce__", attributes_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(attributes_doc,
             "What an event says besides its time: made once, sent often.\n\n"
             "Domain.get_event_attributes() makes them.\n\n"
             "Example:\n"
             "    >>> domain = nvtx.get_domain(\"solver\")\n"
             "    >>> step = domain.get_event_attributes(\"step\", color=\"red\")\n"
             "    >>> step.payload = 7\n"
             "    >>> domain.mark(step)");

static PyType_Slot attributes_slots[] = {
    {Py_tp_doc, (void *)attributes_doc},
    {Py_tp_new, attributes_tp_new},
    {Py_tp_traverse, attributes_traverse},
    {Py_tp_clear, attributes_clear},
    {Py_tp_dealloc, attributes_dealloc},
    {Py_tp_repr, attributes_repr},
    {Py_tp_getset, attributes_getset},
    {Py_tp_methods, attributes_methods},
    {0, NULL},
};

static PyType_Spec attributes_spec = {
    .name = "rangeline.nvtx.EventAttributes",
    .basicsize = sizeof(struct event_attributes_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = attributes_slots,
};

int rln_py_add_event_attributes(PyObject *module, struct native_state *state)
{
    return rln_py_add_type(module, &attributes_spec, &state->event_attributes_type);
}
