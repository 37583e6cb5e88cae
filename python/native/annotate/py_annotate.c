/* SPDX-License-Identifier: Apache-2.0 */
/* py_annotate.c - implements the type annotate.
 *
 * As a context manager it uses push/pop in the frame of a plain function, and start/end
 * in a frame that can pause (py_frame.h). Many frames may have entered one object at
 * the same time. Frames that can pause are distinguished by address; other frames are
 * not, because their ranges are on their threads' stacks.
 */
#include "annotate/py_annotate.h"

#include "base/py_arguments.h"
#include "base/py_frame.h"

#include <stddef.h>

static const struct rln_py_signature annotate_signature = {
    "annotate",
    5,
    5,
    {RLN_PY_MESSAGE, RLN_PY_COLOR, RLN_PY_DOMAIN, RLN_PY_CATEGORY, RLN_PY_PAYLOAD}};

/* ---- Construction ---------------------------------------------------------------- */

static bool is_small(PyObject *payload)
{
    return !payload || payload == Py_None || PyLong_Check(payload) ||
           PyFloat_CheckExact(payload);
}

static struct rln_py_fields fields_of(const struct annotate_object *self)
{
    PyObject *const *const argument = self->arguments;

    return (struct rln_py_fields){argument[ARGUMENT_MESSAGE], argument[ARGUMENT_COLOR],
                                  argument[ARGUMENT_CATEGORY],
                                  argument[ARGUMENT_PAYLOAD]};
}

/* Sets the event to send. 0, or -1 with an exception. */
static int prepare(struct annotate_object *self)
{
    struct rln_py_fields fields = fields_of(self);

    self->has_large_payload = !is_small(fields.payload);
    if (self->has_large_payload)
        fields.payload = NULL;
    self->event = rln_py_event_of(&self->own, self->domain, &fields);
    return self->event ? 0 : -1;
}

/* The message of `@annotate` without parentheses is the function, method or class that
 * it should decorate. */
static int check_has_parentheses(PyObject *message)
{
    if (!message || !(PyCallable_Check(message) || Py_TYPE(message)->tp_descr_get))
        return 0;
    PyErr_Format(PyExc_TypeError,
                 "message must be str, not %.100s: to decorate without arguments, add "
                 "(), as in @annotate()",
                 Py_TYPE(message)->tp_name);
    return -1;
}

/* Initializes a zeroed object. */
static int annotate_set(struct annotate_object *self, struct native_state *state,
                        PyObject *const *argument)
{
    struct rln_py_fields fields;

    if (check_has_parentheses(argument[ARGUMENT_MESSAGE]) ||
        rln_py_take_domain(state, argument[ARGUMENT_DOMAIN], &self->domain))
        return -1;
    for (int i = 0; i < 5; i++) {
        Py_XINCREF(argument[i]);
        self->arguments[i] = argument[i];
    }
    fields = fields_of(self);
    if (!self->domain)
        return rln_py_event_check(state, &fields);
    if (prepare(self)) {
        Py_CLEAR(self->domain);
        self->has_large_payload = false; /* nothing is sent */
        return -1;
    }
    return 0;
}

/* The same for the common case, a known message and nothing else; else false. */
static inline bool annotate_set_known(struct annotate_object *self,
                                      struct native_state *state,
                                      PyObject *const *argument)
{
    struct domain_object *const domain = rln_py_default_domain(state);
    const struct registered_string_object *string;

    for (int i = ARGUMENT_MESSAGE + 1; i < 5; i++) {
        if (argument[i])
            return false;
    }
    if (!domain || !argument[ARGUMENT_MESSAGE])
        return false;
    string = rln_py_find_recent(domain, argument[ARGUMENT_MESSAGE]);
    if (!string)
        return false;
    self->domain = (struct domain_object *)Py_NewRef((PyObject *)domain);
    self->arguments[ARGUMENT_MESSAGE] = Py_NewRef(argument[ARGUMENT_MESSAGE]);
    self->event = &string->event;
    self->is_simple = true;
    return true;
}

/* The same if nothing is recorded in the default domain. */
static inline bool annotate_set_unrecorded(struct annotate_object *self,
                                           const struct native_state *state,
                                           PyObject *const *argument)
{
    for (int i = ARGUMENT_MESSAGE + 1; i < 5; i++) {
        if (argument[i])
            return false;
    }
    if (!argument[ARGUMENT_MESSAGE] ||
        __atomic_load_n(&state->default_domain, __ATOMIC_RELAXED) !=
            state->dummy_domain ||
        !rln_py_is_ordinary_text(argument[ARGUMENT_MESSAGE]))
        return false;
    self->arguments[ARGUMENT_MESSAGE] = Py_NewRef(argument[ARGUMENT_MESSAGE]);
    return true;
}

/* Zeroes the object, except for its open ranges. */
static void annotate_unset(struct annotate_object *self)
{
    self->event = NULL;
    for (int i = 0; i < 5; i++)
        Py_CLEAR(self->arguments[i]);
    Py_CLEAR(self->attributes);
    Py_CLEAR(self->domain);
    self->has_large_payload = false;
    self->is_simple = false;
    rln_py_event_clear(&self->own);
}

static int annotate_tp_init(PyObject *object, PyObject *args, PyObject *keywords)
{
    struct annotate_object *const self = (struct annotate_object *)object;
    struct native_state *const state = rln_py_state_of(Py_TYPE(object));
    PyObject *argument[5];

    if (rln_py_arguments_of_tuple(state, &annotate_signature, args, keywords, argument))
        return -1;
    annotate_unset(self); /* __init__ may be called again */
    if (annotate_set(self, state, argument))
        return -1;
    if (self->has_large_payload && !PyObject_GC_IsTracked(object))
        PyObject_GC_Track(object);
    return 0;
}

/* A new object, zeroed except for room for paused ranges, and not yet tracked by the
 * garbage collector. Recently freed objects are reused, so that `with annotate("x")` in
 * a loop allocates nothing. */
static struct annotate_object *allocate(struct native_state *state, PyTypeObject *type)
{
    struct annotate_object *self;

#ifndef Py_GIL_DISABLED
    if (RLN_PY_LIKELY(state->n_spare)) {
        self = state->spare[--state->n_spare];
        _Py_NewReference((PyObject *)self);
        return self;
    }
#endif
    self = PyObject_GC_New(struct annotate_object, type);
    if (self)
        memset((char *)self + sizeof(PyObject), 0,
               sizeof(struct annotate_object) - sizeof(PyObject));
    return self;
}

/* Keeps the memory of a zeroed object, with its reference to its type, for reuse; false
 * if enough are kept, or for an object of a derived class. */
static bool keep_spare(struct annotate_object *self)
{
#ifndef Py_GIL_DISABLED
    struct native_state *state;

    if (!self->state)
        return false;
    state = self->state;
    if (state->n_spare < RLN_PY_N_SPARE) {
        state->spare[state->n_spare++] = self;
        return true;
    }
#endif
    return false;
}

void rln_py_free_spare(struct native_state *state)
{
    while (state->n_spare) {
        PyObject *const object = (PyObject *)state->spare[--state->n_spare];

        rln_py_paused_free(((struct annotate_object *)object)->paused);
        rln_py_free(object);
    }
}

/* annotate(...) without a tuple and a dictionary of arguments. Derived classes may have
 * their own __init__, so they go through tp_init. */
static PyObject *annotate_vectorcall(PyObject *callable, PyObject *const *args,
                                     size_t n_args, PyObject *keywords)
{
    PyTypeObject *const type = (PyTypeObject *)callable;
    struct native_state *const state = PyType_GetModuleState(type);
    struct annotate_object *self;
    PyObject *argument[5] = {NULL};

    if (RLN_PY_LIKELY(PyVectorcall_NARGS(n_args) == 1 && !keywords))
        argument[ARGUMENT_MESSAGE] = args[0];
    else if (rln_py_arguments(state, &annotate_signature, args,
                              PyVectorcall_NARGS(n_args), keywords, argument))
        return NULL;
    self = allocate(state, type);
    if (!self)
        return NULL;
    self->state = state;
    if (annotate_set_known(self, state, argument) ||
        annotate_set_unrecorded(self, state, argument))
        return (PyObject *)self;
    if (annotate_set(self, state, argument)) {
        Py_DECREF(self);
        return NULL;
    }
    /* Messages, names and numbers cannot be part of a reference cycle. */
    if (RLN_PY_UNLIKELY(self->has_large_payload))
        PyObject_GC_Track((PyObject *)self);
    return (PyObject *)self;
}

static int annotate_traverse(PyObject *object, visitproc visit, void *arg)
{
    struct annotate_object *const self = (struct annotate_object *)object;

    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->domain);
    Py_VISIT(self->arguments[ARGUMENT_PAYLOAD]);
    Py_VISIT(self->attributes);
    return 0;
}

/* Only a payload can be part of a cycle. Open ranges stay open, and can be ended. */
static int annotate_clear(PyObject *object)
{
    struct annotate_object *const self = (struct annotate_object *)object;

    self->has_large_payload = false;
    Py_CLEAR(self->arguments[ARGUMENT_PAYLOAD]);
    return 0;
}

static void annotate_dealloc(PyObject *object)
{
    struct annotate_object *const self = (struct annotate_object *)object;

    if (RLN_PY_LIKELY(self->is_simple && !self->attributes &&
                      rln_py_paused_is_empty(self->paused))) {
        self->is_simple = false;
        Py_CLEAR(self->arguments[ARGUMENT_MESSAGE]);
        Py_CLEAR(self->domain);
        self->n_pushed = 0;
        if (keep_spare(self))
            return;
    }
    PyObject_GC_UnTrack(object);
    annotate_unset(self);
    rln_py_paused_free(self->paused);
    self->paused = NULL;
    self->n_pushed = 0;
    self->has_large_payload = false;
    if (keep_spare(self))
        return;
    rln_py_free(object);
}

/* ---- As a context manager -------------------------------------------------------- */

const nvtxEventAttributes_t *rln_py_annotate_large(struct annotate_object *self,
                                                   struct rln_py_event *room)
{
    PyObject *const payload = self->attributes ? self->attributes->kept.payload
                                               : self->arguments[ARGUMENT_PAYLOAD];
    int failed;

    room->attributes = *self->event;
    /* Own it: its conversion runs Python code, which may change this annotation. */
    Py_XINCREF(payload);
    failed = rln_py_event_set_payload(room, self->domain, payload);
    Py_XDECREF(payload);
    return failed ? NULL : &room->attributes;
}

/* Threads may share an object and its count. */
static inline void count_push(struct annotate_object *self)
{
#ifdef Py_GIL_DISABLED
    __atomic_fetch_add(&self->n_pushed, 1, __ATOMIC_RELAXED);
#else
    self->n_pushed++;
#endif
}

static inline bool count_pop(struct annotate_object *self)
{
#ifdef Py_GIL_DISABLED
    if (!__atomic_load_n(&self->n_pushed, __ATOMIC_RELAXED))
        return false;
    __atomic_fetch_sub(&self->n_pushed, 1, __ATOMIC_RELAXED);
#else
    if (!self->n_pushed)
        return false;
    self->n_pushed--;
#endif
    return true;
}

/* Starts a range for a frame that can pause. */
static int begin_paused(struct annotate_object *self, struct domain_object *domain,
                        const struct rln_py_caller *caller,
                        const nvtxEventAttributes_t *event)
{
    const bool is_of_coroutine = caller->code_flags & CO_COROUTINE;
    struct rln_py_started started =
        rln_py_started_begin(domain, event, is_of_coroutine);
    int result = 0;

    Py_BEGIN_CRITICAL_SECTION(self);
    result = rln_py_paused_add(&self->paused, caller->frame, started);
    Py_END_CRITICAL_SECTION();
    if (!result) {
        rln_py_started_enter(domain->state, &started);
        return 0;
    }
    rln_py_started_end(domain, &started);
    PyErr_NoMemory();
    return -1;
}

static int begin(struct annotate_object *self, const struct rln_py_caller *caller)
{
    struct domain_object *const domain = self->domain;
    struct rln_py_outgoing out;
    const nvtxEventAttributes_t *const event = rln_py_begin_annotation(self, &out);
    int result = 0;

    if (!event) {
        result = -1;
    } else if (!(caller->code_flags & RLN_PY_CAN_PAUSE)) {
        rln_py_push(domain, event);
        count_push(self);
    } else {
        result = begin_paused(self, domain, caller, event);
    }
    rln_py_end_outgoing(&out);
    return result;
}

static PyObject *annotate_enter(PyObject *object, PyObject *unused)
{
    struct annotate_object *const self = (struct annotate_object *)object;

    if (RLN_PY_LIKELY(self->domain)) {
        const struct rln_py_caller caller = rln_py_caller(self->domain->state);

        if (begin(self, &caller))
            return NULL;
    }
    return Py_NewRef(object);
}

/* Ends the range that this frame began with this object. If there is none, because an
 * ExitStack was passed to a frame of the other kind, ends any open range. */
static void end(struct annotate_object *self, const struct rln_py_caller *caller)
{
    const bool can_pause = caller->code_flags & RLN_PY_CAN_PAUSE;
    struct domain_object *const domain = self->domain;
    bool is_paused = false;
    struct rln_py_started started = {0, NULL};

    if (RLN_PY_LIKELY(!can_pause) && count_pop(self)) {
        rln_py_pop(domain);
        return;
    }
    Py_BEGIN_CRITICAL_SECTION(self);
    if (can_pause)
        is_paused = rln_py_paused_take(&self->paused, caller->frame, &started);
    if (!is_paused && !(can_pause && self->n_pushed))
        is_paused = rln_py_paused_take_any(&self->paused, &started);
    Py_END_CRITICAL_SECTION();
    rln_py_started_end(domain, &started);
    if (!is_paused && count_pop(self))
        rln_py_pop(domain);
}

static PyObject *annotate_exit(PyObject *object, PyObject *const *args,
                               Py_ssize_t n_args)
{
    struct annotate_object *const self = (struct annotate_object *)object;

    if (RLN_PY_LIKELY(self->domain)) {
        const struct rln_py_caller caller = rln_py_caller(self->domain->state);

        end(self, &caller);
    }
    Py_RETURN_FALSE;
}

/* ---- As a decorator -------------------------------------------------------------- */

/* What is decorated and not recorded: a new reference, or NULL with the exception that
 * decorating it raises. */
static PyObject *check_other(PyObject *function)
{
    PyObject *const check = rln_py_import("rangeline.nvtx._decorate", "check");
    PyObject *checked = NULL;

    if (check)
        checked = PyObject_CallFunctionObjArgs(check, function, NULL);
    Py_XDECREF(check);
    return checked;
}

static PyObject *annotate_call(PyObject *object, PyObject *args, PyObject *keywords)
{
    struct native_state *const state = rln_py_state_of(Py_TYPE(object));
    PyObject *function;

    if (!PyArg_ParseTuple(args, "O:annotate", &function))
        return NULL;
    if (keywords && PyDict_GET_SIZE(keywords))
        return PyErr_Format(PyExc_TypeError, "annotate() decorates one function");
    if (!((struct annotate_object *)object)->domain)
        return PyFunction_Check(function) || PyType_Check(function)
                   ? Py_NewRef(function)
                   : check_other(function);
    if (!state->decorate)
        state->decorate = rln_py_import("rangeline.nvtx._decorate", "decorate");
    if (!state->decorate)
        return NULL;
    return PyObject_CallFunctionObjArgs(state->decorate, object, function, NULL);
}

/* ---- The type -------------------------------------------------------------------- */

static PyObject *get_init_args(PyObject *object, void *unused)
{
    const struct annotate_object *const self = (const struct annotate_object *)object;
    PyObject *argument[5];

    for (int i = 0; i < 5; i++)
        argument[i] = self->arguments[i] ? self->arguments[i] : Py_None;
    return PyTuple_Pack(5, argument[0], argument[1], argument[2], argument[3],
                        argument[4]);
}

static PyObject *get_domain(PyObject *object, void *unused)
{
    const struct annotate_object *const self = (const struct annotate_object *)object;

    if (self->domain)
        return Py_NewRef((PyObject *)self->domain);
    return Py_NewRef(rln_py_state_of(Py_TYPE(object))->dummy_domain);
}

/* Makes the `attributes` object on its first use. It belongs to this annotation alone,
 * which sends any changes made to it from then on. */
static int make_attributes(struct annotate_object *self)
{
    const struct rln_py_fields fields = fields_of(self);
    PyObject *attributes;

    if (self->attributes)
        return 0;
    attributes = rln_py_new_attributes(self->domain, &fields);
    if (!attributes)
        return -1;
    self->attributes = (struct event_attributes_object *)attributes;
    self->event = &self->attributes->event.attributes;
    if (!PyObject_GC_IsTracked((PyObject *)self)) /* their payload can form a cycle */
        PyObject_GC_Track((PyObject *)self);
    return 0;
}

static PyObject *get_attributes(PyObject *object, void *unused)
{
    struct annotate_object *const self = (struct annotate_object *)object;
    int result = 0;

    if (!self->domain)
        Py_RETURN_NONE;
    Py_BEGIN_CRITICAL_SECTION(self);
    result = make_attributes(self);
    Py_END_CRITICAL_SECTION();
    return result ? NULL : Py_NewRef((PyObject *)self->attributes);
}

static PyObject *annotate_reduce(PyObject *object, PyObject *unused)
{
    return Py_BuildValue("ON", Py_TYPE(object), get_init_args(object, NULL));
}

static PyGetSetDef annotate_getset[] = {
    {"init_args", get_init_args, NULL,
     "What it was made of: (message, color, domain, category, payload).", NULL},
    {"domain", get_domain, NULL, "The Domain of its ranges, or the DummyDomain.", NULL},
    {"attributes", get_attributes, NULL,
     "The EventAttributes of its ranges, to be read or changed; None without a tool.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef annotate_methods[] = {
    {"__enter__", annotate_enter, METH_NOARGS, "Begins the range."},
    RLN_PY_FASTCALL("__exit__", annotate_exit, "Ends the range; exceptions go on."),
    {"__reduce__", annotate_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(
    annotate_doc,
    "annotate(message=None, color=None, domain=None, category=None, "
    "payload=None)\n--\n\n"
    "A range around a block of code, or around each call of a function.\n\n"
    "message   str. Of a decorated function, its name is the default.\n"
    "color     a name, an int (ARGB), or what matplotlib knows, if it is installed.\n"
    "domain    a domain's name; None: the default domain.\n"
    "category  a name, which is given a number, or a number.\n"
    "payload   int, float, or with NumPy an array, list, tuple, range or bytes.\n\n"
    "The range ends however the block is left. Around coroutines and generators see\n"
    "docs/guide/PYTHON.md: their ranges never cross those of others.\n\n"
    "Example:\n"
    "    >>> with nvtx.annotate(\"load\", color=\"blue\"):\n"
    "    ...     pass\n"
    "    >>> @nvtx.annotate(domain=\"solver\")\n"
    "    ... def step():\n"
    "    ...     pass");

static PyType_Slot annotate_slots[] = {
    {Py_tp_doc, (void *)annotate_doc},   {Py_tp_init, annotate_tp_init},
    {Py_tp_new, PyType_GenericNew},      {Py_tp_call, annotate_call},
    {Py_tp_traverse, annotate_traverse}, {Py_tp_clear, annotate_clear},
    {Py_tp_dealloc, annotate_dealloc},   {Py_tp_getset, annotate_getset},
    {Py_tp_methods, annotate_methods},   {0, NULL},
};

static PyType_Spec annotate_spec = {
    .name = "rangeline.nvtx.annotate",
    .basicsize = sizeof(struct annotate_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .slots = annotate_slots,
};

int rln_py_add_annotate(PyObject *module, struct native_state *state)
{
    if (rln_py_add_type(module, &annotate_spec, &state->annotate_type))
        return -1;
    state->annotate_type->tp_vectorcall = annotate_vectorcall;
    return 0;
}
