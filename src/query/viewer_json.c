/* SPDX-License-Identifier: Apache-2.0 */
#include "query/viewer_json.h"
#include "trace/payload/payload_json.h"

#include <string.h>

#define EXACT_DIGITS 15u /* any integer of so many is exact in a browser's number */

static int is_in_number(char c)
{
    return c && strchr("+-.0123456789eE", c);
}

/* The length of the number at `json`; 0: there is none. */
static size_t number_bytes(const char *json, size_t length)
{
    size_t n = 0;

    if (*json == '-' || (*json >= '0' && *json <= '9')) {
        while (n < length && is_in_number(json[n]))
            n++;
    }
    return n;
}

static int is_long_integer(const char *number, size_t n)
{
    if (*number == '-') {
        number++;
        n--;
    }
    return n > EXACT_DIGITS && !memchr(number, '.', n) && !memchr(number, 'e', n);
}

void rln__viewer_json(struct rln__buf *out, const char *json, size_t length)
{
    int is_text = 0;

    for (size_t i = 0, n; i < length; i += n) {
        const size_t n_number = is_text ? 0 : number_bytes(json + i, length - i);

        n = n_number ? n_number : 1;
        if (n_number && is_long_integer(json + i, n)) {
            rln__buf_char(out, '"');
            rln__buf_add(out, json + i, n);
            rln__buf_char(out, '"');
            continue;
        }
        if (is_text && json[i] == '\\' && i + 1 < length)
            n = 2; /* the next byte does not end the text */
        else if (json[i] == '"')
            is_text = !is_text;
        rln__buf_add(out, json + i, n);
    }
}

void rln__viewer_json_number(struct rln__buf *out, uint8_t type, uint64_t bits)
{
    struct rln__buf json = {0};

    rln__json_number(&json, type, bits);
    rln__viewer_json(out, json.bytes, json.length);
    out->has_failed |= json.has_failed;
    rln__buf_clear(&json);
}
