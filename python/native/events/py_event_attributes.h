/* SPDX-License-Identifier: Apache-2.0 */
/* py_event_attributes.h - defines the object EventAttributes, which can be sent several
 * times. */
#ifndef RLN_PYTHON_EVENT_ATTRIBUTES_H
#define RLN_PYTHON_EVENT_ATTRIBUTES_H

#include "events/py_event.h"

struct event_attributes_object {
    PyObject ob_base;
    struct rln_py_event event; /* the event to send */
    struct domain_object
        *domain; /* owned, as are all of these; NULL: the DummyDomain */
    /* As passed, except a message: a RegisteredString, or a text for the DummyDomain.
     * NULL: none. A category has only its number, in the event. */
    struct rln_py_fields kept;
    bool is_kept; /* in domain->attributes, for equal arguments */
};

/* Attributes must not change while they are sent. The global lock ensures this; without
 * one, a critical section does. `attributes` may be NULL. */
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

/* An event about to be sent: of EventAttributes, or made in `room` for this call. */
struct rln_py_outgoing {
    struct rln_py_event room;
    struct rln_py_sending sending;
};

static inline void rln_py_begin_outgoing(struct rln_py_outgoing *out,
                                         struct event_attributes_object *attributes)
{
    rln_py_event_init(&out->room);
    rln_py_begin_sending(&out->sending, attributes);
}

static inline void rln_py_end_outgoing(struct rln_py_outgoing *out)
{
    rln_py_end_sending(&out->sending);
    rln_py_event_clear(&out->room);
}

/* EventAttributes of the domain: a new reference to the same object for equal arguments
 * until it is changed, or NULL with an exception. */
PyObject *rln_py_get_attributes(struct domain_object *domain,
                                const struct rln_py_fields *fields);

/* Like that, but always a new object. */
PyObject *rln_py_new_attributes(struct domain_object *domain,
                                const struct rln_py_fields *fields);

/* Changes the fields passed: 0, or -1 with an exception. */
int rln_py_change_attributes(struct event_attributes_object *attributes,
                             const struct rln_py_fields *fields);

#endif
