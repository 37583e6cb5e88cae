/* SPDX-License-Identifier: Apache-2.0 */
/* py_native.h - declares the state and the parts of the extension `rangeline._native`.
 *
 * `rln_py_add_PART(module, state)` adds a type, or functions; py_module.c calls all of
 * them. All mutable state is in the module's state, one per interpreter. Methods find
 * it through their object's domain; type slots and functions through rln_py_state_of()
 * and PyModule_GetState(). Events go through our NVTX headers, so that any tool can
 * record them: nothing here depends on the collector.
 *
 * Free-threading: dictionaries are the only shared mutable memory. They are used only
 * by atomic operations, or in a critical section of the object that owns them.
 */
#ifndef RLN_PYTHON_NATIVE_H
#define RLN_PYTHON_NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <nvtx3/nvToolsExtPayload.h>

#include <stdbool.h>
#include <stdint.h>

#define RLN_PY_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define RLN_PY_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define RLN_PY_INLINE inline __attribute__((always_inline))
#define RLN_PY_APART __attribute__((noinline)) /* for slow paths */

/* Before 3.13, the global lock always protects objects. */
#ifndef Py_BEGIN_CRITICAL_SECTION
#define Py_BEGIN_CRITICAL_SECTION(object) {
#define Py_END_CRITICAL_SECTION() }
#endif

#if PY_VERSION_HEX >= 0x030a0000
#define RLN_PY_NO_CONSTRUCTOR Py_TPFLAGS_DISALLOW_INSTANTIATION
#else
#define RLN_PY_NO_CONSTRUCTOR 0

static inline PyObject *Py_NewRef(PyObject *object)
{
    Py_INCREF(object);
    return object;
}
#endif

/* Keywords of our functions, and frequently used attributes, as interned strings in
 * native_state.keywords. */
#define RLN_PY_EACH_KEYWORD(X)                                                         \
    X(MESSAGE, message)                                                                \
    X(COLOR, color)                                                                    \
    X(DOMAIN, domain)                                                                  \
    X(CATEGORY, category)                                                              \
    X(PAYLOAD, payload)                                                                \
    X(ATTRIBUTES, attributes)                                                          \
    X(NAME, name)                                                                      \
    X(STRING, string)                                                                  \
    X(RANGE_ID, range_id)                                                              \
    X(VALUE, value)                                                                    \
    X(VALUES, values)                                                                  \
    X(TIMESTAMPS, timestamps)                                                          \
    X(REASON, reason)                                                                  \
    X(MSG, msg)                                                                        \
    X(STREAM, stream)                                                                  \
    X(RANGE_HANDLE, range_handle)                                                      \
    X(DTYPE, dtype)
#define RLN_PY_ENUMERATE(name, text) RLN_PY_##name,
enum rln_py_keyword { RLN_PY_EACH_KEYWORD(RLN_PY_ENUMERATE) RLN_PY_N_KEYWORDS };

/* Freed annotate objects that are kept for reuse. Only with a global lock. */
#define RLN_PY_N_SPARE 8

/* Entries of a method table: with keywords, and by position only. */
#define RLN_PY_METHOD(name, function, doc)                                             \
    {                                                                                  \
        name, (PyCFunction)(void (*)(void))function, METH_FASTCALL | METH_KEYWORDS,    \
            doc                                                                        \
    }
#define RLN_PY_FASTCALL(name, function, doc)                                           \
    {                                                                                  \
        name, (PyCFunction)(void (*)(void))function, METH_FASTCALL, doc                \
    }

/* The module's state: one for each interpreter. */
/* A power of two. */
#define RLN_PY_N_RECENT_COLORS 16

struct native_state {
    /* Owned, up to default_domain; NULL if not used yet. */
    PyTypeObject *domain_type;
    PyTypeObject *dummy_domain_type;
    PyTypeObject *registered_string_type;
    PyTypeObject *event_attributes_type;
    PyTypeObject *counter_type;
    PyTypeObject *int64_counter_type;
    PyTypeObject *float64_counter_type;
    PyTypeObject *ext_counter_type;
    PyTypeObject *dummy_counter_type;
    PyObject *dummy_counter; /* the result of DummyDomain.get_counter() */
    PyTypeObject *annotate_type;
    PyTypeObject *annotated_type;
    PyTypeObject *annotated_function_type;
    PyTypeObject *execution_type;
    PyObject *domains; /* dict: name -> Domain or DummyDomain */
    PyObject *colors;  /* dict: name -> int, of the names used so far; None: accepted
                        * without looking it up, because nothing was recorded */
    PyObject *recent_colors[RLN_PY_N_RECENT_COLORS]; /* some of these names, by address;
                                                      * atomic, never change once set */
    PyObject *keywords[RLN_PY_N_KEYWORDS];

    /* NumPy's types, once NumPy is imported; atomic. See py_numpy.h. */
    PyTypeObject *ndarray_type;
    PyTypeObject *generic_type;
    PyObject *contextlib_file; /* the file of contextlib's code: see py_frame.h */
    PyObject *decorate;        /* rangeline.nvtx._decorate.decorate; NULL before use */
    PyObject *dummy_domain;    /* the only DummyDomain */
    PyObject *current_range;   /* the context variable of domain/py_started.h */
    PyTypeObject *outer_range_type;
    PyObject *no_value_reason_type; /* CounterNoValueReason; NULL before use */

    /* Here ends what py_module.c visits and clears. */
    PyObject *default_domain; /* of get_domain(None); NULL before its first call;
                               * borrowed, atomic */

    /* 0 while all ranges go to the tool. Otherwise twice the number of pushes, over all
     * threads, that were suppressed and not popped yet, plus 1 while switched off.
     * Atomic; see py_switch.h. */
    uintptr_t switched;

    /* The index of Profile's names in code objects (py_call_names.h); -1: none yet. */
    Py_ssize_t code_extra;

    bool is_disabled; /* by NVTX_DISABLE, permanently */

    /* Freed annotate objects, for reuse: see py_annotate.c. */
    struct annotate_object *spare[RLN_PY_N_SPARE];
    int n_spare;
};

extern struct PyModuleDef rln_py_module;

/* The state of the module of one of our types, or of a class derived from one. */
struct native_state *rln_py_state_of(PyTypeObject *type);

/* The parts of the module, in the order in which they are added. */
#define RLN_PY_EACH_PART(X)                                                            \
    X(dummies)                                                                         \
    X(domain)                                                                          \
    X(registered_string)                                                               \
    X(event_attributes)                                                                \
    X(counter)                                                                         \
    X(started)                                                                         \
    X(annotate)                                                                        \
    X(annotated)                                                                       \
    X(execution)                                                                       \
    X(profiler)                                                                        \
    X(functions)                                                                       \
    X(torch)                                                                           \
    X(torch_ops)                                                                       \
    X(device_range)                                                                    \
    X(control)                                                                         \
    X(arrow)                                                                           \
    X(arrow_rows)
#define RLN_PY_DECLARE(part)                                                           \
    int rln_py_add_##part(PyObject *module, struct native_state *state);
RLN_PY_EACH_PART(RLN_PY_DECLARE)
void rln_py_free_spare(struct native_state *state); /* of annotate */

/* Adds a heap type of `spec` to the module; *type is an owned reference. 0, or -1 with
 * an exception. */
int rln_py_add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type);

/* The same for a type with a base (NULL: object) that Python code cannot instantiate.
 * `spec` has RLN_PY_NO_CONSTRUCTOR. */
int rln_py_add_subtype(PyObject *module, PyType_Spec *spec, PyTypeObject *base,
                       PyTypeObject **type);

/* Adds the only object of a type of ours to the module under `name`; *object is an
 * owned reference. 0, or -1 with an exception. */
int rln_py_add_only(PyObject *module, const char *name, PyTypeObject *type,
                    PyObject **object);

/* Frees an object that has released what it owned: the end of its tp_dealloc. */
void rln_py_free(PyObject *object);

/* MODULE.NAME of Python: a new reference, or NULL with an exception. */
PyObject *rln_py_import(const char *module, const char *name);

#endif
