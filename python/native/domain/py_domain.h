/* SPDX-License-Identifier: Apache-2.0 */
/* py_domain.h - defines the contents of a Domain, and finds domains by name.
 *
 * A domain exists once per name and interpreter, and lives as long as the interpreter,
 * so that a tool's handles stay valid for all users, also in forked children. All its
 * dictionaries are bounded; further results are made at each call and not kept.
 */
#ifndef RLN_PYTHON_DOMAIN_H
#define RLN_PYTHON_DOMAIN_H

#include "base/py_arguments.h"

/* Per domain: registered messages and the bytes of their text, kept sets of attributes,
 * and named categories. Further messages are sent as plain strings, further categories
 * not at all. */
#define RLN_PY_MAX_STRINGS 16384
#define RLN_PY_MAX_STRING_BYTES (4u << 20)
#define RLN_PY_MAX_ATTRIBUTES 4096
#define RLN_PY_MAX_CATEGORIES 65536
/* Per interpreter: domains and colors that are kept. */
#define RLN_PY_MAX_DOMAINS 4096
#define RLN_PY_MAX_COLORS 1024

/* Messages whose RegisteredString is found by their address: a power of two. */
#define RLN_PY_N_RECENT 256

struct registered_string_object;

struct domain_object {
    PyObject ob_base;
    nvtxDomainHandle_t handle;  /* the tool's; NULL: the default domain */
    struct native_state *state; /* borrowed: the type keeps the module */
    PyObject *name;             /* str, bytes or None; owned, as are all of these */
    PyObject *strings;          /* dict: rln_py_text_key() -> RegisteredString */
    PyObject *attributes;       /* dict: arguments -> EventAttributes */
    PyObject *categories;       /* dict: name -> id, counted from 1 */
    PyObject *schemas;          /* dict: key -> schema id (payloads) */
    PyObject *counters;         /* dict: key -> Counter */
    PyObject *number;           /* the handle as an int */
    size_t n_string_bytes;
    struct registered_string_object *recent[RLN_PY_N_RECENT]; /* borrowed, atomic */
};

/* A Domain of `type`, unknown to others, or the DummyDomain if no tool records it. A
 * new reference, or NULL with an exception that calls the name `parameter`. */
PyObject *rln_py_new_domain(struct native_state *state, PyTypeObject *type,
                            PyObject *name, const char *parameter);

/* The domain of `name` (None: the default one): a Domain, or the DummyDomain if no tool
 * records it. A new reference, or NULL with an exception that calls it `parameter`. */
PyObject *rln_py_get_domain(struct native_state *state, PyObject *name,
                            const char *parameter);

/* The default domain, borrowed: NULL if it is not recorded, or was not requested yet.
 */
static inline struct domain_object *
rln_py_default_domain(const struct native_state *state)
{
    PyObject *const domain = __atomic_load_n(&state->default_domain, __ATOMIC_ACQUIRE);

    return domain == state->dummy_domain ? NULL : (struct domain_object *)domain;
}

/* The domain for sending events: owned; NULL without an exception if it is not
 * recorded. `name` may be NULL, for None. */
static inline struct domain_object *rln_py_find_domain(struct native_state *state,
                                                       PyObject *name)
{
    PyObject *domain = NULL;

    if (RLN_PY_LIKELY(!name || name == Py_None)) {
        domain = __atomic_load_n(&state->default_domain, __ATOMIC_ACQUIRE);
        Py_XINCREF(domain);
    }
    if (RLN_PY_UNLIKELY(!domain)) {
        if (state->is_disabled &&
            (!name || name == Py_None || rln_py_is_ordinary_text(name)))
            return NULL; /* without searching */
        domain = rln_py_get_domain(state, name ? name : Py_None, "domain");
    }
    if (domain == state->dummy_domain)
        Py_CLEAR(domain);
    return (struct domain_object *)domain;
}

/* The same as a status: 0, or -1 with an exception. */
static inline int rln_py_take_domain(struct native_state *state, PyObject *name,
                                     struct domain_object **domain)
{
    *domain = rln_py_find_domain(state, name);
    return *domain || !PyErr_Occurred() ? 0 : -1;
}

static inline bool rln_py_is_domain(const struct native_state *state, PyObject *object)
{
    return Py_TYPE(object) == state->domain_type ||
           PyType_IsSubtype(Py_TYPE(object), state->domain_type);
}

/* The Domain passed as `domain`, borrowed; NULL for the DummyDomain. 0, or -1 with an
 * exception. */
int rln_py_domain_argument(const struct native_state *state, PyObject *argument,
                           struct domain_object **domain);

/* The id of the category `name` (str or bytes) in *id: 0, or -1 with an exception. */
int rln_py_category_id(struct domain_object *domain, PyObject *name, uint32_t *id);

#endif
