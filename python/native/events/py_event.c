/* SPDX-License-Identifier: Apache-2.0 */
/* py_event.c - converts Python values to the fields of an event's attributes. */
#include "events/py_event.h"

#include "base/py_arguments.h"

int rln_py_event_set_message(nvtxEventAttributes_t *event, struct domain_object *domain,
                             PyObject *message)
{
    const struct registered_string_object *string;

    if (!message || message == Py_None) {
        event->messageType = NVTX_MESSAGE_UNKNOWN;
        event->message.ascii = NULL;
        return 0;
    }
    if (Py_TYPE(message) == domain->state->registered_string_type) {
        string = (const struct registered_string_object *)message;
    } else {
        string = rln_py_find_string(domain, message);
        if (!string && PyErr_Occurred())
            return -1;
        if (!string) {
            event->messageType = NVTX_MESSAGE_TYPE_ASCII;
            event->message.ascii = rln_py_text(message, "message");
            return event->message.ascii ? 0 : -1;
        }
    }
    event->messageType = string->event.messageType;
    event->message = string->event.message;
    return 0;
}

/* An int as unsigned 32 bits. */
static int take_u32(uint32_t *out, PyObject *value, const char *parameter)
{
    const unsigned long number = PyLong_AsUnsignedLong(value);

    if ((number == (unsigned long)-1 && PyErr_Occurred()) || number > UINT32_MAX) {
        if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_OverflowError))
            return -1;
        rln_py_out_of_range(parameter, "from 0 to 0xffffffff", value);
        return -1;
    }
    *out = (uint32_t)number;
    return 0;
}

/* What a function of colors.py makes of a color that is not a number: a new reference.
 */
static PyObject *look_up_color(struct native_state *state, PyObject *color,
                               const char *function)
{
    PyObject *const convert = rln_py_import("rangeline.nvtx.colors", function);
    PyObject *number = NULL;

    if (convert)
        number = PyObject_CallFunctionObjArgs(convert, color, NULL);
    Py_XDECREF(convert);
    if (number && PyUnicode_CheckExact(color) &&
        PyDict_GET_SIZE(state->colors) < RLN_PY_MAX_COLORS &&
        PyDict_SetItem(state->colors, color, number))
        Py_CLEAR(number);
    return number;
}

int rln_py_event_set_color(nvtxEventAttributes_t *event, struct native_state *state,
                           PyObject *color)
{
    PyObject *number;
    int result;

    event->colorType = NVTX_COLOR_ARGB;
    event->color = RLN_PY_BLUE;
    if (!color || color == Py_None)
        return 0;
    if (PyLong_Check(color))
        return take_u32(&event->color, color, "color");
    if (PyUnicode_CheckExact(color)) {
        /* Borrowed from a dictionary that never loses an entry. */
        number = PyDict_GetItemWithError(state->colors, color);
        if (number && number != Py_None)
            return take_u32(&event->color, number, "color");
        if (PyErr_Occurred())
            return -1;
    }
    number = look_up_color(state, color, "color_to_hex");
    if (!number)
        return -1;
    result = take_u32(&event->color, number, "color");
    Py_DECREF(number);
    return result;
}

int rln_py_event_set_category(nvtxEventAttributes_t *event,
                              struct domain_object *domain, PyObject *category)
{
    if (!category || category == Py_None) {
        event->category = 0;
        return 0;
    }
    if (PyLong_Check(category))
        return take_u32(&event->category, category, "category");
    if (!PyUnicode_Check(category)) {
        rln_py_wrong_type("category", "str, int or None", category);
        return -1;
    }
    if (!domain)
        return rln_py_text(category, "category") ? 0 : -1;
    return rln_py_category_id(domain, category, &event->category);
}

int rln_py_event_set_number(nvtxEventAttributes_t *event, PyObject *payload)
{
    event->reserved0 = 0;
    if (!payload || payload == Py_None) {
        event->payloadType = NVTX_PAYLOAD_UNKNOWN;
        event->payload.ullValue = 0;
        return 0;
    }
    if (PyLong_Check(payload))
        return rln_py_payload_of_int(payload, &event->payloadType,
                                     &event->payload.ullValue);
    if (PyFloat_CheckExact(payload)) {
        event->payloadType = NVTX_PAYLOAD_TYPE_DOUBLE;
        event->payload.dValue = PyFloat_AS_DOUBLE(payload);
        return 0;
    }
    return 1;
}

int rln_py_event_set_payload(struct rln_py_event *event, struct domain_object *domain,
                             PyObject *payload)
{
    const int result = rln_py_event_set_number(&event->attributes, payload);

    rln_py_event_clear(event);
    if (result <= 0)
        return result;
    if (rln_py_payload_set(&event->payload, domain, payload)) {
        (void)rln_py_event_set_number(&event->attributes, NULL);
        return -1;
    }
    event->attributes.payloadType = event->payload.type;
    event->attributes.reserved0 = event->payload.n_data;
    event->attributes.payload.ullValue = event->payload.value;
    return 0;
}

int rln_py_event_fill(struct rln_py_event *event, struct domain_object *domain,
                      const struct rln_py_fields *fields)
{
    static const nvtxEventAttributes_t empty = RLN_PY_EVENT_INIT;

    event->attributes = empty;
    if (rln_py_event_set_color(&event->attributes, domain->state, fields->color) ||
        rln_py_event_set_category(&event->attributes, domain, fields->category) ||
        rln_py_event_set_message(&event->attributes, domain, fields->message) ||
        rln_py_event_set_payload(event, domain, fields->payload))
        return -1;
    return 0;
}

static bool is_none(PyObject *value)
{
    return !value || value == Py_None;
}

/* Keeps a reference, so that its address stays its own. */
static void remember_color(struct native_state *state, PyObject *color)
{
    const size_t i = ((uintptr_t)color >> 4) % RLN_PY_N_RECENT_COLORS;
    PyObject *before = NULL;

    if (__atomic_load_n(&state->recent_colors[i], __ATOMIC_RELAXED))
        return;
    Py_INCREF(color);
    if (!__atomic_compare_exchange_n(&state->recent_colors[i], &before, color, false,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        Py_DECREF(color); /* another thread has just taken the slot */
}

/* A name is looked up once: its number, or None, is kept. */
int rln_py_event_check_color(struct native_state *state, PyObject *color)
{
    nvtxEventAttributes_t event;
    PyObject *number = NULL;

    if (RLN_PY_LIKELY(rln_py_is_recent_color(state, color)))
        return 0;
    if (PyLong_Check(color))
        return rln_py_event_set_color(&event, state, color);
    if (PyUnicode_CheckExact(color)) {
        number = PyDict_GetItemWithError(state->colors, color);
        if (number)
            remember_color(state, color);
        if (number || PyErr_Occurred())
            return number ? 0 : -1;
    }
    number = look_up_color(state, color, "check_color");
    Py_XDECREF(number);
    return number ? 0 : -1;
}

int rln_py_event_check(struct native_state *state, const struct rln_py_fields *fields)
{
    nvtxEventAttributes_t event;

    if ((!is_none(fields->color) && rln_py_event_check_color(state, fields->color)) ||
        (!is_none(fields->category) &&
         rln_py_event_set_category(&event, NULL, fields->category)) ||
        (!is_none(fields->payload) &&
         rln_py_event_set_number(&event, fields->payload) < 0))
        return -1;
    if (is_none(fields->message) || rln_py_is_ordinary_text(fields->message) ||
        Py_TYPE(fields->message) == state->registered_string_type)
        return 0;
    return rln_py_text(fields->message, "message") ? 0 : -1;
}

const nvtxEventAttributes_t *rln_py_event_of(struct rln_py_event *event,
                                             struct domain_object *domain,
                                             const struct rln_py_fields *fields)
{
    if (is_none(fields->color) && is_none(fields->category) &&
        is_none(fields->payload) && !is_none(fields->message) &&
        Py_TYPE(fields->message) != domain->state->registered_string_type) {
        const struct registered_string_object *const string =
            rln_py_find_string(domain, fields->message);

        if (RLN_PY_LIKELY(string))
            return &string->event;
        if (PyErr_Occurred())
            return NULL;
    }
    return rln_py_event_fill(event, domain, fields) ? NULL : &event->attributes;
}
