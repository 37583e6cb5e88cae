/* SPDX-License-Identifier: Apache-2.0 */
#include "base/wildcard.h"

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

int rln__wildcard_matches(const char *pattern, const char *end, const char *text,
                          size_t n_bytes, int ignores_case)
{
    const char *star = NULL; /* after the last * */
    size_t at = 0, again = 0;

    while (at < n_bytes || pattern < end) {
        const int is_literal = pattern + 1 < end && *pattern == '\\';
        const char wanted = pattern < end ? pattern[is_literal] : '\0';

        if (wanted == '*' && !is_literal) {
            star = ++pattern;
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
