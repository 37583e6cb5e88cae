/* SPDX-License-Identifier: Apache-2.0 */
#include "export/arrow/arrow_batch.h"
#include "base/alloc.h"
#include "base/utf8.h"

#include <errno.h>
#include <string.h>

#define FIRST_ROWS 1024

static const struct {
    const char *format;
    size_t n_bytes; /* 0: a bit */
} types[] = {
    [RLN__ARROW_I64] = {"l", 8},        [RLN__ARROW_U64] = {"L", 8},
    [RLN__ARROW_U32] = {"I", 4},        [RLN__ARROW_F64] = {"g", 8},
    [RLN__ARROW_BOOL] = {"b", 0},       [RLN__ARROW_TEXT] = {"i", 4},
    [RLN__ARROW_PLAIN_TEXT] = {"u", 4}, [RLN__ARROW_BYTES] = {"z", 4},
};

/* --- Rows ------------------------------------------------------------------------- */

int rln__arrow_batch_init(struct rln__arrow_batch *b,
                          const struct rln__arrow_field *fields, size_t n_fields)
{
    memset(b, 0, sizeof(*b));
    b->columns = rln__alloc(n_fields, sizeof(*b->columns));
    if (!b->columns)
        return -1;
    b->fields = fields;
    b->n_fields = n_fields;
    for (size_t i = 0; i < n_fields; i++)
        b->columns[i].type = fields[i].type;
    return 0;
}

static void clear_column(struct rln__arrow_column *c)
{
    const enum rln__arrow_type type = c->type;

    rln__free(c->values);
    rln__free(c->validity);
    rln__buf_clear(&c->text);
    rln__buf_clear(&c->offsets);
    rln__map_clear(&c->by_address);
    memset(c, 0, sizeof(*c));
    c->type = type;
}

void rln__arrow_batch_clear(struct rln__arrow_batch *b)
{
    for (size_t i = 0; i < b->n_fields; i++)
        clear_column(&b->columns[i]);
    rln__free(b->columns);
    memset(b, 0, sizeof(*b));
}

static size_t bytes_of_bits(int64_t n)
{
    return (size_t)n / 8 + 1;
}

static inline int is_plain(enum rln__arrow_type type)
{
    return type == RLN__ARROW_PLAIN_TEXT || type == RLN__ARROW_BYTES;
}

/* How many bytes `n` rows take, without the 0 before ends. */
static size_t bytes_of(const struct rln__arrow_column *c, int64_t n)
{
    const size_t n_bytes = types[c->type].n_bytes;

    return n_bytes ? n_bytes * (size_t)n : bytes_of_bits(n);
}

/* Makes rows null. */
static void make_null(struct rln__arrow_column *c, int64_t from, int64_t to)
{
    const size_t begin = from ? bytes_of_bits(from) : 0;

    memset(c->validity + begin, 0, bytes_of_bits(to) - begin);
    if (is_plain(c->type))
        *(int32_t *)c->values = 0;
    else
        memset((char *)c->values + (from ? bytes_of(c, from) : 0), 0,
               bytes_of(c, to) - (from ? bytes_of(c, from) : 0));
}

__attribute__((noinline, cold)) int rln__arrow_grow(struct rln__arrow_batch *b)
{
    const int64_t capacity = b->capacity ? b->capacity * 2 : FIRST_ROWS;

    for (size_t i = 0; i < b->n_fields; i++) {
        struct rln__arrow_column *c = &b->columns[i];
        void *values = rln__resize(
            c->values,
            bytes_of(c, capacity) + (is_plain(c->type) ? sizeof(int32_t) : 0), 1);
        uint8_t *validity;

        if (!values)
            return -1;
        c->values = values;
        validity = rln__resize(c->validity, bytes_of_bits(capacity), 1);
        if (!validity)
            return -1;
        c->validity = validity;
        make_null(c, b->capacity, capacity);
    }
    b->capacity = capacity;
    return 0;
}

void rln__arrow_u32(struct rln__arrow_batch *b, uint32_t value)
{
    struct rln__arrow_column *c = rln__arrow_begin(b);

    if (c)
        ((uint32_t *)c->values)[b->n_rows] = value;
    rln__arrow_end(b);
}

void rln__arrow_f64(struct rln__arrow_batch *b, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    rln__arrow_u64(b, bits);
}

void rln__arrow_bool(struct rln__arrow_batch *b, int value)
{
    struct rln__arrow_column *c = rln__arrow_begin(b);

    if (c)
        ((uint8_t *)c->values)[b->n_rows / 8] |=
            (uint8_t)((value != 0) << b->n_rows % 8);
    rln__arrow_end(b);
}

/* --- Texts ------------------------------------------------------------------------ */

static void add_offset(struct rln__arrow_column *c)
{
    const int32_t at = (int32_t)c->text.length;

    rln__buf_add(&c->offsets, (const char *)&at, sizeof(at));
}

/* The number of a text in the column's dictionary, from 1 on; 0 when there is no
 * memory, or no number that an int32 could be. */
static uint64_t number_of(struct rln__arrow_column *c, rln_text text)
{
    const uint64_t key = (uint64_t)(uintptr_t)text.bytes;
    const uint64_t known = rln__map_get(&c->by_address, key);

    if (known)
        return known;
    if (c->text.length + 3 * text.length > INT32_MAX)
        return 0;
    if (c->n_texts == 0)
        add_offset(c);
    rln__buf_utf8(&c->text, text.bytes, text.length); /* or Arrow's readers fail */
    add_offset(c);
    if (c->text.has_failed || c->offsets.has_failed ||
        rln__map_put(&c->by_address, key, (uint64_t)c->n_texts + 1))
        return 0;
    return (uint64_t)++c->n_texts;
}

void rln__arrow_text(struct rln__arrow_batch *b, rln_text text)
{
    struct rln__arrow_column *c = &b->columns[b->at];

    if (!text.bytes) {
        rln__arrow_null(b);
        return;
    }
    if (text.bytes != c->last_text) {
        const uint64_t number = number_of(c, text);

        b->has_failed |= !number;
        c->last_text = number ? text.bytes : NULL;
        c->last_number = (int32_t)(number - 1);
    }
    c = rln__arrow_begin(b);
    if (c)
        ((int32_t *)c->values)[b->n_rows] = c->last_number;
    rln__arrow_end(b);
}

/* Sets the ends of rows, up to a number of them. */
static void end_rows(struct rln__arrow_column *c, int64_t n, size_t length)
{
    int32_t *ends = (int32_t *)c->values + 1;

    while (c->n_ends < n)
        ends[c->n_ends++] = (int32_t)length;
}

void rln__arrow_bytes(struct rln__arrow_batch *b, rln_text bytes)
{
    struct rln__arrow_column *c = &b->columns[b->at];
    const size_t begin = c->text.length;

    if (!bytes.bytes) {
        rln__arrow_null(b);
        return;
    }
    if (c->type == RLN__ARROW_PLAIN_TEXT)
        rln__buf_utf8(&c->text, bytes.bytes, bytes.length);
    else
        rln__buf_add(&c->text, bytes.bytes, bytes.length);
    b->has_failed |= c->text.has_failed || c->text.length > INT32_MAX;
    b->n_bytes += c->text.length - begin;
    c = rln__arrow_begin(b);
    if (c) {
        end_rows(c, b->n_rows, begin);
        end_rows(c, b->n_rows + 1, c->text.length);
    }
    rln__arrow_end(b);
}

/* --- Plain columns ---------------------------------------------------------------- */

size_t rln__arrow_buffers(const struct rln__arrow_batch *b, size_t column,
                          rln_text out[RLN__ARROW_MOST_BUFFERS])
{
    struct rln__arrow_column *c = &b->columns[column];
    const size_t n = (size_t)b->n_rows, n_values = n + (size_t)is_plain(c->type);

    if (is_plain(c->type) && n)
        end_rows(c, b->n_rows, c->text.length);
    out[0] =
        (rln_text){(const char *)c->validity, c->n_valid < b->n_rows ? (n + 7) / 8 : 0};
    out[1] = (rln_text){c->values, types[c->type].n_bytes * n_values};
    out[2] = (rln_text){c->text.bytes, c->text.length};
    return is_plain(c->type) ? 3 : 2;
}

int64_t rln__arrow_n_null(const struct rln__arrow_batch *b, size_t column)
{
    return b->n_rows - b->columns[column].n_valid;
}

void rln__arrow_batch_empty(struct rln__arrow_batch *b)
{
    for (size_t i = 0; i < b->n_fields; i++) {
        struct rln__arrow_column *c = &b->columns[i];

        if (c->n_valid)
            make_null(c, 0, b->n_rows);
        c->n_valid = c->n_ends = 0;
        c->text.length = 0;
    }
    b->n_rows = 0;
    b->n_bytes = 0;
}

/* --- Arrow's arrays --------------------------------------------------------------- */

struct owned_array {
    void *blocks[RLN__ARROW_MOST_BUFFERS]; /* owned */
    const void *buffers[RLN__ARROW_MOST_BUFFERS];
    struct ArrowArray **children; /* owned, and each one; or NULL */
    struct ArrowArray dictionary;
};

static void release_array(struct ArrowArray *a)
{
    struct owned_array *owned = a->private_data;

    for (int64_t i = 0; i < a->n_children; i++) {
        if (owned->children[i]->release)
            owned->children[i]->release(owned->children[i]);
        rln__free(owned->children[i]);
    }
    if (a->dictionary && a->dictionary->release)
        a->dictionary->release(a->dictionary);
    for (size_t i = 0; i < RLN__ARROW_MOST_BUFFERS; i++)
        rln__free(owned->blocks[i]);
    rln__free(owned->children);
    rln__free(owned);
    a->release = NULL;
}

/* An array without buffers. ENOMEM leaves it released. */
static int init_array(struct ArrowArray *a, int64_t length, int64_t n_buffers)
{
    struct owned_array *owned = rln__alloc(1, sizeof(*owned));

    *a = (struct ArrowArray){
        .length = length,
        .n_buffers = n_buffers,
        .release = owned ? release_array : NULL,
        .private_data = owned,
    };
    if (!owned)
        return ENOMEM;
    a->buffers = owned->buffers;
    return 0;
}

/* Passes a block on. Arrow requires an address even of nothing. */
static int give(struct ArrowArray *a, size_t index, void *block)
{
    struct owned_array *owned = a->private_data;

    owned->blocks[index] = block ? block : rln__alloc(1, 8);
    owned->buffers[index] = owned->blocks[index];
    return owned->blocks[index] ? 0 : ENOMEM;
}

static int give_buf(struct ArrowArray *a, size_t index, struct rln__buf *buf)
{
    void *const block = buf->bytes;

    memset(buf, 0, sizeof(*buf));
    return give(a, index, block);
}

static int take_dictionary(struct rln__arrow_column *c, struct ArrowArray *a)
{
    struct owned_array *owned = a->private_data;
    int failed;

    if (c->n_texts == 0)
        add_offset(c);
    failed = init_array(&owned->dictionary, c->n_texts, 3);
    if (failed)
        return failed;
    a->dictionary = &owned->dictionary;
    failed = give_buf(a->dictionary, 1, &c->offsets);
    return failed ? failed : give_buf(a->dictionary, 2, &c->text);
}

static int take_column(struct rln__arrow_column *c, int64_t n_rows,
                       struct ArrowArray *a)
{
    int failed = init_array(a, n_rows, 2);

    if (failed)
        return failed;
    a->null_count = n_rows - c->n_valid;
    if (a->null_count) {
        failed = give(a, 0, c->validity);
        c->validity = NULL;
    }
    if (!failed) {
        failed = give(a, 1, c->values);
        c->values = NULL;
    }
    if (!failed && c->type == RLN__ARROW_TEXT)
        failed = take_dictionary(c, a);
    return failed;
}

static int take_columns(struct rln__arrow_batch *b, struct ArrowArray *out)
{
    struct owned_array *owned = out->private_data;

    owned->children = rln__alloc(b->n_fields, sizeof(*owned->children));
    if (!owned->children)
        return ENOMEM;
    out->children = owned->children;
    for (size_t i = 0; i < b->n_fields; i++) {
        struct ArrowArray *child = rln__alloc(1, sizeof(*child));

        if (!child)
            return ENOMEM;
        owned->children[i] = child;
        out->n_children++;
        if (take_column(&b->columns[i], b->n_rows, child))
            return ENOMEM;
    }
    return 0;
}

int rln__arrow_batch_take(struct rln__arrow_batch *b, struct ArrowArray *out)
{
    int failed = b->has_failed ? ENOMEM : init_array(out, b->n_rows, 1);

    if (b->has_failed)
        memset(out, 0, sizeof(*out));
    if (!failed)
        failed = take_columns(b, out);
    if (failed && out->release)
        out->release(out);
    for (size_t i = 0; i < b->n_fields; i++)
        clear_column(&b->columns[i]);
    b->n_rows = b->capacity = 0;
    b->at = 0;
    b->has_failed = 0;
    return failed;
}

/* --- Arrow's schemas -------------------------------------------------------------- */

static void release_schema(struct ArrowSchema *s)
{
    for (int64_t i = 0; i < s->n_children; i++) {
        if (s->children[i]->release)
            s->children[i]->release(s->children[i]);
        rln__free(s->children[i]);
    }
    if (s->dictionary && s->dictionary->release)
        s->dictionary->release(s->dictionary);
    rln__free(s->dictionary);
    rln__free(s->children);
    s->release = NULL;
}

static int fill_field(const struct rln__arrow_field *field, struct ArrowSchema *s)
{
    *s = (struct ArrowSchema){
        .format = types[field->type].format,
        .name = field->name,
        .flags = ARROW_FLAG_NULLABLE,
        .release = release_schema,
    };
    if (field->type != RLN__ARROW_TEXT)
        return 0;
    s->dictionary = rln__alloc(1, sizeof(*s->dictionary));
    if (!s->dictionary)
        return ENOMEM;
    *s->dictionary =
        (struct ArrowSchema){.format = "u", .name = "", .release = release_schema};
    return 0;
}

int rln__arrow_schema(const struct rln__arrow_field *fields, size_t n_fields,
                      struct ArrowSchema *out)
{
    *out = (struct ArrowSchema){.format = "+s", .name = "", .release = release_schema};
    out->children = rln__alloc(n_fields, sizeof(*out->children));
    for (size_t i = 0; i < n_fields; i++) {
        struct ArrowSchema *child =
            out->children ? rln__alloc(1, sizeof(*child)) : NULL;

        if (child) {
            out->children[out->n_children++] = child;
            child->release = NULL;
        }
        if (!child || fill_field(&fields[i], child)) {
            out->release(out);
            return ENOMEM;
        }
    }
    return 0;
}
