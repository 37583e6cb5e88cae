/* SPDX-License-Identifier: Apache-2.0 */
/* py_event.h - converts Python values to the fields of an event's attributes.
 *
 * Each function sets one field; 0, or -1 with an exception that names the parameter.
 * Fields borrow their text: a registered string lives as long as its domain, a plain
 * one as long as the Python object.
 */
#ifndef RLN_PYTHON_EVENT_H
#define RLN_PYTHON_EVENT_H

#include "domain/py_registered_string.h"
#include "payload/py_payload.h"

/* str, bytes, RegisteredString, None or NULL. Registers new text up to the limits. */
int rln_py_event_set_message(nvtxEventAttributes_t *event, struct domain_object *domain,
                             PyObject *message);

/* A color's name, an int (ARGB), a color of matplotlib; blue for None or NULL. */
int rln_py_event_set_color(nvtxEventAttributes_t *event, struct native_state *state,
                           PyObject *color);

/* Whether a color is the same object as the name of a known color was before: without
 * reading its text. */
static inline bool rln_py_is_recent_color(const struct native_state *state,
                                          PyObject *color)
{
    const size_t i = ((uintptr_t)color >> 4) % RLN_PY_N_RECENT_COLORS;

    return __atomic_load_n(&state->recent_colors[i], __ATOMIC_RELAXED) == color;
}

/* For colors of events that are not recorded: raises the exceptions of
 * rln_py_event_set_color(), but does not import matplotlib. 0, or -1 with an exception.
 */
int rln_py_event_check_color(struct native_state *state, PyObject *color);

/* A category's name, its number, None or NULL. Without a domain, a name is only
 * checked.
 */
int rln_py_event_set_category(nvtxEventAttributes_t *event,
                              struct domain_object *domain, PyObject *category);

/* A number, None or NULL; returns 1 for anything else and sets nothing. */
int rln_py_event_set_number(nvtxEventAttributes_t *event, PyObject *payload);

/* The values of an event, each borrowed; NULL: none, or leave unchanged. */
struct rln_py_fields {
    PyObject *message, *color, *category, *payload;
};

/* An event and the data of its payload: made for one call, or kept. */
struct rln_py_event {
    nvtxEventAttributes_t attributes;
    struct rln_py_payload payload; /* attributes.payload may point to it */
};

/* Makes an event that owns nothing. Zeroing does the same. */
static inline void rln_py_event_init(struct rln_py_event *event)
{
    event->payload.bytes = NULL;
}

static inline void rln_py_event_clear(struct rln_py_event *event)
{
    if (RLN_PY_UNLIKELY(event->payload.bytes))
        rln_py_payload_clear(&event->payload);
}

/* Sets the payload: a number, None, NULL, or an array or anything converted to one. */
int rln_py_event_set_payload(struct rln_py_event *event, struct domain_object *domain,
                             PyObject *payload);

/* Sets all fields. rln_py_event_clear() frees the payload's data. */
int rln_py_event_fill(struct rln_py_event *event, struct domain_object *domain,
                      const struct rln_py_fields *fields);

/* For events that are not recorded: raises the exceptions of rln_py_event_fill(), but
 * checks payloads only if they are numbers, because arrays would have to be converted,
 * and does not import matplotlib for a color. 0, or -1 with an exception. */
int rln_py_event_check(struct native_state *state, const struct rln_py_fields *fields);

/* The event of the fields: *event, or, if there is only a message, the prepared event
 * of the registered message. NULL with an exception. */
const nvtxEventAttributes_t *rln_py_event_of(struct rln_py_event *event,
                                             struct domain_object *domain,
                                             const struct rln_py_fields *fields);

#endif
