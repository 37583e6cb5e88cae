/* SPDX-License-Identifier: Apache-2.0 */
/* py_domain_counters.h - declares the methods of Domain and DummyDomain for counters
 * and their clock: get_timestamp is METH_NOARGS, the others METH_FASTCALL |
 * METH_KEYWORDS.
 */
#ifndef RLN_PYTHON_DOMAIN_COUNTERS_H
#define RLN_PYTHON_DOMAIN_COUNTERS_H

#include "base/py_native.h"

PyObject *rln_py_domain_get_counter(PyObject *self, PyObject *const *args,
                                    Py_ssize_t n_args, PyObject *keywords);
PyObject *rln_py_dummy_domain_get_counter(PyObject *self, PyObject *const *args,
                                          Py_ssize_t n_args, PyObject *keywords);
PyObject *rln_py_domain_get_timestamp(PyObject *self, PyObject *unused);

#define RLN_PY_GET_COUNTER_DOC                                                         \
    "get_counter($self, /, name, dtype, *, description=None, scope=None, "             \
    "semantics=None, time_domain=None)\n--\n\n"                                        \
    "Returns a counter: the same object for equal arguments.\n\n"                      \
    "`dtype` is int, float, or what NumPy makes a dtype of; a structured one is a "    \
    "group of\ncounters, whose fields are numbers or texts. `scope` is a path, or a "  \
    "PredefinedScope.\n`time_domain`, a TimestampType, is the clock of batches; "      \
    "None: the tool's.\n\n"                                                            \
    "Raises TypeError for a wrong type and for nested or array fields, and "           \
    "RuntimeError for\nother types than int and float without NumPy.\n\n"              \
    "Example:\n"                                                                       \
    "    >>> load = nvtx.get_domain(\"host\").get_counter(\n"                          \
    "    ...     \"load\", float, semantics=nvtx.CounterSemantics(unit=\"%\"))\n"      \
    "    >>> load.sample(12.5)"

#define RLN_PY_GET_TIMESTAMP_DOC                                                       \
    "get_timestamp($self, /)\n--\n\n"                                                  \
    "Returns the tool's time now, for Counter.batch_submit().\n\n"                     \
    "Example:\n"                                                                       \
    "    >>> now = nvtx.get_domain(\"host\").get_timestamp()"

#endif
