/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/payload/payload_scalar.h"

#include <math.h>

/* --- Sizes ------------------------------------------------------------------------ */

uint32_t rln__type_size(const struct rln__types *types, uint64_t type)
{
    if (type == RLN__TYPE_STRING_HANDLE)
        type = RLN__TYPE_ADDRESS;
    return type < RLN__N_TYPES ? types->of[type].size : rln__fixed_type_bytes(type);
}

uint32_t rln__type_alignment(const struct rln__types *types, uint64_t type)
{
    if (type < RLN__N_TYPES)
        return types->of[type].alignment;
    return rln__type_size(types, type);
}

int rln__type_is_character(uint64_t type)
{
    return type == RLN__TYPE_CHAR ||
           (type >= RLN__TYPE_WCHAR && type <= RLN__TYPE_CHAR32);
}

/* --- Numbers ---------------------------------------------------------------------- */

uint64_t rln__load(const uint8_t *bytes, uint32_t n_bytes)
{
    uint64_t value = 0;

    for (uint32_t i = n_bytes < 8 ? n_bytes : 8; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

static uint64_t extend_sign(uint64_t value, uint32_t n_bytes)
{
    uint64_t sign;

    if (n_bytes >= 8)
        return value;
    sign = UINT64_C(1) << (n_bytes * 8 - 1);
    return (value ^ sign) - sign;
}

/* A binary floating-point number with `n_exponent` bits of exponent. `fraction` has the
 * fraction at its top, of which only the upper 63 bits count; `is_inexact` says if bits
 * below are set. */
static double from_parts(int is_negative, int exponent, int n_exponent,
                         uint64_t fraction, int is_inexact)
{
    const int bias = (1 << (n_exponent - 1)) - 1;
    double value;

    if (exponent == (1 << n_exponent) - 1) {
        value = fraction || is_inexact ? (double)NAN : (double)INFINITY;
    } else {
        /* For rounding, the lowest bit stands for all bits below. */
        const uint64_t lead = exponent ? UINT64_C(1) << 63 : 0;
        const uint64_t bits =
            lead | fraction >> 1 | (fraction & 1) | (uint64_t)(is_inexact != 0);

        value = ldexp((double)bits, (exponent ? exponent : 1) - bias - 63);
    }
    return is_negative ? -value : value;
}

static double from_half(uint64_t bits)
{
    return from_parts(bits >> 15 & 1, (int)(bits >> 10 & 31), 5, bits << 54, 0);
}

static double from_quad(const uint8_t *bytes)
{
    const uint64_t low = rln__load(bytes, 8), high = rln__load(bytes + 8, 8);

    return from_parts((int)(high >> 63), (int)(high >> 48 & 0x7fff), 15,
                      high << 16 | low >> 48, low << 16 != 0);
}

static double from_x87(const uint8_t *bytes)
{
    const uint64_t fraction = rln__load(bytes, 8), high = rln__load(bytes + 8, 2);
    const int exponent = (int)(high & 0x7fff);
    double value;

    if (exponent == 0x7fff)
        value = fraction << 1 ? (double)NAN : (double)INFINITY;
    else
        value = ldexp((double)fraction, (exponent ? exponent : 1) - 16383 - 63);
    return high >> 15 ? -value : value;
}

static double from_float(uint64_t bits)
{
    const uint32_t word = (uint32_t)bits;
    float value;

    memcpy(&value, &word, sizeof(value));
    return (double)value;
}

static double from_double(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

static void set_float(rln_field *out, double number)
{
    out->kind = RLN_FIELD_FLOAT;
    out->number = number;
}

static void set_double(rln_field *out, double number)
{
    out->kind = RLN_FIELD_DOUBLE;
    out->number = number;
}

static void set_int(rln_field *out, uint64_t bits, uint32_t n_bytes)
{
    out->kind = RLN_FIELD_INT;
    out->bits = extend_sign(bits, n_bytes);
    out->number = (double)(int64_t)out->bits;
}

static void set_uint(rln_field *out, uint64_t bits)
{
    out->kind = RLN_FIELD_UINT;
    out->number = (double)bits;
}

static void set_128(rln_field *out, const uint8_t *bytes, int is_signed)
{
    const double unit = 18446744073709551616.0; /* 2^64 */

    out->kind = is_signed ? RLN_FIELD_INT128 : RLN_FIELD_UINT128;
    out->high_bits = rln__load(bytes + 8, 8);
    out->number =
        (is_signed ? (double)(int64_t)out->high_bits : (double)out->high_bits) * unit +
        (double)out->bits;
}

static void set_long_double(const struct rln__types *types, rln_field *out,
                            const uint8_t *bytes)
{
    const uint32_t size = types->of[RLN__TYPE_LONGDOUBLE].size;

    if ((types->flags & RLN__TYPES_LONG_DOUBLE_X87) && size >= 10)
        set_double(out, from_x87(bytes));
    else if ((types->flags & RLN__TYPES_LONG_DOUBLE_IEEE) && size >= 16)
        set_double(out, from_quad(bytes));
    else if (size >= 8)
        set_double(out, from_double(out->bits));
    else
        out->kind = RLN_FIELD_UNKNOWN;
}

int rln__scalar_read(const struct rln__types *types, uint64_t type,
                     const uint8_t *bytes, rln_field *out)
{
    const uint32_t size = rln__type_size(types, type);

    if (!size)
        return 0;
    out->bits = rln__load(bytes, size);
    if (rln__type_is_signed(type)) {
        set_int(out, out->bits, size);
        return 1;
    }
    switch (type) {
    case RLN__TYPE_FLOAT:
    case RLN__TYPE_FLOAT32:
    case RLN__TYPE_TF32:
        set_float(out, from_float(out->bits));
        return 1;
    case RLN__TYPE_DOUBLE:
    case RLN__TYPE_FLOAT64:
        set_double(out, from_double(out->bits));
        return 1;
    case RLN__TYPE_LONGDOUBLE:
        set_long_double(types, out, bytes);
        return 1;
    case RLN__TYPE_FLOAT16:
        set_float(out, from_half(out->bits));
        return 1;
    case RLN__TYPE_BF16: /* the upper half of a float */
        set_float(out, from_float(out->bits << 16));
        return 1;
    case RLN__TYPE_FLOAT128:
        set_double(out, from_quad(bytes));
        return 1;
    case RLN__TYPE_INT128:
    case RLN__TYPE_UINT128:
        set_128(out, bytes, type == RLN__TYPE_INT128);
        return 1;
    case RLN__TYPE_ADDRESS:
        out->kind = RLN_FIELD_ADDRESS;
        return 1;
    case RLN__TYPE_COLOR:
        out->kind = RLN_FIELD_COLOR;
        return 1;
    default:
        break;
    }
    if (rln__type_is_character(type) || rln__type_is_string(type) ||
        type == RLN__TYPE_BYTE || type == RLN__TYPE_CATEGORY ||
        type == RLN__TYPE_SCOPE || type == RLN__TYPE_STRING_HANDLE)
        return 0;
    set_uint(out, out->bits);
    return 1;
}

int rln__scalar_count(const struct rln__types *types, uint64_t type,
                      const uint8_t *bytes, uint64_t *out)
{
    rln_field field = {.kind = 0};

    if (!rln__scalar_read(types, type, bytes, &field) ||
        (field.kind != RLN_FIELD_INT && field.kind != RLN_FIELD_UINT))
        return 0;
    if (field.kind == RLN_FIELD_INT && (int64_t)field.bits < 0) {
        *out = 0;
        return -1;
    }
    *out = field.bits;
    return 1;
}

/* --- Text ------------------------------------------------------------------------- */

static void add_character(struct rln__buf *buf, uint32_t c)
{
    char bytes[4];
    size_t n = 0;

    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        c = 0xfffd;
    if (c < 0x80) {
        bytes[n++] = (char)c;
    } else if (c < 0x800) {
        bytes[n++] = (char)(0xc0 | c >> 6);
    } else if (c < 0x10000) {
        bytes[n++] = (char)(0xe0 | c >> 12);
        bytes[n++] = (char)(0x80 | (c >> 6 & 63));
    } else {
        bytes[n++] = (char)(0xf0 | c >> 18);
        bytes[n++] = (char)(0x80 | (c >> 12 & 63));
        bytes[n++] = (char)(0x80 | (c >> 6 & 63));
    }
    if (c >= 0x80)
        bytes[n++] = (char)(0x80 | (c & 63));
    rln__buf_add(buf, bytes, n);
}

void rln__buf_utf16(struct rln__buf *buf, const uint8_t *bytes, size_t n_units)
{
    for (size_t i = 0; i < n_units; i++) {
        uint32_t c = (uint32_t)rln__load(bytes + i * 2, 2);

        if (c >= 0xd800 && c < 0xdc00 && i + 1 < n_units) {
            const uint32_t low = (uint32_t)rln__load(bytes + i * 2 + 2, 2);

            if (low >= 0xdc00 && low < 0xe000) {
                c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
                i++;
            }
        }
        add_character(buf, c);
    }
}

void rln__buf_utf32(struct rln__buf *buf, const uint8_t *bytes, size_t n_units)
{
    for (size_t i = 0; i < n_units; i++)
        add_character(buf, (uint32_t)rln__load(bytes + i * 4, 4));
}
