/* SPDX-License-Identifier: Apache-2.0 */
/* py_execution.c - implements the type Execution: one run of a coroutine or generator,
 * from its first step to its end, however it ends.
 *
 *     time ->      first step       pause       resumption        end
 *     start/end    NAME ---------------------------------------------
 *     push/pop     NAME [resumed] --           NAME [resumed] ------
 *
 * A Python coroutine or generator that has no other purpose (_decorate.py) awaits it or
 * yields from it, so that the interpreter itself passes on send(), throw(), close() and
 * values. For an async generator, every awaitable is a sequence of steps, and only
 * end() ends the range.
 */
#include "annotate/py_annotate.h"

#include <stddef.h>
#include <structmember.h>

#if PY_VERSION_HEX < 0x030a0000
typedef enum { PYGEN_RETURN = 0, PYGEN_ERROR = -1, PYGEN_NEXT = 1 } PySendResult;
#endif

struct execution_object {
    PyObject ob_base;
    struct annotate_object *annotation; /* owned, as are all of these */
    struct annotate_object *resumed;
    struct domain_object *domain; /* NULL before it begins, or if not recorded */
    PyObject *inner;              /* receives send(); NULL: ended */
    PyObject *value;        /* returned when it was closed; NULL: it did not return */
    PyObject *ignored_with; /* yielded when it was closed; NULL: it did not yield */
    struct rln_py_started started;
    bool has_begun, has_ended;
    bool has_many_steps; /* of an async generator */
};

/* ---- The range of the run, and those of its steps -------------------------------- */

/* Keeps the domain, because the annotation may get another one before the end. */
static void begin(struct execution_object *self, const nvtxEventAttributes_t *event)
{
    self->domain =
        (struct domain_object *)Py_NewRef((PyObject *)self->annotation->domain);
    self->started = rln_py_started_begin(self->domain, event,
                                         self->inner && PyCoro_CheckExact(self->inner));
    rln_py_started_enter(self->domain->state, &self->started);
}

static int begin_step(struct execution_object *self)
{
    struct rln_py_outgoing out;
    const nvtxEventAttributes_t *event;

    if (!self->has_begun) {
        event = rln_py_begin_annotation(self->annotation, &out);
        if (event)
            begin(self, event);
        rln_py_end_outgoing(&out);
        if (!event && PyErr_Occurred())
            return -1;
        self->has_begun = true;
    }
    if (RLN_PY_LIKELY(self->domain))
        rln_py_push(self->resumed->domain, self->resumed->event);
    return 0;
}

static void end(struct execution_object *self)
{
    if (self->has_begun && !self->has_ended && self->domain)
        rln_py_started_end(self->domain, &self->started);
    self->has_ended = true;
    Py_CLEAR(self->inner);
}

static void end_step(struct execution_object *self, bool is_last)
{
    if (RLN_PY_LIKELY(self->domain))
        rln_py_pop(self->resumed->domain);
    if (!is_last)
        return;
    if (self->has_many_steps)
        Py_CLEAR(self->inner);
    else
        end(self);
}

/* ---- Steps ----------------------------------------------------------------------- */

#if PY_VERSION_HEX < 0x030a0000
static PySendResult send_to(PyObject *inner, PyObject *value, PyObject **result)
{
    if (value == Py_None && Py_TYPE(inner)->tp_iternext)
        *result = Py_TYPE(inner)->tp_iternext(inner);
    else
        *result = PyObject_CallMethod(inner, "send", "O", value);
    if (*result)
        return PYGEN_NEXT;
    return _PyGen_FetchStopIterationValue(result) ? PYGEN_ERROR : PYGEN_RETURN;
}
#else
#define send_to PyIter_Send
#endif

static PySendResult execution_send(PyObject *object, PyObject *value, PyObject **result)
{
    struct execution_object *const self = (struct execution_object *)object;
    PySendResult outcome;
    PyObject *inner;

    *result = NULL;
    if (!self->inner) {
        PyErr_SetString(PyExc_RuntimeError, "the execution has ended");
        return PYGEN_ERROR;
    }
    if (RLN_PY_UNLIKELY(self->ignored_with)) {
        *result = self->ignored_with;
        self->ignored_with = NULL;
        return PYGEN_NEXT;
    }
    if (begin_step(self))
        return PYGEN_ERROR;
    inner = Py_NewRef(self->inner);
    outcome = send_to(inner, value, result);
    end_step(self, outcome != PYGEN_NEXT);
    Py_DECREF(inner);
    return outcome;
}

/* A result in the form that iterators return: a returned value becomes a
 * StopIteration. */
static PyObject *as_iteration(PySendResult outcome, PyObject *result)
{
    PyObject *stop;

    if (outcome != PYGEN_RETURN)
        return result;
    stop = PyObject_CallFunctionObjArgs(PyExc_StopIteration, result, NULL);
    Py_DECREF(result);
    if (stop) {
        PyErr_SetObject(PyExc_StopIteration, stop);
        Py_DECREF(stop);
    }
    return NULL;
}

static PyObject *execution_next(PyObject *object)
{
    PyObject *result;
    const PySendResult outcome = execution_send(object, Py_None, &result);

    return as_iteration(outcome, result);
}

static PyObject *execution_send_method(PyObject *object, PyObject *value)
{
    PyObject *result;
    const PySendResult outcome = execution_send(object, value, &result);

    return as_iteration(outcome, result);
}

static PyObject *execution_throw(PyObject *object, PyObject *const *args,
                                 Py_ssize_t n_args)
{
    struct execution_object *const self = (struct execution_object *)object;
    PyObject *throw, *result;

    if (!self->inner)
        return PyErr_Format(PyExc_RuntimeError, "the execution has ended");
    throw = PyObject_GetAttrString(self->inner, "throw");
    if (!throw || begin_step(self)) {
        Py_XDECREF(throw);
        return NULL;
    }
    result = PyObject_Vectorcall(throw, args, (size_t)n_args, NULL);
    end_step(self, !result);
    Py_DECREF(throw);
    return result;
}

/* If the exception is a StopIteration, clears it, puts the returned value in *value,
 * and returns true. Else changes nothing. */
static bool take_returned(PyObject **value)
{
    PyObject *type, *stop, *traceback;

    if (!PyErr_ExceptionMatches(PyExc_StopIteration))
        return false;
    PyErr_Fetch(&type, &stop, &traceback);
    PyErr_NormalizeException(&type, &stop, &traceback);
    *value = PyObject_GetAttrString(stop, "value");
    Py_XDECREF(type);
    Py_XDECREF(stop);
    Py_XDECREF(traceback);
    return true;
}

/* Whether the garbage collector has closed a coroutine or generator before the outer
 * one, or is just doing so. */
static bool is_closed_already(PyObject *inner)
{
    const bool is_coroutine = PyCoro_CheckExact(inner);
    PyObject *frame, *running;

    if (!is_coroutine && !PyGen_CheckExact(inner))
        return false;
    frame = PyObject_GetAttrString(inner, is_coroutine ? "cr_frame" : "gi_frame");
    running = PyObject_GetAttrString(inner, is_coroutine ? "cr_running" : "gi_running");
    Py_XDECREF(frame); /* both are only compared */
    Py_XDECREF(running);
    PyErr_Clear();
    return frame == Py_None || running == Py_True;
}

/* The interpreter calls this when it throws GeneratorExit into the outer one or closes
 * it, before it throws there. Uses throw(), because before 3.13 close() does not return
 * the returned value. A value yielded instead is kept for the next send(): only the
 * interpreter knows whether it is closing, and so whether that is an error. */
static PyObject *execution_close(PyObject *object, PyObject *unused)
{
    struct execution_object *const self = (struct execution_object *)object;
    PyObject *const exit[] = {PyExc_GeneratorExit};
    PyObject *yielded;

    if (!self->inner)
        Py_RETURN_NONE;
    if (is_closed_already(self->inner)) {
        end(self);
        Py_RETURN_NONE;
    }
    yielded = execution_throw(object, exit, 1);
    if (yielded) {
        Py_XSETREF(self->ignored_with, yielded);
        Py_RETURN_NONE;
    }
    if (PyErr_ExceptionMatches(PyExc_GeneratorExit)) {
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    if (!take_returned(&self->value))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *execution_self(PyObject *object)
{
    return Py_NewRef(object);
}

/* ---- Async generators ------------------------------------------------------------ */

static PyObject *execution_steps(PyObject *object, PyObject *awaitable)
{
    struct execution_object *const self = (struct execution_object *)object;

    self->has_many_steps = true;
    Py_XSETREF(self->inner, Py_NewRef(awaitable));
    return Py_NewRef(object);
}

static PyObject *execution_end(PyObject *object, PyObject *unused)
{
    end((struct execution_object *)object);
    Py_RETURN_NONE;
}

/* ---- The type -------------------------------------------------------------------- */

static PyObject *execution_tp_new(PyTypeObject *type, PyObject *args,
                                  PyObject *keywords)
{
    const struct native_state *const state = rln_py_state_of(type);
    PyObject *annotation, *resumed, *inner = NULL;
    struct execution_object *self;

    if (!PyArg_ParseTuple(args, "O!O!|O:Execution", state->annotate_type, &annotation,
                          state->annotate_type, &resumed, &inner))
        return NULL;
    self = (struct execution_object *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->annotation = (struct annotate_object *)Py_NewRef(annotation);
    self->resumed = (struct annotate_object *)Py_NewRef(resumed);
    Py_XINCREF(inner);
    self->inner = inner;
    return (PyObject *)self;
}

/* An inner one that has begun closes itself when released. One that was never awaited
 * is closed here without a warning, because the interpreter already warns about the
 * outer coroutine. */
static void execution_finalize(PyObject *object)
{
    struct execution_object *const self = (struct execution_object *)object;
    PyObject *type, *value, *traceback, *result;

    PyErr_Fetch(&type, &value, &traceback);
    if (self->inner && !self->has_begun && !self->has_many_steps) {
        result = PyObject_CallMethod(self->inner, "close", NULL);
        if (!result)
            PyErr_WriteUnraisable(self->inner);
        Py_XDECREF(result);
    }
    Py_CLEAR(self->inner);
    end(self);
    PyErr_Restore(type, value, traceback);
}

static int execution_traverse(PyObject *object, visitproc visit, void *arg)
{
    struct execution_object *const self = (struct execution_object *)object;

    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->annotation);
    Py_VISIT(self->resumed);
    Py_VISIT(self->domain);
    Py_VISIT(self->inner);
    Py_VISIT(self->value);
    Py_VISIT(self->ignored_with);
    return 0;
}

static int execution_clear(PyObject *object)
{
    struct execution_object *const self = (struct execution_object *)object;

    Py_CLEAR(self->inner);
    Py_CLEAR(self->value);
    Py_CLEAR(self->ignored_with);
    return 0;
}

static void execution_dealloc(PyObject *object)
{
    struct execution_object *const self = (struct execution_object *)object;

    if (PyObject_CallFinalizerFromDealloc(object))
        return;
    PyObject_GC_UnTrack(object);
    execution_clear(object);
    Py_CLEAR(self->annotation);
    Py_CLEAR(self->resumed);
    Py_CLEAR(self->domain);
    rln_py_free(object);
}

static PyMemberDef execution_members[] = {
    {"closed_with", T_OBJECT_EX, offsetof(struct execution_object, value), READONLY,
     "What the generator returned when it was closed. Only there if it did."},
    {"ignored_with", T_OBJECT_EX, offsetof(struct execution_object, ignored_with),
     READONLY,
     "What it yielded when it was closed, and will again. Only there if it did."},
    {NULL, 0, 0, 0, NULL},
};

static PyMethodDef execution_methods[] = {
    {"send", execution_send_method, METH_O, "As of a generator."},
    RLN_PY_FASTCALL("throw", execution_throw, "As of a generator."),
    {"close", execution_close, METH_NOARGS, "As of a generator."},
    {"steps", execution_steps, METH_O,
     "This execution, to await what an async generator's method returned."},
    {"end", execution_end, METH_NOARGS, "Ends the whole, of an async generator."},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(execution_doc, "One run of a coroutine or generator, as a range.");

static PyType_Slot execution_slots[] = {
    {Py_tp_doc, (void *)execution_doc},
    {Py_tp_new, execution_tp_new},
    {Py_tp_iter, execution_self},
    {Py_tp_iternext, execution_next},
    {Py_am_await, execution_self},
#if PY_VERSION_HEX >= 0x030a0000
    {Py_am_send, execution_send},
#endif
    {Py_tp_finalize, execution_finalize},
    {Py_tp_traverse, execution_traverse},
    {Py_tp_clear, execution_clear},
    {Py_tp_dealloc, execution_dealloc},
    {Py_tp_members, execution_members},
    {Py_tp_methods, execution_methods},
    {0, NULL},
};

static PyType_Spec execution_spec = {
    .name = "rangeline._native.Execution",
    .basicsize = sizeof(struct execution_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = execution_slots,
};

int rln_py_add_execution(PyObject *module, struct native_state *state)
{
    return rln_py_add_type(module, &execution_spec, &state->execution_type);
}
