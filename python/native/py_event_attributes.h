/* SPDX-License-Identifier: Apache-2.0 */
/* py_event_attributes.h - EventAttributes: an event's attributes, made once and sent
 * often. */
#ifndef RLN_PYTHON_EVENT_ATTRIBUTES_H
#define RLN_PYTHON_EVENT_ATTRIBUTES_H

#include "py_event.h"

struct event_attributes_object {
    PyObject ob_base;
    struct rln_py_event event; /* what is sent */
    struct domain_object
        *domain;        /* owned, as are all of these; NULL: the DummyDomain */
    PyObject *message;  /* RegisteredString, of the DummyDomain a text, NULL */
    PyObject *color;    /* as it was given; NULL: none */
    PyObject *category; /* int; NULL: none */
    PyObject *payload;  /* as it was given; NULL: none */
    bool is_kept;       /* in domain->attributes, for equal arguments */
};

/* While attributes are sent, nobody may change them. With a global lock nobody can:
 * there it is held until they are sent. `attributes` may be NULL. */
#ifdef Py_GIL_DISABLED

struct rln_py_sending {
    PyCriticalSection section;
    bool is_held;
};

static inline void rln_py_begin_sending(struct rln_py_sending *sending,
                                        struct event_attributes_object *attributes)
{
    sending->is_held = attributes != NULL;
    if (attributes)
        PyCriticalSection_Begin(&sending->section, (PyObject *)attributes);
}

static inline void rln_py_end_sending(struct rln_py_sending *sending)
{
    if (sending->is_held)
        PyCriticalSection_End(&sending->section);
}

#else

struct rln_py_sending {
    char unused;
};

static inline void rln_py_begin_sending(struct rln_py_sending *sending,
                                        struct event_attributes_object *attributes)
{
}

static inline void rln_py_end_sending(struct rln_py_sending *sending)
{
}

#endif

/* EventAttributes of the domain: a new reference, the same object for equal arguments
 * until somebody changes it, or NULL with an exception. */
PyObject *rln_py_get_attributes(struct domain_object *domain,
                                const struct rln_py_fields *fields);

/* Like that, but an object of the caller's own. */
PyObject *rln_py_new_attributes(struct domain_object *domain,
                                const struct rln_py_fields *fields);

/* Changes what is given: 0, or -1 with an exception. */
int rln_py_change_attributes(struct event_attributes_object *attributes,
                             const struct rln_py_fields *fields);

#endif
