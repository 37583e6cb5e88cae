/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/alloc.h"
#include "base/digits.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *rln__buf_reserve(struct rln__buf *buf, size_t length)
{
    /* After a failure nothing is complete any more, and each further attempt may take
     * long. */
    char *moved = buf->has_failed ? NULL
                                  : rln__grow(buf->bytes, &buf->capacity,
                                              buf->length + length + 1, 1);

    if (!moved) {
        buf->has_failed = 1;
        return NULL;
    }
    buf->bytes = moved;
    return moved + buf->length;
}

void rln__buf_clear(struct rln__buf *buf)
{
    rln__free(buf->bytes);
    memset(buf, 0, sizeof(*buf));
}

void rln__buf_fill(struct rln__buf *buf, char c, size_t n)
{
    char *at = rln__buf_reserve(buf, n);

    if (!at)
        return;
    memset(at, c, n);
    buf->length += n;
}

void rln__buf_quote_csv(struct rln__buf *buf, size_t begin)
{
    size_t from = buf->length, to, n_quotes = 0;
    int is_plain = 1;

    for (size_t i = begin; i < from; i++) {
        const char c = buf->bytes[i];

        is_plain &= c != ',' && c != '"' && c != '\n' && c != '\r';
        n_quotes += c == '"';
    }
    if (is_plain || !rln__buf_room(buf, n_quotes + 2))
        return;
    buf->length = to = from + n_quotes + 2;
    for (buf->bytes[--to] = '"'; from > begin;) {
        const char c = buf->bytes[--from];

        buf->bytes[--to] = c;
        if (c == '"')
            buf->bytes[--to] = c;
    }
    buf->bytes[begin] = '"';
}

/* --- Numbers ---------------------------------------------------------------------- */

void rln__buf_u64(struct rln__buf *buf, uint64_t value)
{
    char *at = rln__buf_room(buf, RLN__DIGITS_U64);

    if (at)
        buf->length += (size_t)(rln__digits_u64(at, value) - at);
}

void rln__buf_i64(struct rln__buf *buf, int64_t value)
{
    char *at = rln__buf_room(buf, RLN__DIGITS_I64);

    if (at)
        buf->length += (size_t)(rln__digits_i64(at, value) - at);
}

void rln__buf_hex(struct rln__buf *buf, uint64_t value, unsigned n_digits)
{
    char *at = rln__buf_room(buf, n_digits);

    if (!at)
        return;
    buf->length += n_digits;
    while (n_digits--)
        *at++ = "0123456789abcdef"[(value >> (n_digits * 4)) & 15];
}

void rln__buf_double(struct rln__buf *buf, double value, int is_float)
{
    char text[40];
    int digits = is_float ? 6 : 15;
    const int most = is_float ? 9 : 17;

    if (!isfinite(value)) {
        rln__buf_text(buf, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
        return;
    }
    for (;; digits++) {
        (void)snprintf(text, sizeof(text), "%.*g", digits, value);
        if (digits == most || (is_float ? strtof(text, NULL) == (float)value
                                        : strtod(text, NULL) == value))
            break;
    }
    rln__buf_text(buf, text);
}

void rln__buf_format(struct rln__buf *buf, const char *format, ...)
{
    va_list args;
    int length;
    char *at;

    va_start(args, format);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    at = length < 0 ? NULL : rln__buf_reserve(buf, (size_t)length + 1);
    if (!at)
        return;
    va_start(args, format);
    (void)vsnprintf(at, (size_t)length + 1, format, args);
    va_end(args);
    buf->length += (size_t)length;
}
