/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/py_started.h"

#include <nvtx3/nvToolsExtPayload.h>
#include <string.h>

/* Payloads that an event of ours has at most, besides the one added here. */
#define MAX_PAYLOADS 1

/* ---- Ranges that others can be begun in -------------------------------------------
 */

/* How far the way back to outer ranges is kept. Tasks may create each other forever. */
#define MAX_DEPTH 64

struct outer_range {
    PyObject ob_base;
    struct outer_range *outer; /* owned, or NULL */
    nvtxRangeId_t id;
    unsigned depth;
    bool has_ended; /* atomic: other threads may have tasks in it */
};

static void outer_range_dealloc(PyObject *range)
{
    Py_XDECREF(((struct outer_range *)range)->outer);
    rln_py_free(range);
}

static PyType_Slot slots[] = {
    {Py_tp_doc, "A start/end range that others can be begun in."},
    {Py_tp_dealloc, outer_range_dealloc},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "rangeline._native.OuterRange",
    .basicsize = sizeof(struct outer_range),
    .flags = Py_TPFLAGS_DEFAULT | RLN_PY_NO_CONSTRUCTOR,
    .slots = slots,
};

int rln_py_add_started(PyObject *module, struct native_state *state)
{
    state->current_range = PyContextVar_New("rangeline: innermost range", NULL);
    return state->current_range
               ? rln_py_add_subtype(module, &spec, NULL, &state->outer_range_type)
               : -1;
}

/* Takes `outer`. NULL if there is no memory. */
static PyObject *make(const struct native_state *state, struct outer_range *outer,
                      nvtxRangeId_t id)
{
    struct outer_range *const made =
        PyObject_New(struct outer_range, state->outer_range_type);

    if (!made)
        PyErr_Clear();
    if (!made || (outer && outer->depth == MAX_DEPTH))
        Py_CLEAR(outer);
    if (made) {
        made->outer = outer;
        made->id = id;
        made->depth = outer ? outer->depth + 1 : 0;
        made->has_ended = false;
    }
    return (PyObject *)made;
}

static bool has_ended(const struct outer_range *range)
{
    return __atomic_load_n(&range->has_ended, __ATOMIC_RELAXED);
}

/* The innermost open range that this context is in: a new reference, or NULL. */
static struct outer_range *current(const struct native_state *state)
{
    PyObject *value = NULL;
    struct outer_range *range;

    if (!state->current_range) /* the interpreter ends */
        return NULL;
    if (PyContextVar_Get(state->current_range, NULL, &value))
        PyErr_Clear();
    if (value && Py_TYPE(value) != state->outer_range_type) /* copy_context() has it */
        Py_CLEAR(value);
    range = (struct outer_range *)value;
    while (range && has_ended(range)) {
        struct outer_range *const ended = range;

        range = ended->outer;
        Py_XINCREF(range);
        Py_DECREF(ended);
    }
    return range;
}

/* ---- Starts ------------------------------------------------------------------------
 */

static nvtxRangeId_t start_in(const struct domain_object *domain,
                              const nvtxEventAttributes_t *event,
                              const nvtxRangeId_t *outer)
{
    nvtxPayloadData_t payloads[MAX_PAYLOADS + 1];
    nvtxEventAttributes_t copy = *event;
    size_t n = 0;

    if (event->payloadType == NVTX_PAYLOAD_TYPE_EXT) {
        n = (size_t)event->reserved0;
        memcpy(payloads, (const void *)(uintptr_t)event->payload.ullValue,
               n * sizeof(payloads[0]));
    }
    payloads[n].schemaId = NVTX_PAYLOAD_ENTRY_TYPE_RANGE_ID;
    payloads[n].size = sizeof(*outer);
    payloads[n].payload = outer;
    copy.payloadType = NVTX_PAYLOAD_TYPE_EXT;
    copy.reserved0 = (int32_t)n + 1;
    copy.payload.ullValue = NVTX_POINTER_AS_PAYLOAD_ULLVALUE(payloads);
    return nvtxDomainRangeStartEx(domain->handle, &copy);
}

static bool has_room(const nvtxEventAttributes_t *event)
{
    return event->payloadType == NVTX_PAYLOAD_UNKNOWN ||
           (event->payloadType == NVTX_PAYLOAD_TYPE_EXT &&
            event->reserved0 <= MAX_PAYLOADS);
}

struct rln_py_started rln_py_started_begin(struct domain_object *domain,
                                           const nvtxEventAttributes_t *event,
                                           bool is_of_coroutine)
{
    struct rln_py_started started = {0, NULL};
    struct outer_range *outer;

    if (RLN_PY_UNLIKELY(!rln_py_is_on(domain->state)))
        return started;
    outer = current(domain->state);
    started.id = outer && has_room(event)
                     ? start_in(domain, event, &outer->id)
                     : nvtxDomainRangeStartEx(domain->handle, event);
    if (is_of_coroutine && domain->state->current_range)
        started.as_outer = make(domain->state, outer, started.id);
    else
        Py_XDECREF(outer);
    return started;
}

void rln_py_started_enter(const struct native_state *state,
                          const struct rln_py_started *started)
{
    PyObject *const outer = started->as_outer;
    PyObject *token;

    if (!outer || !state->current_range)
        return;
    Py_INCREF(outer); /* code that is run may end the range */
    token = PyContextVar_Set(state->current_range, outer);
    if (!token)
        PyErr_Clear();
    Py_XDECREF(token);
    Py_DECREF(outer);
}

void rln_py_started_end(const struct domain_object *domain,
                        struct rln_py_started *started)
{
    struct outer_range *const outer = (struct outer_range *)started->as_outer;

    if (started->id) /* else it was suppressed */
        nvtxDomainRangeEnd(domain->handle, started->id);
    if (outer)
        __atomic_store_n(&outer->has_ended, true, __ATOMIC_RELAXED);
    Py_CLEAR(started->as_outer);
    started->id = 0;
}
