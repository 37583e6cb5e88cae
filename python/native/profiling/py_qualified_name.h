/* SPDX-License-Identifier: Apache-2.0 */
/* py_qualified_name.h - the qualified name of a function whose call begins.
 *
 * What dataclasses and attrs make does not have the name of its class in its code, in no
 * version, nor does any function until 3.10; the class of the first argument has it.
 * Classes are read directly: a metaclass may define what reading its attributes runs.
 */
#ifndef RLN_PYTHON_QUALIFIED_NAME_H
#define RLN_PYTHON_QUALIFIED_NAME_H

#include "base/py_native.h"

/* The function's frame is on top. A new reference; runs no code, and leaves no
 * exception. */
PyObject *rln_py_qualified_name(PyCodeObject *code);

#endif
