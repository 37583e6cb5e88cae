/* SPDX-License-Identifier: Apache-2.0 */
/* py_counter.h - declares the struct that the three types of counters share.
 *
 * A domain creates its counters, once for equal arguments. They never change.
 */
#ifndef RLN_PYTHON_COUNTER_H
#define RLN_PYTHON_COUNTER_H

#include "counters/py_samples.h"
#include "domain/py_domain.h"

#include <nvtx3/nvToolsExtCounters.h>

struct counter_object {
    PyObject_HEAD struct domain_object *domain; /* owned, as are all of these */
    uint64_t id;                                /* the tool's */
    PyObject *name;                             /* arguments as passed */
    PyObject *dtype;                            /* int, float, or a NumPy dtype */
    PyObject *description;
    PyObject *scope;
    PyObject *semantics;
    unsigned long long time_domain;
    struct rln_py_layout layout; /* of an ExtCounter */
};

/* The number of a CounterNoValueReason, or -1 with an exception. */
int rln_py_no_value_reason(struct native_state *state, PyObject *reason);

#endif
