/* SPDX-License-Identifier: Apache-2.0 */
/* py_arrow.c - wraps an Arrow stream of another library in a capsule of the Arrow
 * PyCapsule interface. The capsule releases the stream unless a consumer took it.
 */
#include "tables/py_arrow.h"

#include "base/py_arguments.h"
#include "tables/py_arrow_cast.h"

static const char capsule_name[] = "arrow_array_stream"; /* the interface's */

static void free_stream(PyObject *capsule)
{
    struct ArrowArrayStream *const stream = PyCapsule_GetPointer(capsule, capsule_name);

    if (!stream) {
        PyErr_WriteUnraisable(capsule);
        return;
    }
    if (stream->release) /* a consumer that takes the stream sets it to NULL */
        stream->release(stream);
    PyMem_RawFree(stream);
}

/* The schema in a capsule: borrowed, or NULL with an exception. */
static const struct ArrowSchema *schema_in(PyObject *capsule)
{
    const struct ArrowSchema *schema;

    if (!PyCapsule_IsValid(capsule, "arrow_schema")) {
        rln_py_wrong_type("requested_schema", "a capsule of an Arrow schema or None",
                          capsule);
        return NULL;
    }
    schema = PyCapsule_GetPointer(capsule, "arrow_schema");
    if (!schema->release) {
        PyErr_SetString(PyExc_ValueError, "requested_schema must not be released");
        return NULL;
    }
    return schema;
}

PyObject *rln_py_arrow_capsule(struct ArrowArrayStream *stream, PyObject *requested)
{
    const struct ArrowSchema *wanted = NULL;
    struct ArrowArrayStream *moved;
    PyObject *capsule;

    if (requested != Py_None) {
        wanted = schema_in(requested);
        if (!wanted || rln_py_arrow_cast(stream, wanted))
            return NULL;
    }
    moved = PyMem_RawMalloc(sizeof(*moved));
    if (!moved)
        return PyErr_NoMemory();
    *moved = *stream;
    capsule = PyCapsule_New(moved, capsule_name, free_stream);
    if (capsule)
        stream->release = NULL;
    else
        PyMem_RawFree(moved);
    return capsule;
}

PyDoc_STRVAR(capsule_doc,
             "arrow_capsule(address, requested_schema=None, /)\n--\n\n"
             "Takes the ArrowArrayStream at this address and returns it as "
             "a capsule.");

static PyObject *arrow_capsule(PyObject *module, PyObject *args)
{
    PyObject *address, *requested = Py_None;
    struct ArrowArrayStream *given;

    if (!PyArg_ParseTuple(args, "O|O:arrow_capsule", &address, &requested))
        return NULL;
    given = PyLong_AsVoidPtr(address);
    if (!given && PyErr_Occurred())
        return NULL;
    if (given && given->release)
        return rln_py_arrow_capsule(given, requested);
    PyErr_SetString(PyExc_ValueError, "there is no stream at this address");
    return NULL;
}

static PyMethodDef functions[] = {
    {"arrow_capsule", arrow_capsule, METH_VARARGS, capsule_doc},
    {NULL, NULL, 0, NULL},
};

int rln_py_add_arrow(PyObject *module, struct native_state *state)
{
    (void)state;
    return PyModule_AddFunctions(module, functions);
}
