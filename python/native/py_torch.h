/* SPDX-License-Identifier: Apache-2.0 */
/* py_torch.h - functions of rangeline.torch, which are named as torch names them.
 *
 * Some of those names are rangeline.nvtx's, too, so they lie in our module as
 * `torch_NAME`.
 */
#ifndef RLN_PYTHON_PY_TORCH_H
#define RLN_PYTHON_PY_TORCH_H

#include "py_native.h"

/* Adds the functions up to one without a name. 0, or -1 with an exception. */
int rln_py_add_torch_functions(PyObject *module, PyMethodDef *functions);

#endif
