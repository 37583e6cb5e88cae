/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

char *rln__buf_reserve(struct rln__buf *buf, size_t length)
{
    char *moved = rln__grow(buf->bytes, &buf->capacity, buf->length + length + 1, 1);

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

void rln__buf_u64(struct rln__buf *buf, uint64_t value)
{
    char digits[20];
    size_t at = sizeof(digits);

    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    rln__buf_add(buf, digits + at, sizeof(digits) - at);
}

void rln__buf_i64(struct rln__buf *buf, int64_t value)
{
    if (value < 0)
        rln__buf_char(buf, '-');
    rln__buf_u64(buf, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void rln__buf_hex(struct rln__buf *buf, uint64_t value, unsigned n_digits)
{
    while (n_digits--)
        rln__buf_char(buf, "0123456789abcdef"[(value >> (n_digits * 4)) & 15]);
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
