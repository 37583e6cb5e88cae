/* SPDX-License-Identifier: Apache-2.0 */
/* py_module.c - defines the extension module `rangeline._native`, its state and its
 * types. */
#include "base/py_native.h"

#include <strings.h>

static struct PyModuleDef definition;

struct native_state *rln_py_state_of(PyTypeObject *type)
{
    for (; type; type = type->tp_base) {
        PyObject *module;

        if (!PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE))
            continue;
        module = ((PyHeapTypeObject *)type)->ht_module;
        if (module && PyModule_GetDef(module) == &definition)
            return PyModule_GetState(module);
    }
    Py_UNREACHABLE(); /* only functions of our own types call this */
}

int rln_py_add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type)
{
    *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    if (!*type)
        return -1;
    return PyModule_AddType(module, *type);
}

int rln_py_add_subtype(PyObject *module, PyType_Spec *spec, PyTypeObject *base,
                       PyTypeObject **type)
{
    PyObject *const bases = PyTuple_Pack(1, base ? base : &PyBaseObject_Type);

    if (!bases)
        return -1;
    *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, bases);
    Py_DECREF(bases);
    if (!*type)
        return -1;
#if PY_VERSION_HEX < 0x030a0000
    (*type)->tp_new = NULL;
#endif
    return PyModule_AddType(module, *type);
}

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
    static const char *const text[RLN_PY_N_KEYWORDS] = {
        [RLN_PY_MESSAGE] = "message",   [RLN_PY_COLOR] = "color",
        [RLN_PY_DOMAIN] = "domain",     [RLN_PY_CATEGORY] = "category",
        [RLN_PY_PAYLOAD] = "payload",   [RLN_PY_ATTRIBUTES] = "attributes",
        [RLN_PY_NAME] = "name",         [RLN_PY_STRING] = "string",
        [RLN_PY_RANGE_ID] = "range_id", [RLN_PY_VALUE] = "value",
        [RLN_PY_VALUES] = "values",     [RLN_PY_TIMESTAMPS] = "timestamps",
        [RLN_PY_REASON] = "reason",     [RLN_PY_MSG] = "msg",
        [RLN_PY_STREAM] = "stream",     [RLN_PY_RANGE_HANDLE] = "range_handle",
        [RLN_PY_DTYPE] = "dtype",
    };

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
    static int (*const add[])(PyObject *, struct native_state *) = {
        rln_py_add_dummy_domain,
        rln_py_add_domain,
        rln_py_add_registered_string,
        rln_py_add_event_attributes,
        rln_py_add_counter,
        rln_py_add_int64_counter,
        rln_py_add_float64_counter,
        rln_py_add_ext_counter,
        rln_py_add_dummy_counter,
        rln_py_add_annotate,
        rln_py_add_annotated,
        rln_py_add_execution,
        rln_py_add_profiler,
        rln_py_add_functions,
        rln_py_add_torch,
        rln_py_add_device_range,
        rln_py_add_control,
        rln_py_add_arrow,
    };
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

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    struct native_state *const state = PyModule_GetState(module);

    Py_VISIT(state->domain_type);
    Py_VISIT(state->dummy_domain_type);
    Py_VISIT(state->registered_string_type);
    Py_VISIT(state->event_attributes_type);
    Py_VISIT(state->counter_type);
    Py_VISIT(state->int64_counter_type);
    Py_VISIT(state->float64_counter_type);
    Py_VISIT(state->ext_counter_type);
    Py_VISIT(state->dummy_counter_type);
    Py_VISIT(state->dummy_counter);
    Py_VISIT(state->ndarray_type);
    Py_VISIT(state->generic_type);
    Py_VISIT(state->annotate_type);
    Py_VISIT(state->annotated_type);
    Py_VISIT(state->execution_type);
    Py_VISIT(state->dummy_domain);
    Py_VISIT(state->decorate);
    Py_VISIT(state->domains);
    Py_VISIT(state->colors);
    return 0;
}

static int module_clear(PyObject *module)
{
    struct native_state *const state = PyModule_GetState(module);

    rln_py_free_spare(state);
    Py_CLEAR(state->domain_type);
    Py_CLEAR(state->dummy_domain_type);
    Py_CLEAR(state->registered_string_type);
    Py_CLEAR(state->event_attributes_type);
    Py_CLEAR(state->counter_type);
    Py_CLEAR(state->int64_counter_type);
    Py_CLEAR(state->float64_counter_type);
    Py_CLEAR(state->ext_counter_type);
    Py_CLEAR(state->dummy_counter_type);
    Py_CLEAR(state->dummy_counter);
    Py_CLEAR(state->ndarray_type);
    Py_CLEAR(state->generic_type);
    Py_CLEAR(state->annotate_type);
    Py_CLEAR(state->annotated_type);
    Py_CLEAR(state->execution_type);
    Py_CLEAR(state->dummy_domain);
    Py_CLEAR(state->decorate);
    Py_CLEAR(state->contextlib_file);
    state->default_domain = NULL;
    Py_CLEAR(state->domains);
    Py_CLEAR(state->colors);
    Py_CLEAR(state->blue);
    for (int i = 0; i < RLN_PY_N_KEYWORDS; i++)
        Py_CLEAR(state->keywords[i]);
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

static struct PyModuleDef definition = {
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
    return PyModuleDef_Init(&definition);
}
