/* SPDX-License-Identifier: Apache-2.0 */
/* py_profiler_hook.h - how Python reports calls until 3.11: methods of Profiler. */
#ifndef RLN_PYTHON_PROFILER_HOOK_H
#define RLN_PYTHON_PROFILER_HOOK_H

#include "profiling/py_profiler.h"

#if PY_VERSION_HEX < 0x030c0000
PyObject *rln_py_watch_threads(PyObject *self, PyObject *nothing);
PyObject *rln_py_restore(PyObject *self, PyObject *args, PyObject *keywords);
void rln_py_hook_forget(const struct profiler_object *profiler);
PyObject *rln_py_watch_this_thread(PyObject *self, PyObject *const *args,
                                   Py_ssize_t n_args);
#endif

#endif
