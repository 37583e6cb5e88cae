/* SPDX-License-Identifier: Apache-2.0 */
/* py_domain.c - finds domains by name, and the categories of a domain. */
#include "domain/py_domain.h"

#include "base/py_arguments.h"

/* ---- Domains by name ------------------------------------------------------------- */

PyObject *rln_py_new_domain(struct native_state *state, PyTypeObject *type,
                            PyObject *name, const char *parameter)
{
    nvtxDomainHandle_t handle = NULL;
    struct domain_object *self;

    if (name != Py_None) {
        const char *const text = rln_py_text(name, parameter);

        if (!text)
            return NULL;
        handle = state->is_disabled ? NULL : nvtxDomainCreateA(text);
    }
    if (state->is_disabled || !nvtxDomainIsEnabled(handle)) {
        Py_INCREF(state->dummy_domain);
        return state->dummy_domain;
    }
    self = (struct domain_object *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->handle = handle;
    self->state = state;
    Py_INCREF(name);
    self->name = name;
    self->number = PyLong_FromVoidPtr(handle);
    self->strings = PyDict_New();
    self->attributes = PyDict_New();
    self->categories = PyDict_New();
    self->schemas = PyDict_New();
    self->counters = PyDict_New();
    if (!self->number || !self->strings || !self->attributes || !self->categories ||
        !self->schemas || !self->counters)
        Py_CLEAR(self);
    return (PyObject *)self;
}

/* The domain of `name` (None, or exactly str or bytes), stored under `key`. */
static PyObject *find_or_make(struct native_state *state, PyObject *key, PyObject *name,
                              const char *parameter)
{
    PyObject *domain, *kept;

    /* Borrowed from a dictionary that never loses an entry. */
    kept = PyDict_GetItemWithError(state->domains, key);
    if (kept || PyErr_Occurred()) {
        Py_XINCREF(kept);
        return kept;
    }
    domain = rln_py_new_domain(state, state->domain_type, name, parameter);
    if (domain &&
        (name == Py_None || PyDict_GET_SIZE(state->domains) < RLN_PY_MAX_DOMAINS)) {
        kept = PyDict_SetDefault(state->domains, key, domain);
        Py_XINCREF(kept);
        Py_DECREF(domain);
        domain = kept;
    }
    if (name == Py_None) /* borrowed: the dictionary keeps it */
        __atomic_store_n(&state->default_domain, domain, __ATOMIC_RELEASE);
    return domain;
}

PyObject *rln_py_get_domain(struct native_state *state, PyObject *name,
                            const char *parameter)
{
    PyObject *plain, *key, *domain;

    if (name == Py_None)
        return find_or_make(state, name, name, parameter);
    if (!PyUnicode_Check(name) && !PyBytes_Check(name)) {
        rln_py_wrong_type(parameter, "str or None", name);
        return NULL;
    }
    plain = rln_py_plain_text(name);
    key = plain ? rln_py_text_key(plain) : NULL;
    domain = key ? find_or_make(state, key, plain, parameter) : NULL;
    Py_XDECREF(key);
    Py_XDECREF(plain);
    return domain;
}

int rln_py_domain_argument(const struct native_state *state, PyObject *argument,
                           struct domain_object **domain)
{
    *domain = argument == state->dummy_domain ? NULL : (struct domain_object *)argument;
    if (argument && (!*domain || rln_py_is_domain(state, argument)))
        return 0;
    rln_py_wrong_type("domain", "Domain", argument ? argument : Py_None);
    return -1;
}

/* ---- Categories ------------------------------------------------------------------ */

/* Assigns the next number to a category: a borrowed int, or NULL. None if there are too
 * many. */
static PyObject *add_category(struct domain_object *domain, PyObject *key,
                              const char *text)
{
    const Py_ssize_t n_categories = PyDict_GET_SIZE(domain->categories);
    PyObject *number;

    if (n_categories >= RLN_PY_MAX_CATEGORIES)
        return Py_None;
    number = PyLong_FromSsize_t(n_categories + 1);
    if (!number)
        return NULL;
    if (PyDict_SetItem(domain->categories, key, number)) {
        Py_DECREF(number);
        return NULL;
    }
    Py_DECREF(number); /* the dictionary keeps it */
    nvtxDomainNameCategoryA(domain->handle, (uint32_t)(n_categories + 1), text);
    return number;
}

int rln_py_category_id(struct domain_object *domain, PyObject *name, uint32_t *id)
{
    const char *const text = rln_py_text(name, "category");
    PyObject *const plain = text ? rln_py_plain_text(name) : NULL;
    PyObject *const key = plain ? rln_py_text_key(plain) : NULL;
    PyObject *number = NULL;

    Py_XDECREF(plain); /* the key keeps it */
    if (!key)
        return -1;
    /* The dictionary's size determines the next number: no other thread may add. */
    Py_BEGIN_CRITICAL_SECTION(domain);
    number = PyDict_GetItemWithError(domain->categories, key);
    if (!number && !PyErr_Occurred())
        number = add_category(domain, key, text);
    Py_END_CRITICAL_SECTION();
    Py_DECREF(key);
    if (!number)
        return -1;
    *id = number == Py_None ? 0 : (uint32_t)PyLong_AsUnsignedLong(number);
    return 0;
}
