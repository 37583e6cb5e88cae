/* SPDX-License-Identifier: Apache-2.0 */
/* py_arguments.c - converts arguments, and raises errors that name the parameter. */
#include "base/py_arguments.h"

void rln_py_wrong_type(const char *parameter, const char *expected, PyObject *value)
{
    PyErr_Format(PyExc_TypeError, "%s must be %s, not %.100s", parameter, expected,
                 value == Py_None ? "None" : Py_TYPE(value)->tp_name);
}

void rln_py_out_of_range(const char *parameter, const char *bounds, PyObject *value)
{
    PyObject *text;

    PyErr_Clear(); /* Python's own message about an integer's bounds */
    text = PyObject_Repr(value);
    if (!text)
        PyErr_Clear(); /* Python refuses the text of an int of thousands of digits */
    PyErr_Format(PyExc_OverflowError,
                 text ? "%s must be %s, not %.100U" : "%s must be %s", parameter,
                 bounds, text);
    Py_XDECREF(text);
}

void rln_py_name_surrogates(const char *parameter)
{
    PyObject *type, *error, *traceback, *reason, *longer;
    const char *text;

    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError))
        return;
    PyErr_Fetch(&type, &error, &traceback);
    PyErr_NormalizeException(&type, &error, &traceback);
    reason = PyUnicodeEncodeError_GetReason(error);
    longer = reason ? PyUnicode_FromFormat("%U in %s", reason, parameter) : NULL;
    text = longer ? PyUnicode_AsUTF8(longer) : NULL;
    if (!text || PyUnicodeEncodeError_SetReason(error, text))
        PyErr_Clear(); /* the message is not changed */
    Py_XDECREF(reason);
    Py_XDECREF(longer);
    PyErr_Restore(type, error, traceback);
}

const char *rln_py_text(PyObject *text, const char *parameter)
{
    const char *utf8;
    Py_ssize_t size;

    if (RLN_PY_LIKELY(PyUnicode_Check(text))) {
        utf8 = PyUnicode_AsUTF8AndSize(text, &size);
        if (RLN_PY_UNLIKELY(!utf8)) {
            rln_py_name_surrogates(parameter);
            return NULL;
        }
    } else if (PyBytes_Check(text)) {
        utf8 = PyBytes_AS_STRING(text);
        size = PyBytes_GET_SIZE(text);
    } else {
        rln_py_wrong_type(parameter, "str", text);
        return NULL;
    }
    if (RLN_PY_UNLIKELY(memchr(utf8, 0, (size_t)size))) {
        PyErr_Format(PyExc_ValueError,
                     "%s must not contain a NUL character: tools would cut it there",
                     parameter);
        return NULL;
    }
    return utf8;
}

PyObject *rln_py_plain_text(PyObject *text)
{
    if (RLN_PY_LIKELY(PyUnicode_CheckExact(text) || PyBytes_CheckExact(text)))
        return Py_NewRef(text);
    if (PyUnicode_Check(text))
        return PyUnicode_FromObject(text);
    return PyBytes_FromStringAndSize(PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text));
}

PyObject *rln_py_text_key(PyObject *plain)
{
    return RLN_PY_UNLIKELY(PyBytes_Check(plain)) ? PyTuple_Pack(1, plain)
                                                 : Py_NewRef(plain);
}

/* The index of the parameter that a keyword names, or -1. */
static int find_parameter(const struct native_state *state,
                          const struct rln_py_signature *signature, PyObject *keyword)
{
    /* Keywords in source text are interned like ours: compare addresses first. */
    for (int i = 0; i < signature->n_parameters; i++) {
        if (state->keywords[signature->parameters[i]] == keyword)
            return i;
    }
    for (int i = 0; i < signature->n_parameters; i++) {
        if (PyUnicode_Compare(state->keywords[signature->parameters[i]], keyword) == 0)
            return i;
    }
    return -1;
}

static int take_keyword(const struct native_state *state,
                        const struct rln_py_signature *signature, PyObject *keyword,
                        PyObject *value, PyObject **out)
{
    const int i = find_parameter(state, signature, keyword);

    if (i < 0) {
        PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'",
                     signature->function, keyword);
        return -1;
    }
    if (out[i]) {
        PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%U'",
                     signature->function, keyword);
        return -1;
    }
    out[i] = value;
    return 0;
}

static int take_positional(const struct rln_py_signature *signature,
                           PyObject *const *args, Py_ssize_t n_args, PyObject **out)
{
    if (n_args > signature->n_positional) {
        PyErr_Format(PyExc_TypeError,
                     "%s() takes at most %d positional argument%s (%zd given)",
                     signature->function, signature->n_positional,
                     signature->n_positional == 1 ? "" : "s", n_args);
        return -1;
    }
    for (Py_ssize_t i = 0; i < signature->n_parameters; i++)
        out[i] = i < n_args ? args[i] : NULL;
    return 0;
}

int rln_py_arguments(const struct native_state *state,
                     const struct rln_py_signature *signature, PyObject *const *args,
                     Py_ssize_t n_args, PyObject *keywords, PyObject **out)
{
    if (take_positional(signature, args, n_args, out))
        return -1;
    if (!keywords)
        return 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(keywords); i++) {
        if (take_keyword(state, signature, PyTuple_GET_ITEM(keywords, i),
                         args[n_args + i], out))
            return -1;
    }
    return 0;
}

int rln_py_arguments_of_tuple(const struct native_state *state,
                              const struct rln_py_signature *signature, PyObject *args,
                              PyObject *keywords, PyObject **out)
{
    PyObject *keyword, *value;
    Py_ssize_t position = 0;

    if (take_positional(signature, ((PyTupleObject *)args)->ob_item,
                        PyTuple_GET_SIZE(args), out))
        return -1;
    while (keywords && PyDict_Next(keywords, &position, &keyword, &value)) {
        if (take_keyword(state, signature, keyword, value, out))
            return -1;
    }
    return 0;
}
