/* SPDX-License-Identifier: Apache-2.0 */
/* py_torch.h - declares the functions of rangeline.torch, with the names that torch
 * uses.
 *
 * rangeline.nvtx uses some of these names, too, so our module calls them `torch_NAME`.
 */
#ifndef RLN_PYTHON_PY_TORCH_H
#define RLN_PYTHON_PY_TORCH_H

#include "base/py_native.h"

/* Adds the functions of an array that ends with NULL. 0, or -1 with an exception. */
int rln_py_add_torch_functions(PyObject *module, PyMethodDef *functions);

#endif
