/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include <string.h>

void rln__json_name(struct rln__buf *buf, rln_text key)
{
    rln__json_key(buf, NULL);
    rln__buf_json(buf, key.bytes, key.length);
    rln__buf_char(buf, ':');
}

void rln__json_bool(struct rln__buf *buf, const char *key, int value)
{
    rln__json_key(buf, key);
    rln__buf_text(buf, value ? "true" : "false");
}

void rln__json_word(struct rln__buf *buf, const char *key, const char *word)
{
    rln__json_key(buf, key);
    rln__buf_char(buf, '"');
    rln__buf_text(buf, word);
    rln__buf_char(buf, '"');
}

void rln__json_text(struct rln__buf *buf, const char *key, const char *text)
{
    rln__json_string(buf, key, (rln_text){text, strlen(text)});
}

void rln__json_address(struct rln__buf *buf, const char *key, uint64_t value)
{
    rln__json_key(buf, key);
    rln__buf_format(buf, "\"0x%llx\"", (unsigned long long)value);
}
