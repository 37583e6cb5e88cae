/* SPDX-License-Identifier: Apache-2.0 */
/* py_annotate.h - defines the object annotate: a range around a block of code, or
 * around calls of a function.
 *
 *     annotate object                        RegisteredString
 *     | event ------------------------------> its event       only a message
 *     | event ----> own.attributes                            other fields, too
 *     | event ----> attributes->event         EventAttributes  once requested
 */
#ifndef RLN_PYTHON_ANNOTATE_H
#define RLN_PYTHON_ANNOTATE_H

#include "domain/py_started.h"
#include "events/py_event_attributes.h"

struct annotate_object {
    PyObject ob_base;
    struct native_state *state;   /* borrowed; NULL in derived classes */
    struct domain_object *domain; /* owned; NULL: not recorded */
    const nvtxEventAttributes_t
        *event;             /* the event to send, without a copied payload */
    PyObject *arguments[5]; /* as passed, or NULL; owned: see ARGUMENT_... */
    struct event_attributes_object *attributes; /* owned; NULL until requested */
    struct rln_py_paused *paused;               /* ranges in frames that can pause */
    size_t n_pushed;        /* pushes in plain frames that are not popped yet */
    bool has_large_payload; /* the payload in `arguments` is copied at each use */
    bool is_simple;         /* only a message, and initialized once */
    struct rln_py_event own;
};

enum {
    ARGUMENT_MESSAGE,
    ARGUMENT_COLOR,
    ARGUMENT_DOMAIN,
    ARGUMENT_CATEGORY,
    ARGUMENT_PAYLOAD
};

/* For a payload that is copied at each use. */
const nvtxEventAttributes_t *rln_py_annotate_large(struct annotate_object *annotation,
                                                   struct rln_py_event *room);

/* The event to send now, with the payload's present value. NULL with an exception, or
 * without one if it is not recorded, for example because a second __init__ failed. In
 * any case the caller ends *out. */
static inline const nvtxEventAttributes_t *
rln_py_begin_annotation(struct annotate_object *annotation, struct rln_py_outgoing *out)
{
    rln_py_begin_outgoing(out, annotation->attributes);
    if (RLN_PY_UNLIKELY(annotation->has_large_payload))
        return rln_py_annotate_large(annotation, &out->room);
    return annotation->event;
}

#endif
