/* SPDX-License-Identifier: Apache-2.0 */
/* py_types.c - adds types to the module, and finds the module's state again. */
#include "base/py_native.h"

struct native_state *rln_py_state_of(PyTypeObject *type)
{
    for (; type; type = type->tp_base) {
        PyObject *module;

        if (!PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE))
            continue;
        module = ((PyHeapTypeObject *)type)->ht_module;
        if (module && PyModule_GetDef(module) == &rln_py_module)
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

int rln_py_add_only(PyObject *module, const char *name, PyTypeObject *type,
                    PyObject **object)
{
    *object = PyObject_CallNoArgs((PyObject *)type);
    return *object ? PyObject_SetAttrString(module, name, *object) : -1;
}

void rln_py_free(PyObject *object)
{
    PyTypeObject *const type = Py_TYPE(object);

    type->tp_free(object);
    Py_DECREF(type);
}

PyObject *rln_py_import(const char *module, const char *name)
{
    PyObject *const imported = PyImport_ImportModule(module);
    PyObject *const found = imported ? PyObject_GetAttrString(imported, name) : NULL;

    Py_XDECREF(imported);
    return found;
}
