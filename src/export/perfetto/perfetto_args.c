/* SPDX-License-Identifier: Apache-2.0 */
#include "export/perfetto/perfetto_args.h"
#include "export/perfetto/perfetto_fields.h"
#include "export/perfetto/proto.h"
#include "trace/payload/numbers.h"
#include "trace/payload/payload_json.h"

static rln_text words(const char *text)
{
    return (rln_text){text, strlen(text)};
}

static size_t begin_arg(struct rln__buf *out, const char *name)
{
    const size_t begin = rln__proto_begin(out, EVENT_ANNOTATIONS);

    rln__proto_text(out, ANNOTATION_NAME, words(name));
    return begin;
}

void rln__perfetto_text_arg(struct rln__buf *out, const char *name, rln_text text)
{
    const size_t begin = begin_arg(out, name);

    rln__proto_text(out, ANNOTATION_STRING, text);
    rln__proto_end(out, begin);
}

void rln__perfetto_uint_arg(struct rln__buf *out, const char *name, uint64_t value)
{
    const size_t begin = begin_arg(out, name);

    rln__proto_varint(out, ANNOTATION_UINT, value);
    rln__proto_end(out, begin);
}

static void add_number(struct rln__buf *out, uint8_t type, uint64_t bits)
{
    switch (type) {
    case RLN_PAYLOAD_I64:
        rln__proto_varint(out, ANNOTATION_INT, bits);
        break;
    case RLN_PAYLOAD_I32:
        rln__proto_varint(out, ANNOTATION_INT,
                          (uint64_t)(int64_t)(int32_t)(uint32_t)bits);
        break;
    case RLN_PAYLOAD_U32:
        rln__proto_varint(out, ANNOTATION_UINT, (uint32_t)bits);
        break;
    case RLN_PAYLOAD_FLOAT:
    case RLN_PAYLOAD_DOUBLE:
        rln__proto_double(out, ANNOTATION_DOUBLE, rln__number_double(type, bits));
        break;
    default:
        rln__proto_varint(out, ANNOTATION_UINT, bits);
        break;
    }
}

void rln__perfetto_attributes(struct rln__buf *out, const rln_attributes *with)
{
    if (with->domain_name.bytes)
        rln__perfetto_text_arg(out, "domain", with->domain_name);
    if (with->has_color) {
        char color[] = "#00000000";

        for (int i = 8, rest = 0; i; i--, rest += 4)
            color[i] = "0123456789abcdef"[with->color >> rest & 15];
        rln__perfetto_text_arg(out, "color", words(color));
    }
}

void rln__perfetto_payload(struct rln__buf *out, uint8_t type, uint64_t bits)
{
    if (type) {
        const size_t begin = begin_arg(out, "payload");

        add_number(out, type, bits);
        rln__proto_end(out, begin);
    }
}

/* --- Payloads with a schema ------------------------------------------------------- */

static size_t add_field(struct rln__buf *out, const rln_field *fields, size_t at);

static size_t add_children(struct rln__buf *out, const rln_field *fields, size_t at)
{
    const rln_field *head = &fields[at++];
    const uint32_t field =
        head->kind == RLN_FIELD_ARRAY ? ANNOTATION_VALUES : ANNOTATION_ENTRIES;

    for (uint32_t i = 0; i < head->n_children; i++) {
        const size_t begin = rln__proto_begin(out, field);

        if (field == ANNOTATION_ENTRIES)
            rln__proto_text(out, ANNOTATION_NAME,
                            fields[at].name.length ? fields[at].name : words("?"));
        at = add_field(out, fields, at);
        rln__proto_end(out, begin);
    }
    return at;
}

/* Values without a type of Perfetto's are text, as in JSON, without quotes. */
static size_t add_cached(struct rln__buf *out, const rln_field *fields, size_t at)
{
    struct rln__buf json = {0};
    const size_t next = rln__json_of_field(&json, fields, at);
    rln_text text = {json.bytes, json.length};

    if (text.length >= 2 && *text.bytes == '"')
        text = (rln_text){text.bytes + 1, text.length - 2};
    rln__proto_text(out, ANNOTATION_STRING, text);
    out->has_failed |= json.has_failed;
    rln__buf_clear(&json);
    return next;
}

/* Writes the value of the field at `at`; returns the index after it. */
static size_t add_field(struct rln__buf *out, const rln_field *fields, size_t at)
{
    const rln_field *f = &fields[at];

    switch (f->kind) {
    case RLN_FIELD_STRUCT:
    case RLN_FIELD_UNION:
    case RLN_FIELD_ARRAY:
        return add_children(out, fields, at);
    case RLN_FIELD_INT:
        rln__proto_varint(out, ANNOTATION_INT, f->bits);
        return at + 1;
    case RLN_FIELD_UINT:
        rln__proto_varint(out, ANNOTATION_UINT, f->bits);
        return at + 1;
    case RLN_FIELD_FLOAT:
    case RLN_FIELD_DOUBLE:
        rln__proto_double(out, ANNOTATION_DOUBLE, f->number);
        return at + 1;
    case RLN_FIELD_TEXT:
        rln__proto_text(out, ANNOTATION_STRING, f->text);
        return at + 1;
    default:
        return add_cached(out, fields, at);
    }
}

void rln__perfetto_payloads(struct rln__buf *out, const rln_payload *payloads, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const rln_payload *p = &payloads[i];
        size_t begin;

        if (p->is_hidden || !p->n_fields)
            continue;
        begin = rln__proto_begin(out, EVENT_ANNOTATIONS);
        rln__proto_text(out, ANNOTATION_NAME,
                        p->schema_name.length ? p->schema_name : words("payload data"));
        (void)add_field(out, p->fields, 0);
        rln__proto_end(out, begin);
    }
}
