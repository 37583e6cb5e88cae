/* SPDX-License-Identifier: Apache-2.0 */
/* py_arrow.h - passes Arrow streams of any source to Python as capsules. */
#ifndef RLN_PY_ARROW_H
#define RLN_PY_ARROW_H

#include "base/py_native.h"

#include <rangeline/arrow.h>

/* A capsule that takes over the stream. `requested` is a capsule of the
 * schema that the reader requests, or None. NULL with an exception; the caller then
 * still owns the stream. */
PyObject *rln_py_arrow_capsule(struct ArrowArrayStream *stream, PyObject *requested);

#endif
