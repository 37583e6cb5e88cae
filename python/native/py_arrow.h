/* SPDX-License-Identifier: Apache-2.0 */
/* py_arrow.h - Arrow streams as capsules, wherever they come from. */
#ifndef RLN_PY_ARROW_H
#define RLN_PY_ARROW_H

#include "py_native.h"

#include <rangeline/arrow.h>

/* py_arrow.c: a capsule of the stream, which it takes. `requested` is a capsule of the
 * schema that the reader would like, or None. NULL with an exception leaves the stream
 * to the caller. */
PyObject *rln_py_arrow_capsule(struct ArrowArrayStream *stream, PyObject *requested);

/* py_arrow_rows.c: arrow_rows(columns, requested_schema=None). */
PyObject *rln_py_arrow_rows(PyObject *module, PyObject *args);

/* py_arrow_cast.c: lets the stream give what is asked for, where it can; 0, or -1 with
 * an exception, and the stream is as it was. */
int rln_py_arrow_cast(struct ArrowArrayStream *stream,
                      const struct ArrowSchema *wanted);

#endif
