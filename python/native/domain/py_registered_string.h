/* SPDX-License-Identifier: Apache-2.0 */
/* py_registered_string.h - defines the object RegisteredString: a message with a handle
 * of the tool. */
#ifndef RLN_PYTHON_REGISTERED_STRING_H
#define RLN_PYTHON_REGISTERED_STRING_H

#include "domain/py_domain.h"

/* The color of an event without one, as NVIDIA's package sends it; as in colors.py. */
#define RLN_PY_BLUE 0x0000ffu

/* An event that has nothing but its color. */
#define RLN_PY_EVENT_INIT                                                              \
    {                                                                                  \
        .version = NVTX_VERSION, .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,                \
        .colorType = NVTX_COLOR_ARGB, .color = RLN_PY_BLUE                             \
    }

struct registered_string_object {
    PyObject ob_base;
    PyObject *string;             /* str or bytes; owned */
    struct domain_object *domain; /* owned */
    nvtxStringHandle_t handle;    /* NULL: beyond the domain's bounds, sent as text */
    nvtxEventAttributes_t event;  /* with only this message; never changes */
};

/* The RegisteredString of `message` (str or bytes): a new reference, up to the limits
 * to the same object for equal messages, or NULL with an exception. */
PyObject *rln_py_register_string(struct domain_object *domain, PyObject *message);

/* The domain's string for `message`, registered now if new: borrowed from the domain.
 * NULL without an exception beyond the limits, otherwise with one. */
struct registered_string_object *rln_py_find_string_slow(struct domain_object *domain,
                                                         PyObject *message);

/* The index of a message in domain->recent. */
static inline size_t rln_py_recent(const PyObject *message)
{
    const uintptr_t address = (uintptr_t)message;

    return (address >> 4 ^ address >> 12) % RLN_PY_N_RECENT;
}

/* The recently used string with this object as its message, as for literals; else NULL.
 * The string keeps the message alive, so no other object can have its address. */
static inline struct registered_string_object *
rln_py_find_recent(const struct domain_object *domain, const PyObject *message)
{
    struct registered_string_object *const string =
        __atomic_load_n(&domain->recent[rln_py_recent(message)], __ATOMIC_ACQUIRE);

    return string && string->string == message ? string : NULL;
}

/* Like rln_py_find_string_slow(), but usually without a dictionary lookup. */
static inline struct registered_string_object *
rln_py_find_string(struct domain_object *domain, PyObject *message)
{
    struct registered_string_object *const string = rln_py_find_recent(domain, message);

    return RLN_PY_LIKELY(string) ? string : rln_py_find_string_slow(domain, message);
}

#endif
