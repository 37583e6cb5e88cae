/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/payload/payload_json.h"
#include "base/json.h"
#include "format/nvtx_payload.h"

#include <math.h>

#define MOST_SHOWN 32 /* elements of an array, and bytes, in text */

void rln__json_real(struct rln__buf *buf, double value, int is_float)
{
    const char *quote = isfinite(value) ? "" : "\"";

    rln__buf_text(buf, quote);
    rln__buf_double(buf, value, is_float);
    rln__buf_text(buf, quote);
}

void rln__json_number(struct rln__buf *buf, uint8_t type, uint64_t bits)
{
    double d;
    float f;

    switch (type) {
    case RLN_PAYLOAD_U64:
        rln__buf_u64(buf, bits);
        break;
    case RLN_PAYLOAD_I64:
        rln__buf_i64(buf, (int64_t)bits);
        break;
    case RLN_PAYLOAD_U32:
        rln__buf_u64(buf, (uint32_t)bits);
        break;
    case RLN_PAYLOAD_I32:
        rln__buf_i64(buf, (int32_t)(uint32_t)bits);
        break;
    case RLN_PAYLOAD_DOUBLE:
        memcpy(&d, &bits, sizeof(d));
        rln__json_real(buf, d, 0);
        break;
    case RLN_PAYLOAD_FLOAT:
        memcpy(&f, &bits, sizeof(f)); /* little-endian: the low bytes */
        rln__json_real(buf, (double)f, 1);
        break;
    default:
        rln__buf_text(buf, "\"0x");
        rln__buf_hex(buf, bits, 16);
        rln__buf_char(buf, '"');
        break;
    }
}

const char *rln__type_name(uint64_t type)
{
    static const char *const names[] = {
        [RLN__TYPE_CHAR] = "char",
        [RLN__TYPE_UCHAR] = "unsigned char",
        [RLN__TYPE_SHORT] = "short",
        [RLN__TYPE_USHORT] = "unsigned short",
        [RLN__TYPE_INT] = "int",
        [RLN__TYPE_UINT] = "unsigned int",
        [RLN__TYPE_LONG] = "long",
        [RLN__TYPE_ULONG] = "unsigned long",
        [RLN__TYPE_LONGLONG] = "long long",
        [RLN__TYPE_ULONGLONG] = "unsigned long long",
        [RLN__TYPE_INT8] = "int8",
        [RLN__TYPE_UINT8] = "uint8",
        [RLN__TYPE_INT16] = "int16",
        [RLN__TYPE_UINT16] = "uint16",
        [RLN__TYPE_INT32] = "int32",
        [RLN__TYPE_UINT32] = "uint32",
        [RLN__TYPE_INT64] = "int64",
        [RLN__TYPE_UINT64] = "uint64",
        [RLN__TYPE_FLOAT] = "float",
        [RLN__TYPE_DOUBLE] = "double",
        [RLN__TYPE_LONGDOUBLE] = "long double",
        [RLN__TYPE_SIZE] = "size",
        [RLN__TYPE_ADDRESS] = "address",
        [RLN__TYPE_WCHAR] = "wchar",
        [RLN__TYPE_CHAR8] = "char8",
        [RLN__TYPE_CHAR16] = "char16",
        [RLN__TYPE_CHAR32] = "char32",
        [RLN__TYPE_BYTE] = "byte",
        [RLN__TYPE_INT128] = "int128",
        [RLN__TYPE_UINT128] = "uint128",
        [RLN__TYPE_FLOAT16] = "float16",
        [RLN__TYPE_FLOAT32] = "float32",
        [RLN__TYPE_FLOAT64] = "float64",
        [RLN__TYPE_FLOAT128] = "float128",
        [RLN__TYPE_BF16] = "bfloat16",
        [RLN__TYPE_TF32] = "tf32",
        [RLN__TYPE_RANGE_ID] = "range",
        [RLN__TYPE_CATEGORY] = "category",
        [RLN__TYPE_COLOR] = "color",
        [RLN__TYPE_SCOPE] = "scope",
        [RLN__TYPE_PID32] = "pid",
        [RLN__TYPE_PID64] = "pid",
        [RLN__TYPE_TID32] = "tid",
        [RLN__TYPE_TID64] = "tid",
        [RLN__TYPE_CSTRING] = "string",
        [RLN__TYPE_CSTRING_UTF8] = "utf8",
        [RLN__TYPE_CSTRING_UTF16] = "utf16",
        [RLN__TYPE_CSTRING_UTF32] = "utf32",
        [RLN__TYPE_STRING_HANDLE] = "registered string",
        [RLN__TYPE_SELECTOR] = "selector",
        [RLN__TYPE_REFERENCED] = "referenced",
        [RLN__TYPE_RAW] = "raw",
    };

    return type < sizeof(names) / sizeof(names[0]) ? names[type] : NULL;
}

/* --- Values with the same form in JSON and text ----------------------------------- */

static void add_hex(struct rln__buf *buf, rln_text bytes)
{
    for (size_t i = 0; i < bytes.length; i++)
        rln__buf_hex(buf, (uint8_t)bytes.bytes[i], 2);
}

static void add_128(struct rln__buf *buf, const rln_field *f)
{
    char digits[40];
    size_t at = sizeof(digits);
    uint64_t high = f->high_bits, low = f->bits;
    const int is_negative = f->kind == RLN_FIELD_INT128 && (int64_t)high < 0;

    if (is_negative) {
        low = 0 - low;
        high = ~high + (low == 0);
    }
    do { /* by 10, in four steps of 32 bits */
        const uint32_t parts[4] = {(uint32_t)(high >> 32), (uint32_t)high,
                                   (uint32_t)(low >> 32), (uint32_t)low};
        uint64_t quotients[4], rest = 0;

        for (int i = 0; i < 4; i++) {
            rest = rest << 32 | parts[i];
            quotients[i] = rest / 10;
            rest %= 10;
        }
        high = quotients[0] << 32 | quotients[1];
        low = quotients[2] << 32 | quotients[3];
        digits[--at] = (char)('0' + rest);
    } while (high | low);
    rln__buf_text(buf, is_negative ? "-" : "");
    rln__buf_add(buf, digits + at, sizeof(digits) - at);
}

/* Fields that have a name are shown by it. */
static int is_named(const rln_field *f)
{
    return f->text.bytes &&
           (f->kind == RLN_FIELD_TEXT || f->kind == RLN_FIELD_ENUM ||
            f->kind == RLN_FIELD_CATEGORY || f->kind == RLN_FIELD_SCOPE);
}

static void add_plain(struct rln__buf *buf, const rln_field *f)
{
    switch (f->kind) {
    case RLN_FIELD_INT:
        rln__buf_i64(buf, (int64_t)f->bits);
        break;
    case RLN_FIELD_INT128:
    case RLN_FIELD_UINT128:
        add_128(buf, f);
        break;
    case RLN_FIELD_FLOAT:
    case RLN_FIELD_DOUBLE:
        rln__buf_double(buf, f->number, f->kind == RLN_FIELD_FLOAT);
        break;
    case RLN_FIELD_BYTES:
        add_hex(buf, f->text);
        break;
    case RLN_FIELD_ADDRESS:
    case RLN_FIELD_UNREAD:
        rln__buf_format(buf, "0x%llx", (unsigned long long)f->bits);
        break;
    case RLN_FIELD_COLOR:
        rln__buf_char(buf, '#');
        rln__buf_hex(buf, f->bits, 8);
        break;
    case RLN_FIELD_NULL:
        rln__buf_text(buf, "null");
        break;
    case RLN_FIELD_UNKNOWN:
        rln__buf_u64(buf, f->type);
        break;
    default:
        rln__buf_u64(buf, f->bits);
        break;
    }
}

/* --- JSON ------------------------------------------------------------------------- */

static int is_number(const rln_field *f)
{
    switch (f->kind) {
    case RLN_FIELD_INT:
    case RLN_FIELD_UINT:
    case RLN_FIELD_ENUM:
    case RLN_FIELD_CATEGORY:
    case RLN_FIELD_SCOPE:
    case RLN_FIELD_NULL:
        return 1;
    case RLN_FIELD_FLOAT:
    case RLN_FIELD_DOUBLE:
        return isfinite(f->number);
    default:
        return 0;
    }
}

static void add_scalar(struct rln__buf *buf, const rln_field *f)
{
    const char *quote = is_number(f) ? "" : "\"";

    if (is_named(f)) {
        rln__buf_json(buf, f->text.bytes, f->text.length);
    } else if (f->kind == RLN_FIELD_UNREAD) {
        rln__buf_text(buf, "{\"unread\":\"");
        add_plain(buf, f);
        rln__buf_text(buf, "\"}");
    } else if (f->kind == RLN_FIELD_UNKNOWN) {
        rln__buf_text(buf, "{\"unknown_type\":");
        add_plain(buf, f);
        rln__buf_char(buf, '}');
    } else {
        rln__buf_text(buf, quote);
        add_plain(buf, f);
        rln__buf_text(buf, quote);
    }
}

static size_t skip(const rln_field *fields, size_t at)
{
    size_t n_left = 1;

    while (n_left--)
        n_left += fields[at++].n_children;
    return at;
}

/* Whether an earlier child of `head` has the same name. Equal names share one text, so
 * comparing addresses suffices. */
static int is_repeated(const rln_field *fields, size_t head, size_t at)
{
    const rln_text name = fields[at].name;

    for (size_t i = head + 1; i < at; i = skip(fields, i)) {
        if (fields[i].name.bytes == name.bytes)
            return 1;
    }
    return 0;
}

/* Children without a name are called by their number; a repeated name gets it
 * appended. */
static void add_key(struct rln__buf *buf, const rln_field *fields, size_t head,
                    size_t at)
{
    const rln_field *f = &fields[at];

    if (!f->name.length) {
        rln__buf_char(buf, '"');
        rln__buf_u64(buf, f->index);
        rln__buf_char(buf, '"');
        return;
    }
    rln__buf_json(buf, f->name.bytes, f->name.length);
    if (fields[head].n_children <= 256 && is_repeated(fields, head, at)) {
        buf->length -= buf->length > 0;
        rln__buf_char(buf, '#');
        rln__buf_u64(buf, f->index);
        rln__buf_char(buf, '"');
    }
}

size_t rln__json_of_field(struct rln__buf *buf, const rln_field *fields, size_t at)
{
    const size_t head = at;
    const rln_field *f = &fields[at];
    const int is_array = f->kind == RLN_FIELD_ARRAY;

    if (!is_array && f->kind != RLN_FIELD_STRUCT && f->kind != RLN_FIELD_UNION) {
        add_scalar(buf, f);
        return at + 1;
    }
    rln__buf_char(buf, is_array ? '[' : '{');
    at++;
    for (uint32_t i = 0; i < f->n_children; i++) {
        rln__json_key(buf, NULL);
        if (!is_array) {
            add_key(buf, fields, head, at);
            rln__buf_char(buf, ':');
        }
        at = rln__json_of_field(buf, fields, at);
    }
    rln__buf_char(buf, is_array ? ']' : '}');
    return at;
}

static void add_schema(struct rln__buf *buf, const rln_payload *p)
{
    const char *type = rln__type_name(p->schema);

    rln__buf_char(buf, '{');
    if (p->schema_name.length && p->fields)
        rln__json_string(buf, "schema", p->schema_name);
    else if (type)
        rln__json_word(buf, "schema", type);
    else
        rln__json_u64(buf, "schema_id", p->schema);
}

void rln__json_of_payload(struct rln__buf *buf, const rln_payload *p)
{
    add_schema(buf, p);
    if (p->fields) {
        rln__json_key(buf, "value");
        (void)rln__json_of_field(buf, p->fields, 0);
    } else {
        rln__json_key(buf, "bytes");
        rln__buf_char(buf, '"');
        add_hex(buf, p->bytes);
        rln__buf_char(buf, '"');
        rln__json_word(buf, "why", p->why);
    }
    rln__json_flag(buf, "cut", p->is_cut);
    rln__buf_char(buf, '}');
}

int rln__json_of_payloads(struct rln__buf *buf, const rln_payload *payloads, size_t n)
{
    int n_shown = 0;

    for (size_t i = 0; i < n; i++) {
        if (payloads[i].is_hidden)
            continue;
        rln__buf_char(buf, n_shown++ ? ',' : '[');
        rln__json_of_payload(buf, &payloads[i]);
    }
    if (n_shown)
        rln__buf_char(buf, ']');
    return n_shown;
}

/* --- Text ------------------------------------------------------------------------- */

static void add_text_bytes(struct rln__buf *buf, rln_text bytes)
{
    const size_t n_more = bytes.length > MOST_SHOWN ? bytes.length - MOST_SHOWN : 0;

    bytes.length -= n_more;
    add_hex(buf, bytes);
    if (n_more)
        rln__buf_format(buf, " (%zu more bytes)", n_more);
}

static void add_text_scalar(struct rln__buf *buf, const rln_field *f)
{
    const char *quote = f->kind == RLN_FIELD_TEXT ? "\"" : "";

    if (is_named(f)) {
        rln__buf_text(buf, quote);
        (void)rln__buf_printable(buf, f->text.bytes, f->text.length);
        rln__buf_text(buf, quote);
    } else if (f->kind == RLN_FIELD_UNREAD) {
        rln__buf_text(buf, "unread");
    } else if (f->kind == RLN_FIELD_UNKNOWN) {
        rln__buf_char(buf, '?');
    } else if (f->kind == RLN_FIELD_BYTES) {
        add_text_bytes(buf, f->text);
    } else {
        add_plain(buf, f);
    }
}

static size_t add_text_field(struct rln__buf *buf, const rln_field *fields, size_t at)
{
    const rln_field *f = &fields[at];
    const int is_array = f->kind == RLN_FIELD_ARRAY;
    uint32_t n_shown = 0;

    if (!is_array && f->kind != RLN_FIELD_STRUCT && f->kind != RLN_FIELD_UNION) {
        add_text_scalar(buf, f);
        return at + 1;
    }
    rln__buf_char(buf, is_array ? '[' : '{');
    at++;
    for (uint32_t i = 0; i < f->n_children; i++) {
        if ((fields[at].flags & RLN_FIELD_IS_HIDDEN) || (is_array && i >= MOST_SHOWN)) {
            at = skip(fields, at);
            continue;
        }
        rln__buf_text(buf, n_shown++ ? ", " : "");
        if (!is_array && fields[at].name.length) {
            (void)rln__buf_printable(buf, fields[at].name.bytes,
                                     fields[at].name.length);
            rln__buf_char(buf, '=');
        }
        at = add_text_field(buf, fields, at);
    }
    if (is_array && f->n_children > MOST_SHOWN)
        rln__buf_format(buf, ", %u more", f->n_children - MOST_SHOWN);
    rln__buf_char(buf, is_array ? ']' : '}');
    return at;
}

void rln__text_of_payload(struct rln__buf *buf, const rln_payload *p)
{
    const char *type = rln__type_name(p->schema);
    const int is_compound = p->fields && (p->fields->kind == RLN_FIELD_STRUCT ||
                                          p->fields->kind == RLN_FIELD_UNION);

    if (!p->schema && !p->fields) {
        rln__buf_text(buf, "more payloads (cut)");
        return;
    }
    if (p->schema_name.length)
        (void)rln__buf_printable(buf, p->schema_name.bytes, p->schema_name.length);
    else if (type)
        rln__buf_text(buf, type);
    else if (!p->fields)
        rln__buf_format(buf, "schema %llu", (unsigned long long)p->schema);
    if (!is_compound && (p->schema_name.length || type || !p->fields))
        rln__buf_char(buf, '=');
    if (p->fields)
        (void)add_text_field(buf, p->fields, 0);
    else
        add_text_bytes(buf, p->bytes);
    rln__buf_text(buf, p->is_cut ? " (cut)" : "");
}
