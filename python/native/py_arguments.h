/* SPDX-License-Identifier: Apache-2.0 */
/* py_arguments.h - arguments of a vectorcall, by position and by keyword, without
 * building a tuple or a dictionary.
 */
#ifndef RLN_PYTHON_ARGUMENTS_H
#define RLN_PYTHON_ARGUMENTS_H

#include "py_native.h"

struct rln_py_signature {
    const char *function; /* its name, for messages */
    uint8_t n_parameters;
    uint8_t n_positional;  /* the first ones, which may come by position */
    uint8_t parameters[6]; /* enum rln_py_keyword */
};

/* Puts borrowed references into out[], NULL for what was not given. 0, or -1 with a
 * TypeError as Python's own functions raise it. `n_args` is without
 * PY_VECTORCALL_ARGUMENTS_OFFSET. */
int rln_py_arguments(const struct native_state *state,
                     const struct rln_py_signature *signature, PyObject *const *args,
                     Py_ssize_t n_args, PyObject *keywords, PyObject **out);

/* The same of a tuple and a dictionary, as tp_new and tp_init have them. */
int rln_py_arguments_of_tuple(const struct native_state *state,
                              const struct rln_py_signature *signature, PyObject *args,
                              PyObject *keywords, PyObject **out);

/* `text` as UTF-8, borrowed as long as `text` lives: a str, or bytes as they are. NULL
 * with an exception that names the parameter: TypeError, or UnicodeEncodeError of lone
 * surrogates. */
const char *rln_py_text(PyObject *text, const char *parameter);

/* `text` to be kept: a new reference to the str or bytes itself, or to a copy of one of
 * a derived class, whose own __eq__ and __hash__ say nothing about what is sent. `text`
 * is a str or bytes; NULL with an exception. */
PyObject *rln_py_plain_text(PyObject *text);

/* The same as a key of a dictionary, of a text that is plain (or None): bytes in a
 * tuple. They have the hash of the str of the same letters, and `python -bb` lets
 * nobody compare the two. A new reference, or NULL with an exception. */
PyObject *rln_py_text_key(PyObject *plain);

/* Lets a UnicodeEncodeError that is set, but no other exception, end in `parameter`. */
void rln_py_name_surrogates(const char *parameter);

/* Sets a TypeError: `parameter` must be `expected`, not the type of `value`. */
void rln_py_wrong_type(const char *parameter, const char *expected, PyObject *value);

/* Sets an OverflowError: `parameter` must be within `bounds`, not the int `value`. */
void rln_py_out_of_range(const char *parameter, const char *bounds, PyObject *value);

#endif
