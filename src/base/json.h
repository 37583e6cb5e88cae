/* SPDX-License-Identifier: Apache-2.0 */
/* json.h - writes JSON objects and arrays. A comma is put where one is due.
 *
 *     rln__json_begin(buf, NULL, '{');
 *     rln__json_u64(buf, "pid", 4);
 *     rln__json_begin(buf, "names", '[');
 *     rln__json_word(buf, NULL, "a");
 *     rln__buf_text(buf, "]}\n");              {"pid":4,"names":["a"]}
 *
 * Keys need no escapes; in an array, and after rln__json_name(), they are NULL. What is
 * not finished stays in the buffer: its last byte tells whether a comma is due.
 */
#ifndef RLN_BASE_JSON_H
#define RLN_BASE_JSON_H

#include "base/utf8.h"
#include "rangeline/error.h"

/* Puts the comma, unless it is the first of its object, array or line, and the key. The
 * caller puts the value. Inlined, the size of a literal key is known. */
static inline void rln__json_key(struct rln__buf *buf, const char *key)
{
    const char last = buf->length ? buf->bytes[buf->length - 1] : '\n';
    const size_t length = key ? strlen(key) : 0;
    char *at = rln__buf_room(buf, length + 4); /* once for all of ,"": */

    if (!at)
        return;
    /* A string ends with its quote, so these are never the end of a value. */
    *at = ',';
    at += last != '{' && last != '[' && last != '\n' && last != ':';
    if (key) {
        *at = '"';
        memcpy(at + 1, key, length);
        memcpy(at + 1 + length, "\":", 2);
        at += length + 3;
    }
    buf->length = (size_t)(at - buf->bytes);
}

/* The same with any text as the key: what follows is its value. */
void rln__json_name(struct rln__buf *buf, rln_text key);

static inline void rln__json_u64(struct rln__buf *buf, const char *key, uint64_t value)
{
    rln__json_key(buf, key);
    rln__buf_u64(buf, value);
}

static inline void rln__json_i64(struct rln__buf *buf, const char *key, int64_t value)
{
    rln__json_key(buf, key);
    rln__buf_i64(buf, value);
}

void rln__json_bool(struct rln__buf *buf, const char *key, int value);
/* A string that needs no escapes. */
void rln__json_word(struct rln__buf *buf, const char *key, const char *word);
/* Any string. */
void rln__json_text(struct rln__buf *buf, const char *key, const char *text);
/* "0x7f00" */
void rln__json_address(struct rln__buf *buf, const char *key, uint64_t value);

/* Nothing if there is no text; empty text is text. */
static inline void rln__json_string(struct rln__buf *buf, const char *key,
                                    rln_text text)
{
    if (!text.bytes)
        return;
    rln__json_key(buf, key);
    rln__buf_json(buf, text.bytes, text.length);
}

/* An object '{' or an array '['. The caller puts the bracket that ends it. */
static inline void rln__json_begin(struct rln__buf *buf, const char *key, char bracket)
{
    rln__json_key(buf, key);
    rln__buf_char(buf, bracket);
}

/* These two only if it is not 0. */
static inline void rln__json_flag(struct rln__buf *buf, const char *key, uint64_t flag)
{
    if (flag)
        rln__json_bool(buf, key, 1);
}

static inline void rln__json_some(struct rln__buf *buf, const char *key, uint64_t value)
{
    if (value)
        rln__json_u64(buf, key, value);
}

#endif
