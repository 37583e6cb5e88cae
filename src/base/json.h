/* SPDX-License-Identifier: Apache-2.0 */
/* json.h - writes JSON objects and arrays. A comma is put where one is due.
 *
 *     rln__json_begin(buf, NULL, '{');
 *     rln__json_u64(buf, "pid", 4);
 *     rln__json_begin(buf, "names", '[');
 *     rln__json_word(buf, NULL, "a");
 *     rln__buf_text(buf, "]}\n");              {"pid":4,"names":["a"]}
 *
 * Keys need no escapes; in an array they are NULL.
 */
#ifndef RLN_BASE_JSON_H
#define RLN_BASE_JSON_H

#include "base/utf8.h"
#include "rangeline/error.h"

/* Puts the comma, unless it is the first of its object, array or line, and the key. The
 * caller puts the value. */
void rln__json_key(struct rln__buf *buf, const char *key);
/* The same with any text as the key. */
void rln__json_name(struct rln__buf *buf, rln_text key);

void rln__json_u64(struct rln__buf *buf, const char *key, uint64_t value);
void rln__json_i64(struct rln__buf *buf, const char *key, int64_t value);
void rln__json_bool(struct rln__buf *buf, const char *key, int value);
/* A string that needs no escapes. */
void rln__json_word(struct rln__buf *buf, const char *key, const char *word);
/* "0x7f00" */
void rln__json_address(struct rln__buf *buf, const char *key, uint64_t value);
/* Nothing if there is no text; empty text is text. */
void rln__json_string(struct rln__buf *buf, const char *key, rln_text text);

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
