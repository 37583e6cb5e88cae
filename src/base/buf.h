/* SPDX-License-Identifier: Apache-2.0 */
/* buf.h - appends text and numbers to a buffer that grows.
 *
 * A failed allocation sets `has_failed`, and later calls append nothing: check it once,
 * after the last call.
 */
#ifndef RLN_BASE_BUF_H
#define RLN_BASE_BUF_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct rln__buf {
    char *bytes; /* owned; not terminated */
    size_t length;
    size_t capacity;
    int has_failed;
};

void rln__buf_clear(struct rln__buf *buf);

/* Room for `length` more bytes, or NULL. */
char *rln__buf_reserve(struct rln__buf *buf, size_t length);

/* The same, without a call where there is room. */
static inline char *rln__buf_room(struct rln__buf *buf, size_t length)
{
    return length < buf->capacity - buf->length ? buf->bytes + buf->length
                                                : rln__buf_reserve(buf, length);
}

static inline void rln__buf_add(struct rln__buf *buf, const char *bytes, size_t length)
{
    char *at = length ? rln__buf_room(buf, length) : NULL;

    if (!at)
        return;
    memcpy(at, bytes, length);
    buf->length += length;
}

static inline void rln__buf_text(struct rln__buf *buf, const char *text)
{
    rln__buf_add(buf, text, strlen(text));
}

static inline void rln__buf_char(struct rln__buf *buf, char c)
{
    char *at = rln__buf_room(buf, 1);

    if (!at)
        return;
    *at = c;
    buf->length++;
}

void rln__buf_fill(struct rln__buf *buf, char c, size_t n);
void rln__buf_u64(struct rln__buf *buf, uint64_t value);
void rln__buf_i64(struct rln__buf *buf, int64_t value);
/* Lower case, with leading zeros. */
void rln__buf_hex(struct rln__buf *buf, uint64_t value, unsigned n_digits);
/* The fewest digits that are read as the same number, as a float or as a double; also
 * "nan", "inf", "-inf". */
void rln__buf_double(struct rln__buf *buf, double value, int is_float);
/* Makes what was appended from `begin` on a field of CSV: in quotes, if it needs them.
 */
void rln__buf_quote_csv(struct rln__buf *buf, size_t begin);
void rln__buf_format(struct rln__buf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
