/* SPDX-License-Identifier: Apache-2.0 */
/* py_arrow_rows.c - converts lists of Python values to an Arrow stream of one batch.
 *
 * Reports, which are small, reach libraries that read Arrow in this way.
 *
 *   [1, None, 3]     int64      [1, 2.5]     float64      ["a", None]     utf8
 *
 * A stream is read without the interpreter's lock, so everything is built beforehand.
 */
#include "tables/py_arrow.h"

#include <errno.h>
#include <string.h>

enum column_type { INT64, FLOAT64, UTF8 };

static const char *const formats[] = {"l", "g", "u"};

struct column {
    enum column_type type;
    char *name;
    uint8_t *valid;
    void *values; /* int64_t, double, or int32_t where texts begin */
    char *text;
    const void *buffers[3];
};

struct rows {
    Py_ssize_t n_rows, n_columns;
    struct column *columns;
    struct ArrowArray *arrays; /* of columns */
    struct ArrowArray **children;
    const void *no_buffer[1];
    int is_over;
    int n_users; /* the stream and the batch */
};

static void leave(struct rows *r)
{
    if (__atomic_sub_fetch(&r->n_users, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    for (Py_ssize_t i = 0; i < r->n_columns; i++) {
        PyMem_RawFree(r->columns[i].name);
        PyMem_RawFree(r->columns[i].valid);
        PyMem_RawFree(r->columns[i].values);
        PyMem_RawFree(r->columns[i].text);
    }
    PyMem_RawFree(r->columns);
    PyMem_RawFree(r->arrays);
    PyMem_RawFree(r->children);
    PyMem_RawFree(r);
}

/* ---- The stream ------------------------------------------------------------------ */

static void release_child_schema(struct ArrowSchema *schema)
{
    PyMem_RawFree((char *)schema->name);
    schema->release = NULL;
}

static void release_schema(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (schema->children[i]->release)
            schema->children[i]->release(schema->children[i]);
        PyMem_RawFree(schema->children[i]);
    }
    PyMem_RawFree(schema->children);
    schema->release = NULL;
}

static char *copy_text(const char *text, size_t n_bytes)
{
    char *const copy = PyMem_RawMalloc(n_bytes + 1);

    if (copy) {
        memcpy(copy, text, n_bytes);
        copy[n_bytes] = '\0';
    }
    return copy;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    const struct rows *const r = stream->private_data;

    *out = (struct ArrowSchema){.format = "+s", .name = "", .release = release_schema};
    out->children = PyMem_RawCalloc((size_t)r->n_columns + 1, sizeof(*out->children));
    for (Py_ssize_t i = 0; i < r->n_columns; i++) {
        const struct column *const c = &r->columns[i];
        struct ArrowSchema *const child =
            out->children ? PyMem_RawCalloc(1, sizeof(*child)) : NULL;

        if (!child) {
            out->release(out);
            return ENOMEM;
        }
        out->children[out->n_children++] = child;
        child->format = formats[c->type];
        child->name = copy_text(c->name, strlen(c->name));
        child->flags = ARROW_FLAG_NULLABLE;
        child->release = release_child_schema;
        if (!child->name) {
            out->release(out);
            return ENOMEM;
        }
    }
    return 0;
}

/* Children may be moved away, and are released one by one. */
static void release_child(struct ArrowArray *array)
{
    struct rows *const r = array->private_data;

    array->release = NULL;
    leave(r);
}

static void release_batch(struct ArrowArray *array)
{
    struct rows *const r = array->private_data;

    for (int64_t i = 0; i < array->n_children; i++) {
        if (array->children[i]->release)
            array->children[i]->release(array->children[i]);
    }
    array->release = NULL;
    leave(r);
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    struct rows *const r = stream->private_data;

    memset(out, 0, sizeof(*out));
    if (r->is_over)
        return 0;
    r->is_over = 1;
    r->n_users += 1 + (int)r->n_columns;
    for (Py_ssize_t i = 0; i < r->n_columns; i++) {
        struct column *const c = &r->columns[i];

        c->buffers[0] = c->valid;
        c->buffers[1] = c->values;
        c->buffers[2] = c->text;
        r->arrays[i] = (struct ArrowArray){
            .length = r->n_rows,
            .null_count = -1, /* not computed */
            .n_buffers = c->type == UTF8 ? 3 : 2,
            .buffers = c->buffers,
            .release = release_child,
            .private_data = r,
        };
        r->children[i] = &r->arrays[i];
    }
    *out = (struct ArrowArray){
        .length = r->n_rows,
        .n_buffers = 1,
        .n_children = r->n_columns,
        .buffers = r->no_buffer,
        .children = r->children,
        .release = release_batch,
        .private_data = r,
    };
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    return NULL;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    leave(stream->private_data);
    stream->release = NULL;
}

/* ---- From Python values ---------------------------------------------------------- */

static enum column_type type_of(PyObject *values)
{
    const Py_ssize_t n = PyList_GET_SIZE(values);
    enum column_type type = INT64;

    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *const value = PyList_GET_ITEM(values, i);

        if (value == Py_None)
            continue;
        if (PyFloat_Check(value))
            type = FLOAT64;
        else if (!PyLong_Check(value))
            return UTF8;
    }
    return type;
}

static int fill_numbers(struct column *c, PyObject *values, Py_ssize_t n)
{
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *const value = PyList_GET_ITEM(values, i);

        if (value == Py_None)
            continue;
        c->valid[i / 8] |= (uint8_t)(1 << i % 8);
        if (c->type == INT64)
            ((int64_t *)c->values)[i] = PyLong_AsLongLong(value);
        else
            ((double *)c->values)[i] = PyFloat_AsDouble(value);
        if (PyErr_Occurred())
            return -1;
    }
    return 0;
}

static int fill_texts(struct column *c, PyObject *values, Py_ssize_t n)
{
    int32_t *const begins = c->values;
    size_t n_bytes = 0;

    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *const value = PyList_GET_ITEM(values, i);
        const char *text;
        Py_ssize_t length;
        char *grown;

        begins[i] = (int32_t)n_bytes;
        if (value == Py_None)
            continue;
        if (!PyUnicode_Check(value)) {
            PyErr_Format(PyExc_TypeError, "a column must not mix str and %.100s",
                         Py_TYPE(value)->tp_name);
            return -1;
        }
        text = PyUnicode_AsUTF8AndSize(value, &length);
        if (!text)
            return -1;
        grown = n_bytes + (size_t)length > INT32_MAX
                    ? NULL
                    : PyMem_RawRealloc(c->text, n_bytes + (size_t)length + 1);
        if (!grown) {
            PyErr_NoMemory();
            return -1;
        }
        c->text = grown;
        memcpy(grown + n_bytes, text, (size_t)length);
        n_bytes += (size_t)length;
        c->valid[i / 8] |= (uint8_t)(1 << i % 8);
    }
    begins[n] = (int32_t)n_bytes;
    if (!c->text)
        c->text = PyMem_RawCalloc(1, 1); /* Arrow requires an address even if empty */
    return 0;
}

static int fill_column(struct column *c, PyObject *name, PyObject *values, Py_ssize_t n)
{
    const char *text;

    if (!PyList_Check(values) || PyList_GET_SIZE(values) != n) {
        PyErr_SetString(PyExc_TypeError, "columns must be lists of equal length");
        return -1;
    }
    if (!PyUnicode_Check(name)) {
        PyErr_Format(PyExc_TypeError, "names of columns must be str, not %.100s",
                     Py_TYPE(name)->tp_name);
        return -1;
    }
    text = PyUnicode_AsUTF8(name);
    if (!text)
        return -1;
    c->type = type_of(values);
    c->name = copy_text(text, strlen(text));
    c->valid = PyMem_RawCalloc((size_t)n / 8 + 1, 1);
    c->values = PyMem_RawCalloc((size_t)n + 1, 8);
    if (!c->name || !c->valid || !c->values) {
        PyErr_NoMemory();
        return -1;
    }
    return c->type == UTF8 ? fill_texts(c, values, n) : fill_numbers(c, values, n);
}

/* To be freed by leave(); NULL if out of memory. */
static struct rows *new_rows(Py_ssize_t n_columns)
{
    struct rows *const r = PyMem_RawCalloc(1, sizeof(*r));

    if (!r)
        return NULL;
    r->n_users = 1;
    r->columns = PyMem_RawCalloc((size_t)n_columns + 1, sizeof(*r->columns));
    r->arrays = PyMem_RawCalloc((size_t)n_columns + 1, sizeof(*r->arrays));
    r->children = PyMem_RawCalloc((size_t)n_columns + 1, sizeof(*r->children));
    if (r->columns && r->arrays && r->children) {
        r->n_columns = n_columns;
        return r;
    }
    leave(r);
    return NULL;
}

PyDoc_STRVAR(rows_doc, "arrow_rows(columns, requested_schema=None, /)\n--\n\n"
                       "A stream of these columns, {name: list}, as a capsule.");

static PyObject *arrow_rows(PyObject *module, PyObject *args)
{
    struct ArrowArrayStream stream = {get_schema, get_next, get_last_error,
                                      release_stream, NULL};
    PyObject *columns, *requested = Py_None, *name, *values, *capsule;
    Py_ssize_t at = 0, i = 0;
    struct rows *r;

    if (!PyArg_ParseTuple(args, "O|O:arrow_rows", &columns, &requested))
        return NULL;
    if (!PyDict_Check(columns))
        return PyErr_Format(PyExc_TypeError, "columns must be dict, not %.100s",
                            Py_TYPE(columns)->tp_name);
    r = new_rows(PyDict_Size(columns));
    if (!r)
        return PyErr_NoMemory();
    while (PyDict_Next(columns, &at, &name, &values)) {
        if (i == 0 && PyList_Check(values))
            r->n_rows = PyList_GET_SIZE(values);
        if (i == r->n_columns ||
            fill_column(&r->columns[i++], name, values, r->n_rows)) {
            leave(r);
            return NULL;
        }
    }
    stream.private_data = r;
    capsule = rln_py_arrow_capsule(&stream, requested);
    if (stream.release)
        stream.release(&stream); /* there is no capsule that owns it */
    return capsule;
}

static PyMethodDef functions[] = {
    {"arrow_rows", arrow_rows, METH_VARARGS, rows_doc},
    {NULL, NULL, 0, NULL},
};

int rln_py_add_arrow_rows(PyObject *module, struct native_state *state)
{
    (void)state;
    return PyModule_AddFunctions(module, functions);
}
