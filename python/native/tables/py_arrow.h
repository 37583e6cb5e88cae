/* SPDX-License-Identifier: Apache-2.0 */
/* py_arrow.h - passes Arrow streams of any source to Python as capsules. */
#ifndef RLN_PY_ARROW_H
#define RLN_PY_ARROW_H

#include "base/py_native.h"

#include <rangeline/arrow.h>

/* py_arrow.c: a capsule that takes over the stream. `requested` is a capsule of the
 * schema that the reader requests, or None. NULL with an exception; the caller then
 * still owns the stream. */
PyObject *rln_py_arrow_capsule(struct ArrowArrayStream *stream, PyObject *requested);

/* py_arrow_rows.c: arrow_rows(columns, requested_schema=None). */
PyObject *rln_py_arrow_rows(PyObject *module, PyObject *args);

/* py_arrow_cast.c: makes the stream produce the requested types if it can. 0, or -1
 * with an exception and an unchanged stream. */
int rln_py_arrow_cast(struct ArrowArrayStream *stream,
                      const struct ArrowSchema *wanted);

#endif
