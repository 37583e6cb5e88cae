/* SPDX-License-Identifier: Apache-2.0 */
/* py_module.c - defines the extension module `rangeline._native` and its state. */
#include "base/py_native.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

/* NVTX_DISABLE disables all events, except with one of these values. */
static bool is_disabled_by_environment(void)
{
    static const char *const enabling_values[] = {"", "0", "false", "no", "off"};
    const char *const value = getenv("NVTX_DISABLE");

    if (!value)
        return false;
    for (size_t i = 0; i < sizeof(enabling_values) / sizeof(*enabling_values); i++) {
        if (!strcasecmp(value, enabling_values[i]))
            return false;
    }
    return true;
}

static int intern_keywords(struct native_state *state)
{
#define TEXT(name, text) #text,
    static const char *const text[] = {RLN_PY_EACH_KEYWORD(TEXT)};

    for (int i = 0; i < RLN_PY_N_KEYWORDS; i++) {
        state->keywords[i] = PyUnicode_InternFromString(text[i]);
        if (!state->keywords[i])
            return -1;
    }
    return 0;
}

/* All code objects of a module share one object as their file's name. */
static int find_contextlib(struct native_state *state)
{
    static const char *const path[] = {"ExitStack", "enter_context", "__code__",
                                       "co_filename"};
    PyObject *found = PyImport_ImportModule("contextlib");

    for (size_t i = 0; found && i < sizeof(path) / sizeof(*path); i++) {
        PyObject *const next = PyObject_GetAttrString(found, path[i]);

        Py_DECREF(found);
        found = next;
    }
    state->contextlib_file = found;
    return found ? 0 : -1;
}

static int module_exec(PyObject *module)
{
#define ADD(part) rln_py_add_##part,
    static int (*const add[])(PyObject *,
                              struct native_state *) = {RLN_PY_EACH_PART(ADD)};
    struct native_state *const state = PyModule_GetState(module);

    state->is_disabled = is_disabled_by_environment();
    state->domains = PyDict_New();
    state->colors = PyDict_New();
    if (!state->domains || !state->colors || intern_keywords(state) ||
        find_contextlib(state))
        return -1;
    for (size_t i = 0; i < sizeof(add) / sizeof(*add); i++) {
        if (add[i](module, state))
            return -1;
    }
    return 0;
}

/* The objects that the state owns are its first members. */
#define N_OWNED (offsetof(struct native_state, default_domain) / sizeof(PyObject *))

static PyObject *take_owned(struct native_state *state, size_t i, bool clears)
{
    void *const field = (char *)state + i * sizeof(PyObject *);
    PyObject *owned; /* by memcpy: some are declared as PyTypeObject */

    memcpy(&owned, field, sizeof(owned));
    if (clears)
        memset(field, 0, sizeof(owned));
    return owned;
}

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    for (size_t i = 0; i < N_OWNED; i++)
        Py_VISIT(take_owned(PyModule_GetState(module), i, false));
    return 0;
}

static int module_clear(PyObject *module)
{
    struct native_state *const state = PyModule_GetState(module);

    rln_py_free_spare(state);
    state->default_domain = NULL;
    for (size_t i = 0; i < N_OWNED; i++)
        Py_XDECREF(take_owned(state, i, true));
    return 0;
}

static void module_free(void *module)
{
    module_clear(module);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, module_exec},
#if PY_VERSION_HEX >= 0x030c0000
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#if PY_VERSION_HEX >= 0x030d0000
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

struct PyModuleDef rln_py_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "rangeline._native",
    .m_doc = "The C part of rangeline's Python packages. Import those instead.",
    .m_size = sizeof(struct native_state),
    .m_slots = slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
    .m_free = module_free,
};

PyMODINIT_FUNC PyInit__native(void);

PyMODINIT_FUNC PyInit__native(void)
{
    return PyModuleDef_Init(&rln_py_module);
}
