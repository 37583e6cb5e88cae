/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

static inline __attribute__((always_inline)) void add_key(struct rln__buf *buf,
                                                          const char *key)
{
    const char last = buf->length ? buf->bytes[buf->length - 1] : '\n';
    const size_t length = key ? strlen(key) : 0;
    char *at = rln__buf_room(buf, length + 4); /* once for all of ,"": */

    if (!at)
        return;
    /* A string ends with its quote, so these are never the end of a value. */
    if (last != '{' && last != '[' && last != '\n')
        *at++ = ',';
    if (key) {
        *at++ = '"';
        memcpy(at, key, length);
        at += length;
        *at++ = '"';
        *at++ = ':';
    }
    buf->length = (size_t)(at - buf->bytes);
}

void rln__json_key(struct rln__buf *buf, const char *key)
{
    add_key(buf, key);
}

void rln__json_name(struct rln__buf *buf, rln_text key)
{
    add_key(buf, NULL);
    rln__buf_json(buf, key.bytes, key.length);
    rln__buf_char(buf, ':');
}

void rln__json_u64(struct rln__buf *buf, const char *key, uint64_t value)
{
    add_key(buf, key);
    rln__buf_u64(buf, value);
}

void rln__json_i64(struct rln__buf *buf, const char *key, int64_t value)
{
    add_key(buf, key);
    rln__buf_i64(buf, value);
}

void rln__json_bool(struct rln__buf *buf, const char *key, int value)
{
    add_key(buf, key);
    rln__buf_text(buf, value ? "true" : "false");
}

void rln__json_word(struct rln__buf *buf, const char *key, const char *word)
{
    add_key(buf, key);
    rln__buf_char(buf, '"');
    rln__buf_text(buf, word);
    rln__buf_char(buf, '"');
}

void rln__json_address(struct rln__buf *buf, const char *key, uint64_t value)
{
    add_key(buf, key);
    rln__buf_format(buf, "\"0x%llx\"", (unsigned long long)value);
}

void rln__json_string(struct rln__buf *buf, const char *key, rln_text text)
{
    if (!text.bytes)
        return;
    add_key(buf, key);
    rln__buf_json(buf, text.bytes, text.length);
}
