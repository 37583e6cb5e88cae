/* SPDX-License-Identifier: Apache-2.0 */
/* py_arguments.h - parses the arguments of a vectorcall, by position and by keyword,
 * without building a tuple or a dictionary.
 */
#ifndef RLN_PYTHON_ARGUMENTS_H
#define RLN_PYTHON_ARGUMENTS_H

#include "base/py_native.h"

#include <string.h>

struct rln_py_signature {
    const char *function; /* its name, for messages */
    uint8_t n_parameters;
    uint8_t n_positional;  /* the first ones, which may be positional */
    uint8_t parameters[6]; /* enum rln_py_keyword */
};

/* Puts borrowed references into out[], NULL for arguments not passed. 0, or -1 with the
 * TypeError that Python's own functions raise. `n_args` does not include
 * PY_VECTORCALL_ARGUMENTS_OFFSET. */
int rln_py_arguments(const struct native_state *state,
                     const struct rln_py_signature *signature, PyObject *const *args,
                     Py_ssize_t n_args, PyObject *keywords, PyObject **out);

/* The same for the tuple and dictionary of tp_new and tp_init. */
int rln_py_arguments_of_tuple(const struct native_state *state,
                              const struct rln_py_signature *signature, PyObject *args,
                              PyObject *keywords, PyObject **out);

/* `text` as UTF-8, borrowed as long as `text` lives: a str, or unchanged bytes. NULL
 * with an exception that names the parameter: TypeError, UnicodeEncodeError of lone
 * surrogates, or ValueError of a NUL, where C's strings end. */
const char *rln_py_text(PyObject *text, const char *parameter);

/* Whether it is an ordinary text, which rln_py_text() would accept: a check without a
 * call into Python, for calls that record nothing. */
static inline bool rln_py_is_ordinary_text(PyObject *text)
{
    return PyUnicode_CheckExact(text) && PyUnicode_IS_COMPACT_ASCII(text) &&
           !memchr(PyUnicode_DATA(text), 0, (size_t)PyUnicode_GET_LENGTH(text));
}

/* A new reference to the str or bytes `text`, for storing. Copies an object of a
 * derived class, because its __eq__ and __hash__ may differ from those of the text that
 * is sent. NULL with an exception. */
PyObject *rln_py_plain_text(PyObject *text);

/* The dictionary key of a plain text (or None). Bytes go in a tuple: they hash like the
 * str of the same letters, and under `python -bb` comparing the two raises. A new
 * reference, or NULL with an exception. */
PyObject *rln_py_text_key(PyObject *plain);

/* Adds `parameter` to the reason of the current exception if it is a
 * UnicodeEncodeError. */
void rln_py_name_surrogates(const char *parameter);

/* Sets a TypeError: `parameter` must be `expected`, not the type of `value`. */
void rln_py_wrong_type(const char *parameter, const char *expected, PyObject *value);

/* Sets an OverflowError: `parameter` must be within `bounds`, not the int `value`. */
void rln_py_out_of_range(const char *parameter, const char *bounds, PyObject *value);

#endif
