/* SPDX-License-Identifier: Apache-2.0 */
/* py_event_call.h - makes an event of a call's arguments, sends it, and returns what
 * the function returns: for the module's functions, Domain's methods and torch's
 * functions.
 *
 *     style      parameters                                         a message is sent
 *     FUNCTION   message, color, domain, category, payload          registered
 *     OF_DOMAIN  attributes, *, message, color, category, payload   registered
 *     TORCH      msg, *, color, domain, category, payload           as text
 *
 *     returns    push    start                                      not recorded
 *     FUNCTION   None    the range's id and its domain's handle     None
 *     OF_DOMAIN  None    the id                                     (by DummyDomain)
 *     TORCH      depth   the id                                     -2, 0, None
 */
#ifndef RLN_PYTHON_EVENT_CALL_H
#define RLN_PYTHON_EVENT_CALL_H

#include "base/py_arguments.h"
#include "domain/py_switch.h"
#include "events/py_event_attributes.h"

enum rln_py_style { RLN_PY_FUNCTION, RLN_PY_OF_DOMAIN, RLN_PY_TORCH };
enum rln_py_kind {
    RLN_PY_CHECK /* sends nothing */,
    RLN_PY_MARK,
    RLN_PY_PUSH,
    RLN_PY_START
};

struct rln_py_event_form {
    struct rln_py_signature signature;
    enum rln_py_style style;
    enum rln_py_kind kind;
};

#define RLN_PY_FORM_OF_FUNCTION(name, kind)                                            \
    {                                                                                  \
        {name,                                                                         \
         5,                                                                            \
         5,                                                                            \
         {RLN_PY_MESSAGE, RLN_PY_COLOR, RLN_PY_DOMAIN, RLN_PY_CATEGORY,                \
          RLN_PY_PAYLOAD}},                                                            \
            RLN_PY_FUNCTION, kind                                                      \
    }
#define RLN_PY_FORM_OF_DOMAIN(name, kind)                                              \
    {                                                                                  \
        {name,                                                                         \
         5,                                                                            \
         1,                                                                            \
         {RLN_PY_ATTRIBUTES, RLN_PY_MESSAGE, RLN_PY_COLOR, RLN_PY_CATEGORY,            \
          RLN_PY_PAYLOAD}},                                                            \
            RLN_PY_OF_DOMAIN, kind                                                     \
    }
#define RLN_PY_FORM_OF_TORCH(name, kind)                                               \
    {                                                                                  \
        {name,                                                                         \
         5,                                                                            \
         1,                                                                            \
         {RLN_PY_MSG, RLN_PY_COLOR, RLN_PY_DOMAIN, RLN_PY_CATEGORY, RLN_PY_PAYLOAD}},  \
            RLN_PY_TORCH, kind                                                         \
    }

/* Defines the function `function(object, args, n_args, keywords)` of `form`, by way of
 * its file's own call(). */
#define RLN_PY_EVENT_FUNCTION(function, form_of_function)                              \
    static PyObject *function(PyObject *object, PyObject *const *args,                 \
                              Py_ssize_t n_args, PyObject *keywords)                   \
    {                                                                                  \
        static const struct rln_py_event_form form = form_of_function;                 \
                                                                                       \
        return call(object, &form, args, n_args, keywords);                            \
    }

/* A call with any arguments; `self` is the Domain of a method, NULL for a method of the
 * DummyDomain and for functions. */
PyObject *rln_py_event_call(struct native_state *state, struct domain_object *self,
                            const struct rln_py_event_form *form, PyObject *const *args,
                            Py_ssize_t n_args, PyObject *keywords);

/* The argument range_id: 0 for an int that no tool returns, which is ignored like any
 * id that is not open. 0, or -1 with an exception. */
int rln_py_range_id(PyObject *argument, nvtxRangeId_t *id);

/* Pops the newest range of the domain that the arguments name. 0 with its depth, or -1
 * with an exception. */
int rln_py_pop_call(struct native_state *state,
                    const struct rln_py_signature *signature, PyObject *const *args,
                    Py_ssize_t n_args, PyObject *keywords, int *depth);

/* The result of the module's start_range(). */
PyObject *rln_py_range_pair(struct domain_object *domain, nvtxRangeId_t id);

/* Sends an event that is at hand; returns the function's result. */
static RLN_PY_INLINE PyObject *rln_py_send(const struct rln_py_event_form *form,
                                           struct domain_object *domain,
                                           const nvtxEventAttributes_t *event)
{
    if (form->kind == RLN_PY_START) {
        if (form->style != RLN_PY_FUNCTION)
            return PyLong_FromUnsignedLongLong(rln_py_start(domain, event));
        if (RLN_PY_UNLIKELY(!rln_py_is_on(domain->state)))
            Py_RETURN_NONE;
        return rln_py_range_pair(domain, rln_py_start(domain, event));
    }
    if (form->kind == RLN_PY_PUSH) {
        const int depth = rln_py_push(domain, event);

        if (form->style == RLN_PY_TORCH)
            return PyLong_FromLong(depth);
    }
    if (form->kind == RLN_PY_MARK)
        rln_py_mark(domain, event);
    Py_RETURN_NONE;
}

/* The text of a torch function's message, NULL for None. 0, or -1 with an exception. */
static inline int rln_py_torch_text(const char **text, PyObject *message)
{
    *text = message == Py_None ? NULL : rln_py_text(message, "msg");
    return *text || message == Py_None ? 0 : -1;
}

#endif
