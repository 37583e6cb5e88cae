/* SPDX-License-Identifier: Apache-2.0 */
/* py_annotated.c - implements the types of decorated functions and other callables,
 * which call them within a range.
 *
 * An annotated function stands in for the function: programs must find, recorded, what
 * they find without a tool, where a decorator returns the function itself. So all its
 * attributes are the function's, its class included, as are hash, equality and repr;
 * what is set on it is set on the function. Its own are only those that lead to calls
 * or copies, which would lose the annotation. It binds to instances as the function
 * does, and is pickled as one (_pickling.py).
 *
 * It cannot be a function: Python 3.11 runs the code of functions without calling them,
 * as later versions do for `__init__`, and functions are pickled by name only, though a
 * function that is annotated without `@` has the name of the plain one.
 *
 * A call that only makes a coroutine or a generator gets no range; the Python function
 * `drive` wraps the result, whose execution gets the range (py_execution.c).
 */
#include "annotate/py_annotate.h"

#include <stddef.h>
#include <structmember.h>

struct annotated_object {
    PyObject ob_base;
    vectorcallfunc vectorcall;
    PyObject *function; /* owned, as are all of these */
    struct annotate_object *annotation;
    PyObject *drive;   /* None: each call is a range */
    PyObject *resumed; /* annotation of resumptions, for `drive` */
    PyObject *weak;
};

static PyObject *function_of(PyObject *object)
{
    return ((const struct annotated_object *)object)->function;
}

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

/* ---- What stands in -------------------------------------------------------------- */

/* Functions bind as all functions do, so that methods can be called without making
 * bound methods; other callables as their class says. */
static bool binds_as_function(const struct native_state *state, PyObject *function)
{
    return PyFunction_Check(function) ||
           Py_TYPE(function) == state->annotated_function_type;
}

static PyObject *stand_in(PyTypeObject *type, PyObject *function,
                          struct annotate_object *annotation, PyObject *drive,
                          PyObject *resumed)
{
    struct annotated_object *const self =
        (struct annotated_object *)type->tp_alloc(type, 0);

    if (!self)
        return NULL;
    self->vectorcall = drive == Py_None ? call_in_range : call_and_drive;
    self->function = Py_NewRef(function);
    self->annotation = (struct annotate_object *)Py_NewRef((PyObject *)annotation);
    self->drive = Py_NewRef(drive);
    self->resumed = Py_NewRef(resumed);
    return (PyObject *)self;
}

static PyObject *annotated_tp_new(PyTypeObject *type, PyObject *args,
                                  PyObject *keywords)
{
    static char *const parameters[] = {"annotation", "function", "drive", "resumed",
                                       NULL};
    const struct native_state *const state = rln_py_state_of(type);
    PyObject *annotation, *function, *drive = Py_None, *resumed = Py_None;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!O|OO", (char **)parameters,
                                     state->annotate_type, &annotation, &function,
                                     &drive, &resumed))
        return NULL;
    if (!PyCallable_Check(function) || !((struct annotate_object *)annotation)->domain)
        return PyErr_Format(PyExc_TypeError, "annotate() cannot decorate %R", function);
    type = binds_as_function(state, function) ? state->annotated_function_type
                                              : state->annotated_type;
    return stand_in(type, function, (struct annotate_object *)annotation, drive,
                    resumed);
}

/* ---- Attributes ------------------------------------------------------------------ */

static bool is_own(PyObject *name)
{
    static const char *const own[] = {
        "__call__",        "__get__",           "__copy__",
        "__deepcopy__",    "__reduce__",        "__reduce_ex__",
        "__mro_entries__", "__instancecheck__", "__subclasscheck__"};

    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        if (PyUnicode_CompareWithASCIIString(name, own[i]) == 0)
            return true;
    return false;
}

/* Whether a pickler asks that writes functions by value. cloudpickle and its copies in
 * other packages do so for what is an instance of function, there, and would write the
 * plain function; of other objects they call __reduce__(). */
static bool pickler_asks(void)
{
    PyFrameObject *const frame = PyEval_GetFrame(); /* borrowed */
    PyCodeObject *code;
    bool asks;

    if (!frame)
        return false;
    code = PyFrame_GetCode(frame);
    asks = !PyUnicode_CompareWithASCIIString(code->co_name, "reducer_override");
    Py_DECREF(code);
    return asks;
}

static PyObject *annotated_getattro(PyObject *object, PyObject *name)
{
    if (is_own(name))
        return PyObject_GenericGetAttr(object, name);
    if (!PyUnicode_CompareWithASCIIString(name, "__class__") && pickler_asks())
        return Py_NewRef((PyObject *)Py_TYPE(object));
    return PyObject_GetAttr(function_of(object), name);
}

/* The same for those who look attributes up in the type, past annotated_getattro():
 * object.__getattribute__(), and inspect.getattr_static() for typing's protocols. */
static PyObject *forwarded_get(PyObject *object, void *name)
{
    return PyObject_GetAttrString(function_of(object), name);
}

static int forwarded_set(PyObject *object, PyObject *value, void *name)
{
    return PyObject_SetAttrString(function_of(object), name, value);
}

#define FORWARDED(name)                                                                \
    {                                                                                  \
        name, forwarded_get, forwarded_set, NULL, (void *)name                         \
    }
static PyGetSetDef annotated_getset[] = {
    FORWARDED("__annotations__"),   FORWARDED("__closure__"),
    FORWARDED("__code__"),          FORWARDED("__defaults__"),
    FORWARDED("__dict__"),          FORWARDED("__doc__"),
    FORWARDED("__globals__"),       FORWARDED("__name__"),
    FORWARDED("__kwdefaults__"),    FORWARDED("__qualname__"),
    {NULL, NULL, NULL, NULL, NULL},
};

static int annotated_setattro(PyObject *object, PyObject *name, PyObject *value)
{
    return PyObject_SetAttr(function_of(object), name, value);
}

static Py_hash_t annotated_hash(PyObject *object)
{
    return PyObject_Hash(function_of(object));
}

static PyObject *annotated_compare(PyObject *object, PyObject *other, int operator)
{
    if (PyObject_TypeCheck(other, rln_py_state_of(Py_TYPE(object))->annotated_type))
        other = function_of(other);
    return PyObject_RichCompare(function_of(object), other, operator);
}

static PyObject *annotated_repr(PyObject *object)
{
    return PyObject_Repr(function_of(object));
}

static PyObject *annotated_str(PyObject *object)
{
    return PyObject_Str(function_of(object));
}

/* ---- Binding --------------------------------------------------------------------- */

static PyObject *function_bind(PyObject *object, PyObject *instance, PyObject *type)
{
    if (!instance || instance == Py_None)
        return Py_NewRef(object);
    return PyMethod_New(object, instance);
}

static PyObject *annotated_bind(PyObject *object, PyObject *instance, PyObject *type)
{
    const struct annotated_object *const self = (const struct annotated_object *)object;
    const descrgetfunc bind = Py_TYPE(self->function)->tp_descr_get;
    PyObject *bound, *result;

    if (!bind)
        return Py_NewRef(object);
    bound = bind(self->function, instance, type);
    if (!bound || !PyCallable_Check(bound))
        return bound;
    if (bound == self->function)
        result = Py_NewRef(object);
    else
        result = stand_in(Py_TYPE(object), bound, self->annotation, self->drive,
                          self->resumed);
    Py_DECREF(bound);
    return result;
}

/* ---- Methods --------------------------------------------------------------------- */

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

/* The three of an annotated class that is written in C, which cannot be changed to
 * construct its instances within a range. */
static PyObject *annotated_mro_entries(PyObject *object, PyObject *unused)
{
    return PyTuple_Pack(1, function_of(object));
}

static PyObject *annotated_instancecheck(PyObject *object, PyObject *instance)
{
    const int is_instance = PyObject_IsInstance(instance, function_of(object));

    return is_instance < 0 ? NULL : PyBool_FromLong(is_instance);
}

static PyObject *annotated_subclasscheck(PyObject *object, PyObject *cls)
{
    const int is_subclass = PyObject_IsSubclass(cls, function_of(object));

    return is_subclass < 0 ? NULL : PyBool_FromLong(is_subclass);
}

/* ---- The types ------------------------------------------------------------------- */

static int annotated_traverse(PyObject *object, visitproc visit, void *arg)
{
    struct annotated_object *const self = (struct annotated_object *)object;

    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->function);
    Py_VISIT(self->annotation);
    Py_VISIT(self->drive);
    Py_VISIT(self->resumed);
    return 0;
}

/* There is no tp_clear: like a function, it needs its parts until the end. Cycles lead
 * through the function, which clears itself. */
static void annotated_dealloc(PyObject *object)
{
    struct annotated_object *const self = (struct annotated_object *)object;

    PyObject_GC_UnTrack(object);
    if (self->weak)
        PyObject_ClearWeakRefs(object);
    Py_CLEAR(self->function);
    Py_CLEAR(self->annotation);
    Py_CLEAR(self->drive);
    Py_CLEAR(self->resumed);
    rln_py_free(object);
}

static PyMemberDef annotated_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(struct annotated_object, vectorcall),
     READONLY, NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(struct annotated_object, weak),
     READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyMethodDef annotated_methods[] = {
    {"__reduce__", annotated_reduce, METH_NOARGS, NULL},
    {"__copy__", annotated_copy, METH_NOARGS, NULL},
    {"__deepcopy__", annotated_copy, METH_O, NULL},
    {"__mro_entries__", annotated_mro_entries, METH_O, NULL},
    {"__instancecheck__", annotated_instancecheck, METH_O, NULL},
    {"__subclasscheck__", annotated_subclasscheck, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot annotated_slots[] = {
    {Py_tp_new, annotated_tp_new},
    {Py_tp_call, PyVectorcall_Call},
    {Py_tp_descr_get, annotated_bind},
    {Py_tp_getattro, annotated_getattro},
    {Py_tp_setattro, annotated_setattro},
    {Py_tp_hash, annotated_hash},
    {Py_tp_richcompare, annotated_compare},
    {Py_tp_repr, annotated_repr},
    {Py_tp_str, annotated_str},
    {Py_tp_traverse, annotated_traverse},
    {Py_tp_dealloc, annotated_dealloc},
    {Py_tp_members, annotated_members},
    {Py_tp_getset, annotated_getset},
    {Py_tp_methods, annotated_methods},
    {0, NULL},
};

#if PY_VERSION_HEX < 0x030a0000
#define Py_TPFLAGS_IMMUTABLETYPE 0
#endif
#define FLAGS                                                                          \
    (Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |            \
     Py_TPFLAGS_IMMUTABLETYPE)

static PyType_Spec annotated_spec = {
    .name = "rangeline.nvtx.annotated",
    .basicsize = sizeof(struct annotated_object),
    .flags = FLAGS | Py_TPFLAGS_BASETYPE,
    .slots = annotated_slots,
};

/* What a heap type does not inherit is repeated. */
static PyType_Slot function_slots[] = {
    {Py_tp_descr_get, function_bind},
    {Py_tp_traverse, annotated_traverse},
    {Py_tp_dealloc, annotated_dealloc},
    {Py_tp_getset, annotated_getset},
    {0, NULL},
};

/* The method flag lets methods be called without creating bound methods. */
static PyType_Spec function_spec = {
    .name = "rangeline.nvtx.annotated_function",
    .basicsize = sizeof(struct annotated_object),
    .flags = FLAGS | Py_TPFLAGS_METHOD_DESCRIPTOR | RLN_PY_NO_CONSTRUCTOR,
    .slots = function_slots,
};

int rln_py_add_annotated(PyObject *module, struct native_state *state)
{
    if (rln_py_add_type(module, &annotated_spec, &state->annotated_type))
        return -1;
    return rln_py_add_subtype(module, &function_spec, state->annotated_type,
                              &state->annotated_function_type);
}
