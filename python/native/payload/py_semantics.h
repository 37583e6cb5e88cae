/* SPDX-License-Identifier: Apache-2.0 */
/* py_semantics.h - fills NVTX's struct of counter semantics from a CounterSemantics. */
#ifndef RLN_PYTHON_SEMANTICS_H
#define RLN_PYTHON_SEMANTICS_H

#include "base/py_native.h"

#include <nvtx3/nvToolsExtSemanticsCounters.h>

/* Fills *out from an object with CounterSemantics' attributes. The unit's text is
 * borrowed from it. 0, or -1 with an exception. */
int rln_py_semantics_fill(nvtxSemanticsCounter_t *out, PyObject *semantics);

#endif
