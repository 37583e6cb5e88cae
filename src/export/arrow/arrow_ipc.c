/* SPDX-License-Identifier: Apache-2.0 */
#include "export/arrow/arrow_ipc.h"
#include "base/fail.h"
#include "export/arrow/flatbuffer.h"

#define OFFSET RLN__FLAT_OFFSET
#define N(widths) (sizeof(widths) / sizeof((widths)[0]))

/* Of Arrow's Message.fbs and Schema.fbs. */
enum { VERSION_5 = 4 };
enum { HEADER_SCHEMA = 1, HEADER_BATCH = 3 };
enum { MESSAGE_VERSION, MESSAGE_HEADER_TYPE, MESSAGE_HEADER, MESSAGE_BODY };
enum { SCHEMA_FIELDS = 1, SCHEMA_METADATA };
enum { PAIR_KEY, PAIR_VALUE };
enum { FIELD_NAME, FIELD_NULLABLE, FIELD_TYPE_TYPE, FIELD_TYPE, FIELD_CHILDREN = 5 };
enum { INT_BITS, INT_IS_SIGNED };
enum { BATCH_LENGTH, BATCH_NODES, BATCH_BUFFERS, BATCH_COMPRESSION };
enum { COMPRESSION_CODEC, CODEC_ZSTD = 1 };
enum { TYPE_INT = 2, TYPE_FLOAT = 3, TYPE_BINARY = 4, TYPE_TEXT = 5, DOUBLE = 2 };

/* Of a message, which is empty. Returns where it is. */
static size_t begin_message(struct rln__buf *out, uint8_t header_type)
{
    static const uint8_t widths[] = {2, 1, OFFSET, 8};
    size_t message;

    rln__buf_fill(out, 0, OFFSET);
    message = rln__flat_table(out, widths, N(widths));
    rln__flat_refer(out, 0, message);
    rln__flat_set(out, rln__flat_field(out, message, MESSAGE_VERSION), VERSION_5, 2);
    rln__flat_set(out, rln__flat_field(out, message, MESSAGE_HEADER_TYPE), header_type,
                  1);
    return message;
}

/* The message's header, a table. Returns where it is. */
static size_t add_header(struct rln__buf *out, size_t message, const uint8_t *widths,
                         size_t n_fields)
{
    const size_t header = rln__flat_table(out, widths, n_fields);

    rln__flat_refer(out, rln__flat_field(out, message, MESSAGE_HEADER), header);
    return header;
}

/* Consumes `flat`. */
static rln_status write_message(const struct rln__arrow_sink *sink,
                                struct rln__buf *flat, rln_error *err)
{
    uint32_t words[2] = {UINT32_MAX, 0};
    rln_status status;

    rln__buf_fill(flat, 0, -flat->length % 8);
    words[1] = (uint32_t)flat->length;
    status = flat->has_failed ? rln__fail_nomem(err)
                              : sink->write(sink->context, words, sizeof(words), err);
    if (!status)
        status = sink->write(sink->context, flat->bytes, flat->length, err);
    rln__buf_clear(flat);
    return status;
}

/* --- Schemas ---------------------------------------------------------------------- */

static void add_metadata(struct rln__buf *out, size_t at, const char *key,
                         const char *value)
{
    static const uint8_t widths[] = {OFFSET, OFFSET};
    const size_t pairs = rln__flat_offsets(out, at, 1);
    const size_t pair = rln__flat_table(out, widths, N(widths));

    rln__flat_refer(out, pairs, pair);
    rln__flat_text(out, rln__flat_field(out, pair, PAIR_KEY), key);
    rln__flat_text(out, rln__flat_field(out, pair, PAIR_VALUE), value);
}

/* Returns the type's number. */
static uint8_t add_type(struct rln__buf *out, size_t at, enum rln__arrow_type type)
{
    static const uint8_t integer[] = {4, 1}, real[] = {2};
    size_t table;

    switch (type) {
    case RLN__ARROW_F64:
        table = rln__flat_table(out, real, N(real));
        rln__flat_set(out, rln__flat_field(out, table, 0), DOUBLE, 2);
        rln__flat_refer(out, at, table);
        return TYPE_FLOAT;
    case RLN__ARROW_PLAIN_TEXT:
    case RLN__ARROW_BYTES:
        rln__flat_refer(out, at, rln__flat_table(out, NULL, 0));
        return type == RLN__ARROW_BYTES ? TYPE_BINARY : TYPE_TEXT;
    default:
        table = rln__flat_table(out, integer, N(integer));
        rln__flat_set(out, rln__flat_field(out, table, INT_BITS), 64, 4);
        rln__flat_set(out, rln__flat_field(out, table, INT_IS_SIGNED),
                      type == RLN__ARROW_I64, 1);
        rln__flat_refer(out, at, table);
        return TYPE_INT;
    }
}

static void add_field(struct rln__buf *out, size_t at,
                      const struct rln__arrow_field *field, int is_required)
{
    static const uint8_t widths[] = {OFFSET, 1, 1, OFFSET, 0, OFFSET};
    const size_t table = rln__flat_table(out, widths, N(widths));
    uint8_t type;

    rln__flat_refer(out, at, table);
    rln__flat_text(out, rln__flat_field(out, table, FIELD_NAME), field->name);
    type = add_type(out, rln__flat_field(out, table, FIELD_TYPE), field->type);
    rln__flat_set(out, rln__flat_field(out, table, FIELD_TYPE_TYPE), type, 1);
    rln__flat_set(out, rln__flat_field(out, table, FIELD_NULLABLE), !is_required, 1);
    (void)rln__flat_offsets(out, rln__flat_field(out, table, FIELD_CHILDREN), 0);
}

rln_status rln__arrow_write_schema(const struct rln__arrow_sink *sink,
                                   const struct rln__ipc_table *table, rln_error *err)
{
    static const uint8_t widths[] = {0, OFFSET, OFFSET};
    struct rln__buf flat = {0};
    const size_t message = begin_message(&flat, HEADER_SCHEMA);
    const size_t schema = add_header(&flat, message, widths, N(widths));
    const size_t offsets = rln__flat_offsets(
        &flat, rln__flat_field(&flat, schema, SCHEMA_FIELDS), table->n_fields);

    for (size_t i = 0; i < table->n_fields; i++)
        add_field(&flat, offsets + i * OFFSET, &table->fields[i],
                  (int)(table->required >> i & 1));
    add_metadata(&flat, rln__flat_field(&flat, schema, SCHEMA_METADATA), "table_name",
                 table->name);
    return write_message(sink, &flat, err);
}

/* --- Batches ---------------------------------------------------------------------- */

/* The buffers of a batch, and where they are: {offset:64, length:64} each. */
struct body {
    struct rln__buf bytes, extents;
};

static void add_pair(struct rln__buf *out, uint64_t a, uint64_t b)
{
    const uint64_t pair[2] = {a, b};

    rln__buf_add(out, (const char *)pair, sizeof(pair));
}

/* Its length and its compressed bytes; or -1 and the bytes, if that is less. */
static void add_compressed(struct rln__buf *out, rln_text buffer,
                           struct rln__block_codec *codec)
{
    static const int64_t as_it_is = -1;
    const int64_t length = (int64_t)buffer.length;
    const size_t begin = out->length;

    rln__buf_add(out, (const char *)&length, sizeof(length));
    rln__block_codec_add(codec, buffer, out);
    if (out->has_failed || out->length - begin - sizeof(length) < buffer.length)
        return;
    out->length = begin;
    rln__buf_add(out, (const char *)&as_it_is, sizeof(as_it_is));
    rln__buf_add(out, buffer.bytes, buffer.length);
}

static void add_buffer(struct body *body, rln_text buffer,
                       struct rln__block_codec *codec)
{
    const size_t begin = body->bytes.length;

    if (codec && buffer.length)
        add_compressed(&body->bytes, buffer, codec);
    else
        rln__buf_add(&body->bytes, buffer.bytes, buffer.length);
    add_pair(&body->extents, begin, body->bytes.length - begin);
    rln__buf_fill(&body->bytes, 0, -body->bytes.length % 8);
}

static void add_buffers(struct body *body, const struct rln__arrow_batch *b,
                        struct rln__block_codec *codec)
{
    rln_text buffers[RLN__ARROW_MOST_BUFFERS];

    for (size_t i = 0; i < b->n_fields; i++) {
        const size_t n = rln__arrow_buffers(b, i, buffers);

        for (size_t k = 0; k < n; k++)
            add_buffer(body, buffers[k], codec);
    }
}

static void add_compression(struct rln__buf *out, size_t at)
{
    static const uint8_t widths[] = {1};
    const size_t table = rln__flat_table(out, widths, N(widths));

    rln__flat_refer(out, at, table);
    rln__flat_set(out, rln__flat_field(out, table, COMPRESSION_CODEC), CODEC_ZSTD, 1);
}

static rln_status write_header(const struct rln__arrow_sink *sink,
                               const struct rln__arrow_batch *b,
                               const struct body *body, rln_error *err)
{
    const uint8_t widths[] = {8, OFFSET, OFFSET, sink->codec ? OFFSET : 0};
    struct rln__buf flat = {0};
    const size_t message = begin_message(&flat, HEADER_BATCH);
    const size_t batch = add_header(&flat, message, widths, N(widths));
    const uint64_t n_rows = (uint64_t)b->n_rows;

    rln__flat_set(&flat, rln__flat_field(&flat, batch, BATCH_LENGTH), n_rows, 8);
    (void)rln__flat_vector(&flat, rln__flat_field(&flat, batch, BATCH_NODES),
                           b->n_fields);
    for (size_t i = 0; i < b->n_fields; i++)
        add_pair(&flat, n_rows, (uint64_t)rln__arrow_n_null(b, i));
    (void)rln__flat_vector(&flat, rln__flat_field(&flat, batch, BATCH_BUFFERS),
                           body->extents.length / (2 * sizeof(uint64_t)));
    rln__buf_add(&flat, body->extents.bytes, body->extents.length);
    if (sink->codec)
        add_compression(&flat, rln__flat_field(&flat, batch, BATCH_COMPRESSION));
    rln__flat_set(&flat, rln__flat_field(&flat, message, MESSAGE_BODY),
                  body->bytes.length, 8);
    return write_message(sink, &flat, err);
}

rln_status rln__arrow_write_batch(const struct rln__arrow_sink *sink,
                                  struct rln__arrow_batch *batch, rln_error *err)
{
    struct body body = {{0}, {0}};
    rln_status status;

    if (batch->has_failed)
        return rln__fail_nomem(err);
    if (batch->n_rows == 0)
        return RLN_OK;
    add_buffers(&body, batch, sink->codec);
    status = body.bytes.has_failed || body.extents.has_failed
                 ? rln__fail_nomem(err)
                 : write_header(sink, batch, &body, err);
    if (!status)
        status = sink->write(sink->context, body.bytes.bytes, body.bytes.length, err);
    rln__buf_clear(&body.bytes);
    rln__buf_clear(&body.extents);
    rln__arrow_batch_empty(batch);
    return status;
}

rln_status rln__arrow_write_end(const struct rln__arrow_sink *sink, rln_error *err)
{
    static const uint32_t words[2] = {UINT32_MAX, 0};

    return sink->write(sink->context, words, sizeof(words), err);
}
