/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

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

void rln__json_address(struct rln__buf *buf, const char *key, uint64_t value)
{
    rln__json_key(buf, key);
    rln__buf_format(buf, "\"0x%llx\"", (unsigned long long)value);
}

/* A byte that is not UTF-8 is \udc80 to \udcff; nothing else makes an escape of a
 * surrogate. */
void rln__json_mend(struct rln__buf *buf, size_t begin)
{
    for (size_t i = begin; i + 5 < buf->length; i++) {
        if (buf->bytes[i] != '\\')
            continue;
        if (memcmp(buf->bytes + i + 1, "udc", 3) == 0)
            memcpy(buf->bytes + i + 2, "fffd", 4);
        i++;
    }
}

void rln__json_text(struct rln__buf *buf, rln_text text)
{
    const size_t begin = buf->length;

    rln__buf_json(buf, text.bytes, text.length);
    if (buf->length - begin != text.length + 2)
        rln__json_mend(buf, begin);
}
