/* SPDX-License-Identifier: Apache-2.0 */
#include "base/wildcard.h"

#include <stdint.h>

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int is_same(char a, char b, int ignores_case)
{
    return a == b || (ignores_case && lower(a) == lower(b));
}

/* The bytes of the character at `text`: in UTF-8 up to four. */
static size_t character_bytes(const char *text, size_t n_bytes)
{
    size_t n = 1;

    while ((text[0] & 0xc0) == 0xc0 && n < n_bytes && (text[n] & 0xc0) == 0x80)
        n++;
    return n;
}

/* The most bytes that the rest of a pattern matches, which must then be the end of the
 * text; SIZE_MAX: any number, as there is a further *. */
static size_t most_bytes(const char *pattern, const char *end)
{
    size_t n = 0;

    for (; pattern < end && *pattern != '*'; pattern++) {
        if (*pattern == '\\' && pattern + 1 < end)
            pattern++;
        else if (*pattern == '?')
            n += 3; /* besides the one below */
        n++;
    }
    return pattern < end ? SIZE_MAX : n;
}

int rln__wildcard_matches(const char *pattern, const char *end, const char *text,
                          size_t n_bytes, int ignores_case)
{
    const char *star = NULL; /* after the last * */
    size_t at = 0, again = 0;

    while (at < n_bytes || pattern < end) {
        const int is_literal = pattern + 1 < end && *pattern == '\\';
        const char wanted = pattern < end ? pattern[is_literal] : '\0';

        if (wanted == '*' && !is_literal) {
            const size_t most = most_bytes(++pattern, end);

            star = pattern;
            if (most < n_bytes - at) /* what no rest could reach is the *'s */
                at = n_bytes - most;
            again = at;
        } else if (at < n_bytes && wanted == '?' && !is_literal) {
            pattern++;
            at += character_bytes(text + at, n_bytes - at);
        } else if (at < n_bytes && pattern < end &&
                   is_same(wanted, text[at], ignores_case)) {
            pattern += 1 + is_literal;
            at++;
        } else if (star && again < n_bytes) {
            pattern = star; /* the last * takes one more */
            at = ++again;
        } else {
            return 0;
        }
    }
    return 1;
}
