/* SPDX-License-Identifier: Apache-2.0 */
/* py_arrow_cast.h - a stream in the types that its reader requests. */
#ifndef RLN_PY_ARROW_CAST_H
#define RLN_PY_ARROW_CAST_H

#include "base/py_native.h"

#include <rangeline/arrow.h>

/* Makes the stream produce the requested types if it can. 0, or -1 with an exception
 * and an unchanged stream. */
int rln_py_arrow_cast(struct ArrowArrayStream *stream,
                      const struct ArrowSchema *wanted);

#endif
