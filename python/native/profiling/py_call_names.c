/* SPDX-License-Identifier: Apache-2.0 */
/* py_call_names.c - names the functions that a profiler sees, and makes their events.
 */
#include "profiling/py_call_names.h"

#include "base/py_frame.h"
#include "events/py_event.h"
#include "profiling/py_qualified_name.h"

#include <string.h>

#if PY_VERSION_HEX < 0x030c0000
#define PyUnstable_Eval_RequestCodeExtraIndex _PyEval_RequestCodeExtraIndex
#define PyUnstable_Code_GetExtra _PyCode_GetExtra
#define PyUnstable_Code_SetExtra _PyCode_SetExtra
#endif

/* A function in C. Its name confirms that the definition at this address is still the
 * same: one made at run time may be freed, and its address reused. */
struct rln_py_builtin {
    const PyMethodDef *definition;
    char *name;
    struct rln_py_call_name call;
};

/* The size of the table, a power of two, at most half of it used. Further functions in
 * C are not annotated. */
#define MAX_BUILTINS 8192u

/* ---- Names ----------------------------------------------------------------------- */

static void name_clear(struct rln_py_call_name *name)
{
    Py_CLEAR(name->message);
}

static void name_free(void *name)
{
    if (name)
        name_clear(name);
    PyMem_RawFree(name);
}

/* The same event in a category. */
static int set_in_category(nvtxEventAttributes_t *event, struct domain_object *domain,
                           const nvtxEventAttributes_t *original, const char *category)
{
    PyObject *const text = PyUnicode_FromString(category);
    int result = -1;

    *event = *original;
    if (text)
        result = rln_py_event_set_category(event, domain, text);
    Py_XDECREF(text);
    return result;
}

/* Says where the function of that event is. A name that is not registered, because
 * there are too many, goes without, as does one of a file whose name is not UTF-8. */
static void send_location(const nvtxEventAttributes_t *event,
                          const struct domain_object *domain, PyObject *location)
{
    nvtxResourceAttributes_t attributes = {
        .version = NVTX_VERSION,
        .size = NVTX_RESOURCE_ATTRIB_STRUCT_SIZE,
        .identifierType = RLN_PY_RESOURCE_LOCATION,
        .messageType = NVTX_MESSAGE_TYPE_ASCII,
    };

    if (event->messageType != NVTX_MESSAGE_TYPE_REGISTERED)
        return;
    attributes.identifier.ullValue = (uint64_t)(uintptr_t)event->message.registered;
    attributes.message.ascii = rln_py_text(location, "location");
    if (attributes.message.ascii)
        (void)nvtxDomainResourceCreate(domain->handle, &attributes);
    else
        PyErr_Clear();
}

/* From Python's result, a message, a pair of it and its location, or None, and the flags
 * of the code. */
static int name_set(struct rln_py_call_name *name, struct domain_object *domain,
                    PyObject *result, int code_flags)
{
    const bool has_location = PyTuple_Check(result) && PyTuple_GET_SIZE(result) == 2;

    name->is_excluded = result == Py_None;
    if (name->is_excluded)
        return 0;
    name->message = Py_NewRef(has_location ? PyTuple_GET_ITEM(result, 0) : result);
    name->event = (nvtxEventAttributes_t)RLN_PY_EVENT_INIT;
    if (rln_py_event_set_message(&name->event, domain, name->message))
        return -1;
    if (has_location)
        send_location(&name->event, domain, PyTuple_GET_ITEM(result, 1));
    name->can_pause = (code_flags & RLN_PY_CAN_PAUSE) != 0;
    name->is_coroutine = (code_flags & CO_COROUTINE) != 0;
    name->call_flags =
        (uint8_t)(RLN_PY_CALL_IS_OPEN | (name->can_pause ? RLN_PY_CALL_CAN_PAUSE : 0) |
                  (name->event.messageType == NVTX_MESSAGE_TYPE_REGISTERED
                       ? RLN_PY_CALL_IS_NAMED
                       : 0));
    if (name->can_pause &&
        set_in_category(&name->resumed, domain, &name->event, "resumed"))
        return -1;
    return name->is_coroutine
               ? set_in_category(&name->task, domain, &name->event, "task")
               : 0;
}

/* Fills a name from Python's result, which it steals. A function whose name no event
 * can have is excluded. */
static void name_set_result(struct rln_py_call_name *name, struct domain_object *domain,
                            PyObject *result, int code_flags)
{
    name_clear(name);
    if (name_set(name, domain, result, code_flags)) {
        PyErr_Clear();
        name->is_excluded = true;
    }
    Py_DECREF(result);
}

/* ---- Asking Python --------------------------------------------------------------- */

/* Lets a call go deeper than the program's limit of recursion by so many calls, which
 * may be negative. */
static void extend_recursion(int n_calls)
{
    PyThreadState *const thread = PyThreadState_Get();

#if PY_VERSION_HEX < 0x030b0000
    thread->recursion_depth -= n_calls;
#elif PY_VERSION_HEX < 0x030c0000
    thread->recursion_remaining += n_calls;
#else
    thread->py_recursion_remaining += n_calls;
#if PY_VERSION_HEX < 0x030e0000
    thread->c_recursion_remaining += n_calls;
#endif
#endif
}

/* Calls a function of _function_names.py; b and c may be NULL. NULL if it failed: with
 * an exception if that is the program's. Python runs its handlers of signals in any
 * function, so also in this one, and what they raise must reach the program. Ours are
 * only those of a full memory or stack: then a later call of the program's function
 * names it. */
static PyObject *ask_python(PyObject *function, PyObject *a, PyObject *b, PyObject *c)
{
    enum { N_CALLS = 50 }; /* naming takes fewer */
    PyObject *result;
#if PY_VERSION_HEX < 0x030a0000
    /* The program handles a RecursionError: returning from ours would end that. */
    const char overflowed = PyThreadState_Get()->overflowed;
#endif

    extend_recursion(N_CALLS);
    result = PyObject_CallFunctionObjArgs(function, a, b, c, NULL);
    extend_recursion(-N_CALLS);
#if PY_VERSION_HEX < 0x030a0000
    PyThreadState_Get()->overflowed = overflowed;
#endif
    if (!result && (PyErr_ExceptionMatches(PyExc_RecursionError) ||
                    PyErr_ExceptionMatches(PyExc_MemoryError)))
        PyErr_Clear();
    return result;
}

/* ---- Functions in Python --------------------------------------------------------- */

static Py_ssize_t extra_index(struct native_state *state)
{
    if (state->code_extra < 0)
        state->code_extra = PyUnstable_Eval_RequestCodeExtraIndex(name_free);
    return state->code_extra;
}

static struct rln_py_call_name *find_code(const struct rln_py_call_names *names,
                                          PyObject *code)
{
    void *name = NULL;

    if (PyUnstable_Code_GetExtra(code, names->domain->state->code_extra, &name))
        PyErr_Clear();
    return name;
}

/* Acquire: pairs with the release that publishes the name. */
static bool is_known(const struct rln_py_call_names *names,
                     const struct rln_py_call_name *name)
{
    return name && __atomic_load_n(&name->known_to, __ATOMIC_ACQUIRE) == names->serial;
}

static __attribute__((noinline)) struct rln_py_call_name *
learn_code(struct rln_py_call_names *names, PyObject *code)
{
    PyObject *const globals = PyEval_GetGlobals(); /* borrowed */
    PyObject *const qualified = rln_py_qualified_name((PyCodeObject *)code);
    PyObject *result =
        ask_python(names->name_of_code, code, globals ? globals : Py_None, qualified);
    struct rln_py_call_name *name;

    Py_DECREF(qualified);
    if (!result)
        return NULL;
    Py_BEGIN_CRITICAL_SECTION(code);
    name = find_code(names, code);
    if (!name) {
        name = PyMem_RawCalloc(1, sizeof(*name));
        if (!name ||
            PyUnstable_Code_SetExtra(code, names->domain->state->code_extra, name)) {
            PyErr_Clear();
            PyMem_RawFree(name);
            name = NULL;
        }
    }
    if (name && !is_known(names, name)) {
        name_set_result(name, names->domain, result, ((PyCodeObject *)code)->co_flags);
        __atomic_store_n(&name->known_to, names->serial, __ATOMIC_RELEASE);
        result = NULL;
    }
    Py_END_CRITICAL_SECTION();
    Py_XDECREF(result);
    return name;
}

const struct rln_py_call_name *rln_py_known_code(struct rln_py_call_names *names,
                                                 PyObject *code)
{
    const struct rln_py_call_name *const name = find_code(names, code);

    return is_known(names, name) ? name : NULL;
}

const struct rln_py_call_name *rln_py_name_of_code(struct rln_py_call_names *names,
                                                   PyObject *code)
{
    const struct rln_py_call_name *const name = rln_py_known_code(names, code);

    return RLN_PY_LIKELY(name != NULL) ? name : learn_code(names, code);
}

/* ---- Functions in C -------------------------------------------------------------- */

static const PyMethodDef *definition_of(PyObject *callable)
{
    if (PyCFunction_Check(callable))
        return ((PyCFunctionObject *)callable)->m_ml;
    if (Py_IS_TYPE(callable, &PyMethodDescr_Type))
        return ((PyMethodDescrObject *)callable)->d_method;
    return NULL;
}

static void builtin_free(struct rln_py_builtin *builtin)
{
    if (builtin) {
        name_clear(&builtin->call);
        free(builtin->name);
    }
    free(builtin);
}

static __attribute__((noinline)) struct rln_py_builtin *
learn_builtin(struct rln_py_call_names *names, struct rln_py_builtin **slot,
              const PyMethodDef *definition, PyObject *callable)
{
    PyObject *const result = ask_python(names->name_of_builtin, callable, NULL, NULL);
    struct rln_py_builtin *builtin, *other = NULL;

    if (!result)
        return NULL;
    builtin = calloc(1, sizeof(*builtin));
    if (builtin)
        builtin->name = strdup(definition->ml_name);
    if (!builtin || !builtin->name) {
        free(builtin);
        Py_DECREF(result);
        return NULL;
    }
    builtin->definition = definition;
    name_set_result(&builtin->call, names->domain, result, 0);
    /* Release: publishes the contents with the pointer; pairs with the load that finds
     * it. */
    if (!__atomic_compare_exchange_n(slot, &other, builtin, false, __ATOMIC_RELEASE,
                                     __ATOMIC_RELAXED)) {
        builtin_free(builtin); /* another thread has just taken the slot */
        return NULL;
    }
    __atomic_add_fetch(&names->n_builtins, 1, __ATOMIC_RELAXED);
    return builtin;
}

/* Its name, which is learned only where a call begins: what then raises ends that. */
static const struct rln_py_call_name *find_builtin(struct rln_py_call_names *names,
                                                   PyObject *callable, bool learns)
{
    const PyMethodDef *const definition = definition_of(callable);
    size_t i;

    if (!definition || !definition->ml_name)
        return NULL;
    i = (size_t)(((uintptr_t)definition >> 4) * 0x9e3779b97f4a7c15u >> 32);
    for (;; i++) {
        struct rln_py_builtin **const slot = &names->builtins[i % MAX_BUILTINS];
        struct rln_py_builtin *builtin = __atomic_load_n(slot, __ATOMIC_ACQUIRE);

        if (!builtin && learns &&
            __atomic_load_n(&names->n_builtins, __ATOMIC_RELAXED) < MAX_BUILTINS / 2)
            builtin = learn_builtin(names, slot, definition, callable);
        if (!builtin)
            return NULL;
        if (builtin->definition == definition &&
            strcmp(builtin->name, definition->ml_name) == 0)
            return &builtin->call;
    }
}

const struct rln_py_call_name *rln_py_name_of_builtin(struct rln_py_call_names *names,
                                                      PyObject *callable)
{
    return find_builtin(names, callable, true);
}

const struct rln_py_call_name *rln_py_known_builtin(struct rln_py_call_names *names,
                                                    PyObject *callable)
{
    return find_builtin(names, callable, false);
}

/* ---- All of them ----------------------------------------------------------------- */

int rln_py_call_names_init(struct rln_py_call_names *names,
                           struct domain_object *domain, PyObject *name_of_code,
                           PyObject *name_of_builtin)
{
    static uint64_t last_serial;

    if (extra_index(domain->state) < 0) {
        PyErr_SetString(PyExc_RuntimeError,
                        "cannot profile: no free slot in Python's code objects");
        return -1;
    }
    names->builtins = calloc(MAX_BUILTINS, sizeof(*names->builtins));
    if (!names->builtins) {
        PyErr_NoMemory();
        return -1;
    }
    names->serial = __atomic_add_fetch(&last_serial, 1, __ATOMIC_RELAXED);
    Py_INCREF(domain);
    names->domain = domain;
    Py_INCREF(name_of_code);
    names->name_of_code = name_of_code;
    Py_INCREF(name_of_builtin);
    names->name_of_builtin = name_of_builtin;
    return 0;
}

void rln_py_call_names_clear(struct rln_py_call_names *names)
{
    for (size_t i = 0; names->builtins && i < MAX_BUILTINS; i++)
        builtin_free(names->builtins[i]);
    free(names->builtins);
    names->builtins = NULL;
    Py_CLEAR(names->domain);
    Py_CLEAR(names->name_of_code);
    Py_CLEAR(names->name_of_builtin);
}

int rln_py_call_names_traverse(struct rln_py_call_names *names, visitproc visit,
                               void *arg)
{
    Py_VISIT(names->domain);
    Py_VISIT(names->name_of_code);
    Py_VISIT(names->name_of_builtin);
    return 0;
}
