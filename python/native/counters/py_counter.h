/* SPDX-License-Identifier: Apache-2.0 */
/* py_counter.h - declares the struct that the three types of counters share.
 *
 * A domain creates its counters, once for equal arguments. They never change.
 */
#ifndef RLN_PYTHON_COUNTER_H
#define RLN_PYTHON_COUNTER_H

#include "counters/py_samples.h"
#include "domain/py_domain.h"
#include "domain/py_switch.h"

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

/* A counter of `type`: a new reference, not yet registered, or NULL with an exception.
 */
struct counter_object *rln_py_counter_new(PyTypeObject *type,
                                          struct domain_object *domain);

/* The only argument, named `keyword`, of a method: borrowed, or NULL with an exception.
 */
PyObject *rln_py_only_argument(struct counter_object *self, const char *method,
                               enum rln_py_keyword keyword, PyObject *const *args,
                               Py_ssize_t n_args, PyObject *keywords);

/* The method batch_submit() of all of them. */
PyObject *rln_py_batch_submit(PyObject *counter, PyObject *const *args,
                              Py_ssize_t n_args, PyObject *keywords);

/* Adds one of the three types, derived from Counter. All arguments are static. 0, or -1
 * with an exception. */
int rln_py_add_counter_kind(PyObject *module, struct native_state *state,
                            const char *name, const char *doc, PyMethodDef *methods,
                            PyTypeObject **type);

#endif
