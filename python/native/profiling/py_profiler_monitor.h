/* SPDX-License-Identifier: Apache-2.0 */
/* py_profiler_monitor.h - how Python reports calls from 3.12 on: methods of Profiler. */
#ifndef RLN_PYTHON_PROFILER_MONITOR_H
#define RLN_PYTHON_PROFILER_MONITOR_H

#include "profiling/py_profiler.h"

#if PY_VERSION_HEX >= 0x030c0000
PyObject *rln_py_on_start(PyObject *self, PyObject *const *args, Py_ssize_t n_args);
PyObject *rln_py_on_resume(PyObject *self, PyObject *const *args, Py_ssize_t n_args);
PyObject *rln_py_on_throw(PyObject *self, PyObject *const *args, Py_ssize_t n_args);
PyObject *rln_py_on_return(PyObject *self, PyObject *const *args, Py_ssize_t n_args);
PyObject *rln_py_on_yield(PyObject *self, PyObject *const *args, Py_ssize_t n_args);
PyObject *rln_py_on_unwind(PyObject *self, PyObject *const *args, Py_ssize_t n_args);
PyObject *rln_py_on_call(PyObject *self, PyObject *const *args, Py_ssize_t n_args);
PyObject *rln_py_on_call_end(PyObject *self, PyObject *const *args, Py_ssize_t n_args);
#endif

#endif
