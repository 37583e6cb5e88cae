/* SPDX-License-Identifier: Apache-2.0 */
/* py_qualified_name.c - finds a method in the class of its first argument. */
#include "profiling/py_qualified_name.h"

#include "base/py_frame.h"

#include <frameobject.h>

/* ---- The first argument ---------------------------------------------------------- */

/* A new reference, or NULL. */
static PyObject *first_argument(const PyCodeObject *code)
{
    PyObject *first = NULL;

    if (!code->co_argcount)
        return NULL;
#if PY_VERSION_HEX < 0x030b0000
    const PyFrameObject *const frame = PyEval_GetFrame();

    if (!frame)
        return NULL;
    first = frame->f_localsplus[0];
    /* An argument that inner functions use lies in a cell. */
    if (!first && code->co_cell2arg)
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(code->co_cellvars) && !first; i++)
            if (code->co_cell2arg[i] == 0)
                first = PyCell_GET(frame->f_localsplus[code->co_nlocals + i]);
    Py_XINCREF(first);
#elif PY_VERSION_HEX < 0x030c0000
    const struct _PyInterpreterFrame *const frame =
        PyThreadState_Get()->cframe->current_frame;

    /* Not PyFrame_GetLocals(): the frame would keep what it once gave out. */
    first = frame ? frame->localsplus[0] : NULL;
    Py_XINCREF(first);
#else
    PyFrameObject *const frame = PyEval_GetFrame(); /* borrowed */
    PyObject *const names = PyCode_GetVarnames((PyCodeObject *)code);

    if (frame && names)
        first = PyFrame_GetVar(frame, PyTuple_GET_ITEM(names, 0));
    Py_XDECREF(names);
#endif
    return first;
}

/* ---- The method ------------------------------------------------------------------ */

/* A new reference. */
static PyObject *dictionary_of(PyTypeObject *type)
{
#if PY_VERSION_HEX < 0x030c0000
    Py_XINCREF(type->tp_dict);
    return type->tp_dict;
#else
    return PyType_GetDict(type);
#endif
}

/* A new reference to the function, if it runs this code. */
static PyObject *if_runs(PyObject *function, const PyCodeObject *code)
{
    if (function && PyFunction_Check(function) &&
        PyFunction_GET_CODE(function) == (PyObject *)code)
        return Py_NewRef(function);
    return NULL;
}

#if PY_VERSION_HEX < 0x030b0000
/* An attribute of a type of Python's own, past what a class derived from it defines. */
static PyObject *part_of(PyObject *member, PyTypeObject *type, const char *name,
                         const PyCodeObject *code)
{
    PyObject *const slot = PyDict_GetItemString(type->tp_dict, name); /* borrowed */
    PyObject *const part =
        slot ? Py_TYPE(slot)->tp_descr_get(slot, member, (PyObject *)type) : NULL;
    PyObject *const function = if_runs(part, code);

    Py_XDECREF(part);
    return function;
}

static PyObject *function_in(PyObject *member, const PyCodeObject *code)
{
    static const char *const accessors[] = {"fget", "fset", "fdel"};
    PyObject *function = NULL;

    if (PyObject_TypeCheck(member, &PyClassMethod_Type))
        return part_of(member, &PyClassMethod_Type, "__func__", code);
    if (PyObject_TypeCheck(member, &PyStaticMethod_Type))
        return part_of(member, &PyStaticMethod_Type, "__func__", code);
    if (!PyObject_TypeCheck(member, &PyProperty_Type))
        return if_runs(member, code);
    for (size_t i = 0; i < sizeof(accessors) / sizeof(*accessors) && !function; i++)
        function = part_of(member, &PyProperty_Type, accessors[i], code);
    return function;
}
#else
/* What is generated is a plain function. */
#define function_in if_runs
#endif

/* The qualified name of the function that runs this code and is an attribute of the
 * class, or of one that it is derived from; a new reference, or NULL. */
static PyObject *name_in(PyTypeObject *type, const PyCodeObject *code)
{
    PyObject *const mro = type->tp_mro; /* NULL while the class is made */
    PyObject *name = NULL;

    Py_XINCREF(mro);
    for (Py_ssize_t i = 0; mro && i < PyTuple_GET_SIZE(mro) && !name; i++) {
        PyObject *const owner = PyTuple_GET_ITEM(mro, i);
        PyObject *const names =
            PyType_Check(owner) ? dictionary_of((PyTypeObject *)owner) : NULL;
        PyObject *member = NULL, *function;

        if (names)
            member = PyDict_GetItemWithError(names, code->co_name);
        Py_XINCREF(member);
        function = member ? function_in(member, code) : NULL;
        if (function)
            name = Py_NewRef(((PyFunctionObject *)function)->func_qualname);
        Py_XDECREF(function);
        Py_XDECREF(member);
        Py_XDECREF(names);
    }
    Py_XDECREF(mro);
    return name;
}

/* Of a method of the first argument, or of its class; else NULL. */
static PyObject *name_of_method(const PyCodeObject *code)
{
    PyObject *const first = first_argument(code);
    PyObject *name = NULL;

    if (first && PyType_Check(first))
        name = name_in((PyTypeObject *)first, code);
    if (first && !name)
        name = name_in(Py_TYPE(first), code);
    Py_XDECREF(first);
    return name;
}

/* ---- The name -------------------------------------------------------------------- */

#if PY_VERSION_HEX >= 0x030b0000
static bool begins_with(PyObject *text, const char *prefix)
{
    PyObject *const start = PyUnicode_FromString(prefix);
    const bool does =
        start && PyUnicode_Tailmatch(text, start, 0, PY_SSIZE_T_MAX, -1) == 1;

    Py_XDECREF(start);
    return does;
}
#endif

PyObject *rln_py_qualified_name(PyCodeObject *code)
{
    PyObject *name = NULL;
#if PY_VERSION_HEX < 0x030b0000
    PyObject *const own = code->co_name;
    const bool lacks_class = true;
#else
    PyObject *const own = code->co_qualname;
    const bool lacks_class = begins_with(own, "__create_fn__.") ||
                             begins_with(code->co_filename, "<attrs generated ");
#endif

    if (lacks_class)
        name = name_of_method(code);
    PyErr_Clear(); /* out of memory */
    return name ? name : Py_NewRef(own);
}
