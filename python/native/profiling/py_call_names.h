/* SPDX-License-Identifier: Apache-2.0 */
/* py_call_names.h - makes the events of functions that a profiler sees, once per
 * function.
 *
 * At the first call of a function, Python code in rangeline/_function_names.py
 * names or excludes it. The name of a function in Python is stored in its code object
 * (PyUnstable_Code_SetExtra), the name of one in C in a table of the profiler.
 *
 * NVTX does not know where a function is in the source. A resource says it, of type
 * RLN_PY_RESOURCE_LOCATION, whose identifier is the handle of the registered name.
 */
#ifndef RLN_PYTHON_CALL_NAMES_H
#define RLN_PYTHON_CALL_NAMES_H

#include "domain/py_domain.h"
#include "profiling/py_calls.h"

/* Its text is "FILE:LINE": docs/reference/FORMAT.md 6. */
#define RLN_PY_RESOURCE_LOCATION 0x524c0001

/* The name of one function. */
struct rln_py_call_name {
    uint64_t known_to; /* atomic; serial of the rln_py_call_names that set it */
    bool is_excluded;  /* if false, the rest is set: */
    bool can_pause;    /* a generator, coroutine or async generator */
    bool is_coroutine;
    uint8_t call_flags;            /* of a call for which a range is opened */
    nvtxEventAttributes_t event;   /* of a call */
    nvtxEventAttributes_t resumed; /* if it can pause: of a later stretch */
    nvtxEventAttributes_t task; /* of a coroutine: of its whole life, if it is a task */
    PyObject *message;          /* owned: events may point into it */
};

struct rln_py_call_names {
    uint64_t serial;              /* unique */
    struct domain_object *domain; /* owned, as is all of this */
    /* (code, globals, qualified name) -> message, (message, location) or None */
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

/* The name of the function whose frame is on top and about to run. Borrowed; NULL if it
 * cannot be named in this call: with an exception if the program is to get one, which
 * some handler of a signal raised meanwhile. */
const struct rln_py_call_name *rln_py_name_of_code(struct rln_py_call_names *names,
                                                   PyObject *code);

/* The same without calling Python: NULL if it has no name yet. */
const struct rln_py_call_name *rln_py_known_code(struct rln_py_call_names *names,
                                                 PyObject *code);

/* The same for a callable that is about to be called: NULL also if it is not a function
 * in C, or if there are too many. */
const struct rln_py_call_name *rln_py_name_of_builtin(struct rln_py_call_names *names,
                                                      PyObject *callable);
const struct rln_py_call_name *rln_py_known_builtin(struct rln_py_call_names *names,
                                                    PyObject *callable);

#endif
