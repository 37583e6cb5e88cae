/* SPDX-License-Identifier: Apache-2.0 */
/* py_call_names.h - the events of functions that a profiler sees, made once for each.
 *
 * Python code says in rangeline/nvtx/_profile.py what a function is called, or that it
 * is left out; that is asked when a function is called for the first time. The answer
 * for a function in Python lies in its code object (PyUnstable_Code_SetExtra), that for
 * one in C in a table of the profiler.
 */
#ifndef RLN_PYTHON_CALL_NAMES_H
#define RLN_PYTHON_CALL_NAMES_H

#include "py_domain.h"

/* What one function is called. */
struct rln_py_call_name {
    uint64_t asked_by; /* atomic; serial of the rln_py_call_names that knows it */
    bool is_left_out;  /* else: */
    nvtxEventAttributes_t event;         /* of a call */
    nvtxEventAttributes_t resumed;       /* of a generator that goes on */
    PyObject *message, *resumed_message; /* owned: events may point into them */
};

struct rln_py_call_names {
    uint64_t serial;              /* one for each */
    struct domain_object *domain; /* owned, as is all of this */
    /* (code, globals) -> message, (message, that of what goes on) or None */
    PyObject *name_of_code;
    PyObject *name_of_builtin;        /* (function) -> message or None */
    struct rln_py_builtin **builtins; /* table by address of the definition */
    size_t n_builtins;
};

/* 0, or -1 with an exception. */
int rln_py_call_names_init(struct rln_py_call_names *names,
                           struct domain_object *domain, PyObject *name_of_code,
                           PyObject *name_of_builtin);
void rln_py_call_names_clear(struct rln_py_call_names *names);
int rln_py_call_names_traverse(struct rln_py_call_names *names, visitproc visit,
                               void *arg);

/* The name of a function whose frame is on top, because it is about to run. Borrowed;
 * NULL if it cannot be named. Never an exception. */
const struct rln_py_call_name *rln_py_name_of_code(struct rln_py_call_names *names,
                                                   PyObject *code);

/* The same, without asking: NULL if nobody has named it yet. */
const struct rln_py_call_name *rln_py_known_code(struct rln_py_call_names *names,
                                                 PyObject *code);

/* Of a callable: NULL also if it is no function in C, or if there are too many. */
const struct rln_py_call_name *rln_py_name_of_builtin(struct rln_py_call_names *names,
                                                      PyObject *callable);

#endif
