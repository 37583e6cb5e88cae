/* SPDX-License-Identifier: Apache-2.0 */
/* py_event_call.c - makes an event of a call's arguments, and sends it. */
#include "events/py_event_call.h"

#include "base/py_integer.h"

struct call {
    struct domain_object *domain; /* owned; NULL: not recorded, or a Domain's method */
    const nvtxEventAttributes_t *event; /* NULL: not recorded */
    struct rln_py_outgoing out;
};

/* Takes the event of the attributes passed, which further arguments change permanently,
 * or makes one. `self` is NULL for the DummyDomain. Arguments are checked in any case,
 * here and below. */
static int take_of_domain(struct call *call, struct native_state *state,
                          struct domain_object *self, PyObject *const *argument,
                          bool has_more)
{
    const struct rln_py_fields fields = {argument[1], argument[2], argument[3],
                                         argument[4]};
    struct event_attributes_object *const attributes =
        (struct event_attributes_object *)argument[0];

    if (attributes && argument[0] != Py_None &&
        Py_TYPE(attributes) != state->event_attributes_type) {
        rln_py_wrong_type("attributes", "EventAttributes or None", argument[0]);
        return -1;
    }
    if (!self)
        return rln_py_event_check(state, &fields);
    if (!attributes || argument[0] == Py_None) {
        call->event = rln_py_event_of(&call->out.room, self, &fields);
        return call->event ? 0 : -1;
    }
    if (has_more && rln_py_change_attributes(attributes, &fields))
        return -1;
    rln_py_begin_outgoing(&call->out, attributes);
    call->event = &attributes->event.attributes;
    return 0;
}

static int take_of_torch(struct call *call, struct native_state *state,
                         const char *function, PyObject *const *argument)
{
    const struct rln_py_fields fields = {NULL, argument[1], argument[3], argument[4]};
    const char *text;

    if (!argument[0]) {
        PyErr_Format(PyExc_TypeError, "%s() missing required argument 'msg'", function);
        return -1;
    }
    if (rln_py_torch_text(&text, argument[0]) ||
        rln_py_take_domain(state, argument[2], &call->domain))
        return -1;
    if (!call->domain)
        return rln_py_event_check(state, &fields);
    if (rln_py_event_fill(&call->out.room, call->domain, &fields))
        return -1;
    if (!argument[1] || argument[1] == Py_None) { /* torch sends no color */
        call->out.room.attributes.colorType = NVTX_COLOR_UNKNOWN;
        call->out.room.attributes.color = 0;
    }
    call->out.room.attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    call->out.room.attributes.message.ascii = text;
    call->event = &call->out.room.attributes;
    return 0;
}

static int take_of_function(struct call *call, struct native_state *state,
                            PyObject *const *argument)
{
    const struct rln_py_fields fields = {argument[0], argument[1], argument[3],
                                         argument[4]};

    if (rln_py_take_domain(state, argument[2], &call->domain))
        return -1;
    if (!call->domain)
        return rln_py_event_check(state, &fields);
    call->event = rln_py_event_of(&call->out.room, call->domain, &fields);
    return call->event ? 0 : -1;
}

static PyObject *result_unrecorded(const struct rln_py_event_form *form)
{
    if (form->style == RLN_PY_TORCH && form->kind == RLN_PY_PUSH)
        return PyLong_FromLong(NVTX_NO_PUSH_POP_TRACKING);
    if (form->style != RLN_PY_FUNCTION && form->kind == RLN_PY_START)
        return PyLong_FromLong(0);
    Py_RETURN_NONE;
}

PyObject *rln_py_event_call(struct native_state *state, struct domain_object *self,
                            const struct rln_py_event_form *form, PyObject *const *args,
                            Py_ssize_t n_args, PyObject *keywords)
{
    struct call call;
    PyObject *argument[5], *result = NULL;
    int failed;

    if (rln_py_arguments(state, &form->signature, args, n_args, keywords, argument))
        return NULL;
    call.domain = NULL;
    call.event = NULL;
    rln_py_begin_outgoing(&call.out, NULL);
    if (form->style == RLN_PY_OF_DOMAIN)
        failed = take_of_domain(&call, state, self, argument,
                                keywords && PyTuple_GET_SIZE(keywords) > 0);
    else if (form->style == RLN_PY_TORCH)
        failed = take_of_torch(&call, state, form->signature.function, argument);
    else
        failed = take_of_function(&call, state, argument);
    if (!failed)
        result = call.event ? rln_py_send(form, self ? self : call.domain, call.event)
                            : result_unrecorded(form);
    rln_py_end_outgoing(&call.out);
    Py_XDECREF(call.domain);
    return result;
}

int rln_py_pop_call(struct native_state *state,
                    const struct rln_py_signature *signature, PyObject *const *args,
                    Py_ssize_t n_args, PyObject *keywords, int *depth)
{
    struct domain_object *domain;
    PyObject *name;

    if (rln_py_arguments(state, signature, args, n_args, keywords, &name) ||
        rln_py_take_domain(state, name, &domain))
        return -1;
    *depth = domain ? rln_py_pop(domain) : NVTX_NO_PUSH_POP_TRACKING;
    Py_XDECREF(domain);
    return 0;
}

PyObject *rln_py_range_pair(struct domain_object *domain, nvtxRangeId_t id)
{
    PyObject *const pair = PyTuple_New(2);
    PyObject *const number = PyLong_FromUnsignedLongLong(id);

    if (!pair || !number) {
        Py_XDECREF(pair);
        Py_XDECREF(number);
        return NULL;
    }
    PyTuple_SET_ITEM(pair, 0, number);
    PyTuple_SET_ITEM(pair, 1, Py_NewRef(domain->number));
    return pair;
}

int rln_py_range_id(PyObject *argument, nvtxRangeId_t *id)
{
    if (!argument || !PyLong_Check(argument)) {
        rln_py_wrong_type("range_id", "int", argument ? argument : Py_None);
        return -1;
    }
    if (!rln_py_uint64(argument, id))
        *id = 0;
    return 0;
}
