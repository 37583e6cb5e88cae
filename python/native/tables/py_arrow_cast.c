/* SPDX-License-Identifier: Apache-2.0 */
/* py_arrow_cast.c - casts a stream to the types that its reader requests by the
 * argument of `__arrow_c_stream__`, as far as no value changes.
 *
 *     column                               may be requested as
 *     texts, with a dictionary or without  utf8 ("u"), large_utf8 ("U")
 *     uint32                               int64, uint64, float64
 *     int64                                duration in ns ("tDn"): the same bits
 *
 * Arrow leaves this to the producer: if it cannot meet the whole request, it ignores
 * the request. A request for columns that do not exist is an error.
 *
 * A stream is read without the interpreter's lock, and a column may be moved out of its
 * batch, so each column that is cast owns its buffers.
 */
#include "tables/py_arrow_cast.h"

#include <errno.h>
#include <string.h>

enum cast { AS_IT_IS, RELABEL, DECODE, LARGE_DECODE, TO_INT64, TO_FLOAT64, IMPOSSIBLE };

struct caster {
    struct ArrowArrayStream inner; /* owned */
    int64_t n_columns;
    const char *error; /* static, or NULL: the error is inner's */
    struct {
        const char *format; /* static */
        enum cast how;
    } columns[];
};

/* ---- Which cast ------------------------------------------------------------------ */

static bool is_text(const struct ArrowSchema *column)
{
    const struct ArrowSchema *const texts = column->dictionary;

    return texts ? !strcmp(column->format, "i") && !strcmp(texts->format, "u")
                 : !strcmp(column->format, "u");
}

/* Returns the cast; *format is its result's format, static. */
static enum cast find_cast(const struct ArrowSchema *from, const struct ArrowSchema *to,
                           const char **format)
{
    static const struct {
        const char *from, *to;
        enum cast how;
    } casts[] = {
        {"I", "l", TO_INT64},
        {"I", "L", TO_INT64},
        {"I", "g", TO_FLOAT64},
        {"l", "tDn", RELABEL},
    };

    *format = NULL;
    if (!strcmp(from->format, to->format) && !from->dictionary == !to->dictionary &&
        (!from->dictionary ||
         !strcmp(from->dictionary->format, to->dictionary->format)))
        return AS_IT_IS;
    if (to->dictionary)
        return IMPOSSIBLE;
    if (is_text(from) && !strcmp(to->format, "u")) {
        *format = "u";
        return DECODE;
    }
    if (is_text(from) && !strcmp(to->format, "U")) {
        *format = "U";
        return LARGE_DECODE;
    }
    for (size_t i = 0; i < sizeof(casts) / sizeof(*casts); i++) {
        if (!from->dictionary && !strcmp(from->format, casts[i].from) &&
            !strcmp(to->format, casts[i].to)) {
            *format = casts[i].to;
            return casts[i].how;
        }
    }
    return IMPOSSIBLE;
}

/* ---- Columns --------------------------------------------------------------------- */

struct owned {
    void *blocks[3];
    const void *buffers[3];
};

static void release_column(struct ArrowArray *column)
{
    struct owned *const owned = column->private_data;

    for (size_t i = 0; i < 3; i++)
        PyMem_RawFree(owned->blocks[i]);
    PyMem_RawFree(owned);
    column->release = NULL;
}

static bool is_set(const void *bits, int64_t i)
{
    return !bits || ((const uint8_t *)bits)[i / 8] >> i % 8 & 1;
}

/* A column with as many rows and the same nulls: 0 or ENOMEM. */
static int begin_column(const struct ArrowArray *from, int64_t n_buffers,
                        struct ArrowArray *out)
{
    struct owned *const owned = PyMem_RawCalloc(1, sizeof(*owned));
    uint8_t *valid = NULL;

    if (owned && from->buffers[0]) {
        valid = PyMem_RawCalloc((size_t)from->length / 8 + 1, 1);
        if (!valid) {
            PyMem_RawFree(owned);
            return ENOMEM;
        }
        for (int64_t i = 0; i < from->length; i++)
            valid[i / 8] |=
                (uint8_t)(is_set(from->buffers[0], from->offset + i) << i % 8);
        owned->buffers[0] = owned->blocks[0] = valid;
    }
    *out = (struct ArrowArray){
        .length = from->length,
        .null_count = from->null_count,
        .n_buffers = n_buffers,
        .buffers = owned ? owned->buffers : NULL,
        .release = owned ? release_column : NULL,
        .private_data = owned,
    };
    return owned ? 0 : ENOMEM;
}

/* Allocates a buffer, even of 0 bytes, because Arrow requires an address. */
static void *add_buffer(struct ArrowArray *column, int i, size_t n, size_t size)
{
    struct owned *const owned = column->private_data;

    owned->blocks[i] = PyMem_RawCalloc(n + 1, size);
    owned->buffers[i] = owned->blocks[i];
    return owned->blocks[i];
}

static int widen(const struct ArrowArray *from, enum cast how, struct ArrowArray *out)
{
    const uint32_t *const values = (const uint32_t *)from->buffers[1] + from->offset;
    void *const room = add_buffer(out, 1, (size_t)from->length, 8);

    if (!room)
        return ENOMEM;
    for (int64_t i = 0; i < from->length; i++) {
        if (how == TO_INT64)
            ((uint64_t *)room)[i] = values[i];
        else
            ((double *)room)[i] = values[i];
    }
    return 0;
}

/* The text of a row; no bytes if it is null. */
static const char *text_of(const struct ArrowArray *column, int64_t row, size_t *length)
{
    const struct ArrowArray *const texts =
        column->dictionary ? column->dictionary : column;
    int64_t at = column->offset + row;
    const int32_t *ends;

    *length = 0;
    if (!is_set(column->buffers[0], at))
        return NULL;
    if (column->dictionary)
        at = texts->offset + ((const int32_t *)column->buffers[1])[at];
    ends = (const int32_t *)texts->buffers[1] + at;
    *length = (size_t)(ends[1] - ends[0]);
    return (const char *)texts->buffers[2] + ends[0];
}

static void put_end(void *ends, bool is_large, int64_t i, size_t end)
{
    if (is_large)
        ((int64_t *)ends)[i] = (int64_t)end;
    else
        ((int32_t *)ends)[i] = (int32_t)end;
}

static int decode(const struct ArrowArray *from, bool is_large, struct ArrowArray *out)
{
    void *const ends = add_buffer(out, 1, (size_t)from->length + 1, is_large ? 8 : 4);
    size_t n_bytes = 0, length;
    char *bytes;

    if (!ends)
        return ENOMEM;
    for (int64_t i = 0; i < from->length; i++) {
        text_of(from, i, &length);
        n_bytes += length;
        if (!is_large && n_bytes > INT32_MAX)
            return EOVERFLOW;
        put_end(ends, is_large, i + 1, n_bytes);
    }
    bytes = add_buffer(out, 2, n_bytes, 1);
    if (!bytes)
        return ENOMEM;
    for (int64_t i = 0; i < from->length; i++) {
        const char *const text = text_of(from, i, &length);

        if (length)
            memcpy(bytes, text, length);
        bytes += length;
    }
    return 0;
}

/* Casts a column in place: 0, or an errno and an unchanged column. */
static int cast_column(struct ArrowArray *column, enum cast how)
{
    struct ArrowArray made;
    int failed;

    if (how == AS_IT_IS || how == RELABEL)
        return 0;
    failed = begin_column(column, how == DECODE || how == LARGE_DECODE ? 3 : 2, &made);
    if (failed)
        return failed;
    failed = how == TO_INT64 || how == TO_FLOAT64
                 ? widen(column, how, &made)
                 : decode(column, how == LARGE_DECODE, &made);
    if (failed) {
        made.release(&made);
        return failed;
    }
    column->release(column);
    *column = made;
    return 0;
}

/* ---- The stream ------------------------------------------------------------------ */

static void release_schema(struct ArrowSchema *schema)
{
    PyMem_RawFree(schema->private_data);
    schema->release = NULL;
}

static int relabel(struct ArrowSchema *column, const char *format)
{
    char *const name = PyMem_RawMalloc(strlen(column->name) + 1);
    const int64_t flags = column->flags;

    if (!name)
        return ENOMEM;
    strcpy(name, column->name);
    column->release(column);
    *column = (struct ArrowSchema){.format = format,
                                   .name = name,
                                   .flags = flags,
                                   .release = release_schema,
                                   .private_data = name};
    return 0;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    struct caster *const c = stream->private_data;
    int failed = c->inner.get_schema(&c->inner, out);

    for (int64_t i = 0; !failed && i < c->n_columns; i++) {
        if (c->columns[i].how != AS_IT_IS)
            failed = relabel(out->children[i], c->columns[i].format);
        if (failed)
            out->release(out);
    }
    return failed;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    struct caster *const c = stream->private_data;
    int failed = c->inner.get_next(&c->inner, out);

    c->error = NULL;
    if (failed || !out->release)
        return failed;
    for (int64_t i = 0; !failed && i < c->n_columns; i++)
        failed = cast_column(out->children[i], c->columns[i].how);
    if (!failed)
        return 0;
    out->release(out);
    c->error = failed == EOVERFLOW
                   ? "65,536 texts are too long for utf8: ask for large_utf8"
                   : "out of memory";
    return failed;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    struct caster *const c = stream->private_data;

    return c->error ? c->error : c->inner.get_last_error(&c->inner);
}

static void release_stream(struct ArrowArrayStream *stream)
{
    struct caster *const c = stream->private_data;

    c->inner.release(&c->inner);
    PyMem_RawFree(c);
    stream->release = NULL;
}

/* ---- The request ----------------------------------------------------------------- */

/* Whether the columns have these names: false with a ValueError. */
static bool has_columns(const struct ArrowSchema *own, const struct ArrowSchema *wanted)
{
    if (strcmp(wanted->format, "+s") || wanted->n_children != own->n_children) {
        PyErr_Format(PyExc_ValueError,
                     "requested_schema must have the table's %lld columns, not %lld",
                     (long long)own->n_children, (long long)wanted->n_children);
        return false;
    }
    for (int64_t i = 0; i < own->n_children; i++) {
        const char *const name = wanted->children[i]->name;

        if (!name || strcmp(name, own->children[i]->name)) {
            PyErr_Format(PyExc_ValueError,
                         "requested_schema must have the column '%s', not '%s'",
                         own->children[i]->name, name ? name : "");
            return false;
        }
    }
    return true;
}

/* Sets the cast of each column: 1, 0 if none is needed or one is impossible, -1 with an
 * exception. */
static int plan(struct caster *c, const struct ArrowSchema *own,
                const struct ArrowSchema *wanted)
{
    int is_needed = 0;

    if (!has_columns(own, wanted))
        return -1;
    for (int64_t i = 0; i < c->n_columns; i++) {
        c->columns[i].how =
            find_cast(own->children[i], wanted->children[i], &c->columns[i].format);
        if (c->columns[i].how == IMPOSSIBLE)
            return 0;
        is_needed |= c->columns[i].how != AS_IT_IS;
    }
    return is_needed;
}

int rln_py_arrow_cast(struct ArrowArrayStream *stream, const struct ArrowSchema *wanted)
{
    struct ArrowSchema own;
    struct caster *c;
    int planned;

    if (stream->get_schema(stream, &own)) {
        PyErr_NoMemory();
        return -1;
    }
    c = PyMem_RawCalloc(1, sizeof(*c) + (size_t)own.n_children * sizeof(c->columns[0]));
    if (!c) {
        own.release(&own);
        PyErr_NoMemory();
        return -1;
    }
    c->n_columns = own.n_children;
    planned = plan(c, &own, wanted);
    own.release(&own);
    if (planned <= 0) {
        PyMem_RawFree(c);
        return planned;
    }
    c->inner = *stream;
    *stream = (struct ArrowArrayStream){get_schema, get_next, get_last_error,
                                        release_stream, c};
    return 0;
}
