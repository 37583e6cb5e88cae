/* SPDX-License-Identifier: Apache-2.0 */
/* py_annotated.c - implements the type of decorated functions, which calls them within
 * a range.
 *
 * It replaces the function: it binds to instances as functions do, has the function's
 * attributes besides its own, and is pickled as one (_pickling.py). A call that only
 * makes a coroutine or a generator gets no range; the Python function `drive` wraps the
 * result, whose execution gets the range (py_execution.c).
 */
#include "annotate/py_annotate.h"

#include <stddef.h>
#include <structmember.h>

struct annotated_object {
    PyObject ob_base;
    vectorcallfunc vectorcall;
    PyObject *function; /* owned, as are all of these */
    struct annotate_object *annotation;
    PyObject *drive;   /* NULL: each call is a range */
    PyObject *resumed; /* annotation of resumptions, for `drive` */
    PyObject *dict;
    PyObject *weak;
};

/* ---- Calls ----------------------------------------------------------------------- */

static PyObject *call_in_range(PyObject *object, PyObject *const *args, size_t n_args,
                               PyObject *keywords)
{
    const struct annotated_object *const self = (const struct annotated_object *)object;
    struct domain_object *const domain = self->annotation->domain;
    struct rln_py_outgoing out;
    const nvtxEventAttributes_t *const event =
        rln_py_begin_annotation(self->annotation, &out);
    PyObject *result;

    if (RLN_PY_LIKELY(event))
        rln_py_push(domain, event);
    rln_py_end_outgoing(&out);
    if (RLN_PY_UNLIKELY(!event))
        return PyErr_Occurred()
                   ? NULL
                   : PyObject_Vectorcall(self->function, args, n_args, keywords);
    result = PyObject_Vectorcall(self->function, args, n_args, keywords);
    rln_py_pop(domain);
    return result;
}

static PyObject *call_and_drive(PyObject *object, PyObject *const *args, size_t n_args,
                                PyObject *keywords)
{
    const struct annotated_object *const self = (const struct annotated_object *)object;
    PyObject *const made = PyObject_Vectorcall(self->function, args, n_args, keywords);
    PyObject *driven;

    if (!made)
        return NULL;
    driven = PyObject_CallFunctionObjArgs(
        self->drive, made, (PyObject *)self->annotation, self->resumed, NULL);
    Py_DECREF(made);
    return driven;
}

/* ---- Behavior of a function ------------------------------------------------------ */

static PyObject *annotated_bind(PyObject *object, PyObject *instance, PyObject *type)
{
    if (!instance || instance == Py_None)
        return Py_NewRef(object);
    return PyMethod_New(object, instance);
}

/* Falls back to the function's attributes. */
static PyObject *annotated_getattro(PyObject *object, PyObject *name)
{
    PyObject *const own = PyObject_GenericGetAttr(object, name);

    if (own || !PyErr_ExceptionMatches(PyExc_AttributeError))
        return own;
    PyErr_Clear();
    return PyObject_GetAttr(((struct annotated_object *)object)->function, name);
}

static PyObject *annotated_repr(PyObject *object)
{
    return PyUnicode_FromFormat("<annotated %R>",
                                ((struct annotated_object *)object)->function);
}

static PyObject *annotated_reduce(PyObject *object, PyObject *unused)
{
    struct annotated_object *const self = (struct annotated_object *)object;
    PyObject *const reduce = rln_py_import("rangeline.nvtx._pickling", "reduce");
    PyObject *reduced = NULL;

    if (reduce)
        reduced = PyObject_CallFunctionObjArgs(
            reduce, object, (PyObject *)self->annotation, self->function, NULL);
    Py_XDECREF(reduce);
    return reduced;
}

/* Returns itself: copying a function does not copy it, either. */
static PyObject *annotated_copy(PyObject *object, PyObject *unused)
{
    return Py_NewRef(object);
}

static PyObject *annotated_tp_new(PyTypeObject *type, PyObject *args,
                                  PyObject *keywords)
{
    static char *const parameters[] = {"annotation", "function", "drive", "resumed",
                                       NULL};
    const struct native_state *const state = rln_py_state_of(type);
    PyObject *annotation, *function, *drive = Py_None, *resumed = Py_None;
    struct annotated_object *self;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!O|OO", (char **)parameters,
                                     state->annotate_type, &annotation, &function,
                                     &drive, &resumed))
        return NULL;
    if (!PyCallable_Check(function) || !((struct annotate_object *)annotation)->domain)
        return PyErr_Format(PyExc_TypeError, "annotate() cannot decorate %R", function);
    self = (struct annotated_object *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->vectorcall = drive == Py_None ? call_in_range : call_and_drive;
    self->function = Py_NewRef(function);
    self->annotation = (struct annotate_object *)Py_NewRef(annotation);
    self->drive = Py_NewRef(drive);
    self->resumed = Py_NewRef(resumed);
    return (PyObject *)self;
}

/* ---- The type -------------------------------------------------------------------- */

static int annotated_traverse(PyObject *object, visitproc visit, void *arg)
{
    struct annotated_object *const self = (struct annotated_object *)object;

    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->function);
    Py_VISIT(self->annotation);
    Py_VISIT(self->drive);
    Py_VISIT(self->resumed);
    Py_VISIT(self->dict);
    return 0;
}

static int annotated_clear(PyObject *object)
{
    struct annotated_object *const self = (struct annotated_object *)object;

    /* Like a function, it needs its parts until the end. Cycles lead through its
     * attributes (__wrapped__), or through the function, which clears itself. */
    Py_CLEAR(self->dict);
    return 0;
}

static void annotated_dealloc(PyObject *object)
{
    struct annotated_object *const self = (struct annotated_object *)object;

    PyObject_GC_UnTrack(object);
    if (self->weak)
        PyObject_ClearWeakRefs(object);
    annotated_clear(object);
    Py_CLEAR(self->function);
    Py_CLEAR(self->annotation);
    Py_CLEAR(self->drive);
    Py_CLEAR(self->resumed);
    rln_py_free(object);
}

static PyMemberDef annotated_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(struct annotated_object, vectorcall),
     READONLY, NULL},
    {"__dictoffset__", T_PYSSIZET, offsetof(struct annotated_object, dict), READONLY,
     NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(struct annotated_object, weak),
     READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

#if PY_VERSION_HEX < 0x030a0000
/* Before 3.10, inspect recognizes coroutine and generator functions only among objects
 * whose class is function. */
static PyObject *annotated_get_class(PyObject *object, void *unused)
{
    const struct annotated_object *const self = (const struct annotated_object *)object;
    PyTypeObject *const type =
        self->vectorcall == call_in_range ? Py_TYPE(object) : &PyFunction_Type;

    return Py_NewRef((PyObject *)type);
}
#endif

static PyGetSetDef annotated_getset[] = {
#if PY_VERSION_HEX < 0x030a0000
    {"__class__", annotated_get_class, NULL, NULL, NULL},
#endif
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef annotated_methods[] = {
    {"__reduce__", annotated_reduce, METH_NOARGS, NULL},
    {"__copy__", annotated_copy, METH_NOARGS, NULL},
    {"__deepcopy__", annotated_copy, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot annotated_slots[] = {
    {Py_tp_new, annotated_tp_new},
    {Py_tp_call, PyVectorcall_Call},
    {Py_tp_descr_get, annotated_bind},
    {Py_tp_getattro, annotated_getattro},
    {Py_tp_setattro, PyObject_GenericSetAttr},
    {Py_tp_repr, annotated_repr},
    {Py_tp_traverse, annotated_traverse},
    {Py_tp_clear, annotated_clear},
    {Py_tp_dealloc, annotated_dealloc},
    {Py_tp_members, annotated_members},
    {Py_tp_getset, annotated_getset},
    {Py_tp_methods, annotated_methods},
    {0, NULL},
};

#if PY_VERSION_HEX < 0x030a0000
#define Py_TPFLAGS_IMMUTABLETYPE 0
#endif
/* The method flag lets methods be called without creating bound methods. */
static PyType_Spec annotated_spec = {
    .name = "rangeline.nvtx.annotated",
    .basicsize = sizeof(struct annotated_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
             Py_TPFLAGS_METHOD_DESCRIPTOR | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = annotated_slots,
};

int rln_py_add_annotated(PyObject *module, struct native_state *state)
{
    return rln_py_add_type(module, &annotated_spec, &state->annotated_type);
}
