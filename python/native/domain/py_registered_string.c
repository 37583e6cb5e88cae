/* SPDX-License-Identifier: Apache-2.0 */
/* py_registered_string.c - implements the type RegisteredString, and finds the strings
 * of a domain. */
#include "domain/py_registered_string.h"

#include "base/py_arguments.h"

#include <string.h>
#include <structmember.h>

static PyObject *string_new(struct domain_object *domain, PyObject *message,
                            nvtxStringHandle_t handle, const char *text)
{
    static const nvtxEventAttributes_t empty = RLN_PY_EVENT_INIT;
    PyTypeObject *const type = domain->state->registered_string_type;
    struct registered_string_object *const self =
        (struct registered_string_object *)type->tp_alloc(type, 0);

    if (!self)
        return NULL;
    Py_INCREF(message);
    self->string = message;
    Py_INCREF(domain);
    self->domain = domain;
    self->handle = handle;
    self->event = empty;
    if (handle) {
        self->event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
        self->event.message.registered = handle;
    } else {
        self->event.messageType = NVTX_MESSAGE_TYPE_ASCII;
        self->event.message.ascii = text;
    }
    return (PyObject *)self;
}

/* Registers `message` up to the limits, and stores it under `key`: borrowed. */
static struct registered_string_object *add_string(struct domain_object *domain,
                                                   PyObject *key, PyObject *message)
{
    const char *const text = rln_py_text(message, "message");
    PyObject *string, *kept = NULL;
    size_t size;

    if (!text)
        return NULL;
    size = strlen(text);
    if (PyDict_GET_SIZE(domain->strings) >= RLN_PY_MAX_STRINGS ||
        size + __atomic_load_n(&domain->n_string_bytes, __ATOMIC_RELAXED) >
            RLN_PY_MAX_STRING_BYTES)
        return NULL;
    string = string_new(domain, message,
                        nvtxDomainRegisterStringA(domain->handle, text), text);
    if (!string)
        return NULL;
    /* If another thread was faster, all use its string. */
    kept = PyDict_SetDefault(domain->strings, key, string);
    if (kept == string)
        __atomic_fetch_add(&domain->n_string_bytes, size, __ATOMIC_RELAXED);
    Py_DECREF(string);
    return (struct registered_string_object *)kept;
}

/* For a message that is exactly str or bytes. */
static struct registered_string_object *find_or_add(struct domain_object *domain,
                                                    PyObject *message)
{
    struct registered_string_object *string;
    PyObject *const key = rln_py_text_key(message);

    if (!key)
        return NULL;
    /* Borrowed from a dictionary that never loses an entry. */
    string = (struct registered_string_object *)PyDict_GetItemWithError(domain->strings,
                                                                        key);
    if (!string && !PyErr_Occurred())
        string = add_string(domain, key, message);
    Py_DECREF(key);
    /* Release: publishes the string's contents to threads that find it here. */
    if (string && string->string == message)
        __atomic_store_n(&domain->recent[rln_py_recent(message)], string,
                         __ATOMIC_RELEASE);
    return string;
}

struct registered_string_object *rln_py_find_string_slow(struct domain_object *domain,
                                                         PyObject *message)
{
    struct registered_string_object *string;
    PyObject *plain;

    if (!PyUnicode_Check(message) && !PyBytes_Check(message)) {
        rln_py_wrong_type("message", "str", message);
        return NULL;
    }
    plain = rln_py_plain_text(message);
    string = plain ? find_or_add(domain, plain) : NULL;
    Py_XDECREF(plain); /* the domain keeps it if it was registered */
    return string;
}

PyObject *rln_py_register_string(struct domain_object *domain, PyObject *message)
{
    PyObject *string = (PyObject *)rln_py_find_string(domain, message);
    PyObject *plain;
    const char *text;

    if (string || PyErr_Occurred()) {
        Py_XINCREF(string);
        return string;
    }
    plain = rln_py_plain_text(message);
    text = plain ? rln_py_text(plain, "message") : NULL;
    if (text)
        string = string_new(domain, plain, NULL, text);
    Py_XDECREF(plain); /* the string keeps it */
    return string;
}

/* ---- The type -------------------------------------------------------------------- */

static PyObject *string_tp_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static const struct rln_py_signature signature = {
        "RegisteredString", 2, 2, {RLN_PY_DOMAIN, RLN_PY_STRING}};
    const struct native_state *const state = rln_py_state_of(type);
    struct domain_object *domain;
    PyObject *argument[2];

    if (rln_py_arguments_of_tuple(state, &signature, args, keywords, argument) ||
        rln_py_domain_argument(state, argument[0], &domain))
        return NULL;
    if (!domain) /* as DummyDomain.get_registered_string() does */
        Py_RETURN_NONE;
    return rln_py_register_string(domain, argument[1] ? argument[1] : Py_None);
}

static int string_traverse(PyObject *object, visitproc visit, void *arg)
{
    struct registered_string_object *const self =
        (struct registered_string_object *)object;

    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->domain);
    return 0;
}

/* The cycle between a domain and its strings is broken here: users of the domain still
 * need the strings' text. */
static int string_clear(PyObject *object)
{
    struct registered_string_object *const self =
        (struct registered_string_object *)object;

    Py_CLEAR(self->domain);
    return 0;
}

static void string_dealloc(PyObject *object)
{
    struct registered_string_object *const self =
        (struct registered_string_object *)object;

    PyObject_GC_UnTrack(object);
    string_clear(object);
    Py_CLEAR(self->string);
    rln_py_free(object);
}

static PyObject *string_repr(PyObject *object)
{
    const struct registered_string_object *const self =
        (const struct registered_string_object *)object;

    return PyUnicode_FromFormat("<RegisteredString %R>", self->string);
}

static PyObject *string_get_handle(PyObject *object, void *unused)
{
    return PyLong_FromVoidPtr(((struct registered_string_object *)object)->handle);
}

static PyObject *string_reduce(PyObject *object, PyObject *unused)
{
    const struct registered_string_object *const self =
        (const struct registered_string_object *)object;

    return Py_BuildValue("O(OO)", Py_TYPE(object), self->domain, self->string);
}

static PyMemberDef string_members[] = {
    {"string", T_OBJECT_EX, offsetof(struct registered_string_object, string), READONLY,
     "The message."},
    {"domain", T_OBJECT_EX, offsetof(struct registered_string_object, domain), READONLY,
     "The Domain that it is registered in."},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef string_getset[] = {
    {"handle", string_get_handle, NULL,
     "The tool's handle as an int; 0 if the domain had no room to register it.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef string_methods[] = {
    {"__reduce__", string_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(string_doc,
             "A message that a domain knows by a handle, as an event's message.\n\n"
             "Domain.get_registered_string() makes them.\n\n"
             "Example:\n"
             "    >>> domain = nvtx.get_domain(\"solver\")\n"
             "    >>> message = domain.get_registered_string(\"step\")\n"
             "    >>> message.string\n"
             "    'step'");

static PyType_Slot string_slots[] = {
    {Py_tp_doc, (void *)string_doc},   {Py_tp_new, string_tp_new},
    {Py_tp_traverse, string_traverse}, {Py_tp_clear, string_clear},
    {Py_tp_dealloc, string_dealloc},   {Py_tp_repr, string_repr},
    {Py_tp_members, string_members},   {Py_tp_getset, string_getset},
    {Py_tp_methods, string_methods},   {0, NULL},
};

static PyType_Spec string_spec = {
    .name = "rangeline.nvtx.RegisteredString",
    .basicsize = sizeof(struct registered_string_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = string_slots,
};

int rln_py_add_registered_string(PyObject *module, struct native_state *state)
{
    return rln_py_add_type(module, &string_spec, &state->registered_string_type);
}
