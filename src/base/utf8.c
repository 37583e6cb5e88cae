/* SPDX-License-Identifier: Apache-2.0 */
/* utf8.c - handles UTF-8 byte by byte. Widths come from libc with a locale of our own,
 * whatever the program's locale is. */
#include "base/utf8.h"

#include <locale.h>
#include <stdio.h>
#include <wchar.h>

/* How many bytes may begin one valid character, at least 1. It takes `*whole`, 0 if none
 * begins with the first byte. */
static size_t prefix_length(const char *bytes, size_t length, size_t *whole)
{
    const unsigned char *b = (const unsigned char *)bytes;
    /* The range of the second byte excludes overlong forms, surrogates, and values over
     * U+10FFFF. */
    const unsigned least = b[0] == 0xe0 ? 0xa0 : b[0] == 0xf0 ? 0x90 : 0x80;
    const unsigned most = b[0] == 0xed ? 0x9f : b[0] == 0xf4 ? 0x8f : 0xbf;
    size_t n = 1;

    *whole = b[0] < 0x80                  ? 1
             : b[0] < 0xc2 || b[0] > 0xf4 ? 0
             : b[0] < 0xe0                ? 2
             : b[0] < 0xf0                ? 3
                                          : 4;
    if (*whole > 1 && length > 1 && b[1] >= least && b[1] <= most) {
        for (n = 2; n < *whole && n < length && (b[n] & 0xc0) == 0x80;)
            n++;
    }
    return n;
}

size_t rln__utf8_length(const char *bytes, size_t length)
{
    size_t whole;
    const size_t n = prefix_length(bytes, length, &whole);

    return n == whole ? n : 0;
}

size_t rln__utf8_cut(const char *bytes, size_t most)
{
    for (size_t n = 0; n < 4 && n < most; n++) {
        if ((bytes[most - n] & 0xc0) != 0x80)
            return most - n;
    }
    return most; /* not UTF-8 */
}

#define IN_ALL(byte) (0x0101010101010101u * (byte))
#define HIGH_BITS IN_ALL(0x80)

int rln__utf8_is_valid(const char *bytes, size_t length)
{
    size_t at = 0;

    while (at < length) {
        uint64_t eight;
        size_t n;

        if (length - at >= sizeof(eight)) { /* of ASCII */
            memcpy(&eight, bytes + at, sizeof(eight));
            if (!(eight & HIGH_BITS)) {
                at += sizeof(eight);
                continue;
            }
        }
        n = rln__utf8_length(bytes + at, length - at);
        if (!n)
            return 0;
        at += n;
    }
    return 1;
}

void rln__buf_utf8(struct rln__buf *buf, const char *bytes, size_t length)
{
    size_t n, whole;

    if (rln__utf8_is_valid(bytes, length)) {
        rln__buf_add(buf, bytes, length);
        return;
    }
    for (size_t at = 0; at < length; at += n) {
        n = prefix_length(bytes + at, length - at, &whole);
        if (n == whole)
            rln__buf_add(buf, bytes + at, n);
        else
            rln__buf_text(buf, "\xef\xbf\xbd");
    }
}

/* The code point of a valid character. */
static uint32_t code_point(const char *bytes, size_t n_bytes)
{
    uint32_t code = (unsigned char)*bytes & (0xffu >> (n_bytes == 1 ? 1 : n_bytes + 1));

    for (size_t i = 1; i < n_bytes; i++)
        code = code << 6 | ((unsigned char)bytes[i] & 0x3f);
    return code;
}

/* Marks, embeddings, overrides and isolates: a name with one of them could reorder the
 * numbers in its row. */
static int turns_direction(uint32_t code)
{
    return code == 0x61c || code == 0x200e || code == 0x200f ||
           (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/* Whether a valid character of `n` bytes would act on a terminal: control characters,
 * of which U+0080 to U+009F are two bytes, and those that change the direction. */
static int acts_on_terminal(const char *bytes, size_t n)
{
    const unsigned char c = (unsigned char)*bytes;

    if (n == 1)
        return c < 0x20 || c == 0x7f;
    return (c == 0xc2 && (unsigned char)bytes[1] < 0xa0) ||
           turns_direction(code_point(bytes, n));
}

static void add_json_escape(struct rln__buf *buf, unsigned char c)
{
    static const char escapes[] = "\"\"\\\\\bb\ff\nn\rr\tt";

    for (size_t i = 0; i + 1 < sizeof(escapes); i += 2) {
        if ((unsigned char)escapes[i] == c) {
            rln__buf_char(buf, '\\');
            rln__buf_char(buf, escapes[i + 1]);
            return;
        }
    }
    rln__buf_format(buf, "\\u%04x", c);
}

static uint64_t has_zero_byte(uint64_t word)
{
    return (word - IN_ALL(1)) & ~word & HIGH_BITS;
}

/* Whether eight characters can be copied as they are: ASCII without control characters,
 * " or \. */
static int are_plain(const char *bytes)
{
    uint64_t eight;

    memcpy(&eight, bytes, sizeof(eight));
    return !(((eight - IN_ALL(0x20)) & HIGH_BITS) | (eight & HIGH_BITS) |
             has_zero_byte(eight ^ IN_ALL('"')) | has_zero_byte(eight ^ IN_ALL('\\')) |
             has_zero_byte(eight ^ IN_ALL(0x7f)));
}

void rln__buf_json(struct rln__buf *buf, const char *bytes, size_t length)
{
    size_t plain = 0; /* where the text not appended yet begins */
    size_t at = 0;

    rln__buf_char(buf, '"');
    while (at < length) {
        const unsigned char c = (unsigned char)bytes[at];
        size_t n, whole;

        if (length - at >= 8 && are_plain(bytes + at)) {
            at += 8;
            continue;
        }
        n = prefix_length(bytes + at, length - at, &whole);
        if (n == whole && !acts_on_terminal(bytes + at, n) && c != '"' && c != '\\') {
            at += n;
            continue;
        }
        rln__buf_add(buf, bytes + plain, at - plain);
        if (n != whole)
            rln__buf_text(buf, "\\ufffd");
        else if (n > 1)
            rln__buf_format(buf, "\\u%04x", (unsigned)code_point(bytes + at, n));
        else
            add_json_escape(buf, c);
        at += n;
        plain = at;
    }
    if (length)
        rln__buf_add(buf, bytes + plain, length - plain);
    rln__buf_char(buf, '"');
}

/* Made on first use, and kept; 0 if there is none. */
static locale_t wide_locale(void)
{
    static locale_t made; /* atomic */
    locale_t known = __atomic_load_n(&made, __ATOMIC_ACQUIRE), fresh;

    if (known)
        return known;
    fresh = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (!fresh || __atomic_compare_exchange_n(&made, &known, fresh, 0, __ATOMIC_ACQ_REL,
                                              __ATOMIC_ACQUIRE))
        return fresh;
    freelocale(fresh);
    return known;
}

enum { FIRST_COMBINING = 0x300 }; /* below it, each character takes a column */

size_t rln__utf8_columns(const char *bytes, size_t n_bytes)
{
    const uint32_t code = code_point(bytes, n_bytes);
    locale_t locale, before;
    int n;

    if (code < FIRST_COMBINING)
        return 1;
    locale = wide_locale();
    if (!locale)
        return 1;
    before = uselocale(locale);
    n = wcwidth((wchar_t)code);
    (void)uselocale(before);
    return n < 0 ? 1 : (size_t)n;
}

size_t rln__printable(const char *bytes, size_t length, char out[RLN__ESCAPE_BYTES])
{
    const size_t n = rln__utf8_length(bytes, length);

    out[0] = 0;
    if (n > 0 && !acts_on_terminal(bytes, n))
        return n;
    if (n > 1 && (unsigned char)*bytes != 0xc2) {
        (void)snprintf(out, RLN__ESCAPE_BYTES, "\\u%04x",
                       (unsigned)code_point(bytes, n));
        return n;
    }
    (void)snprintf(out, RLN__ESCAPE_BYTES, "\\x%02x", (unsigned char)*bytes);
    return 1;
}

size_t rln__buf_printable(struct rln__buf *buf, const char *bytes, size_t length)
{
    char escape[RLN__ESCAPE_BYTES];
    size_t n_columns = 0, n;

    for (size_t at = 0; at < length; at += n) {
        n = rln__printable(bytes + at, length - at, escape);
        if (escape[0]) {
            rln__buf_text(buf, escape);
            n_columns += strlen(escape);
        } else {
            rln__buf_add(buf, bytes + at, n);
            n_columns += n == 1 ? 1 : rln__utf8_columns(bytes + at, n);
        }
    }
    return n_columns;
}

#define ELLIPSIS "\xe2\x80\xa6"

/* The end of the character at `at`; adds the columns that it takes. */
static size_t next_character(const struct rln__buf *text, size_t at, size_t *n_columns)
{
    const size_t begin = at;

    do
        at++;
    while (at < text->length && ((unsigned char)text->bytes[at] & 0xc0) == 0x80);
    *n_columns += rln__utf8_columns(text->bytes + begin, at - begin);
    return at;
}

size_t rln__buf_cut(struct rln__buf *out, const struct rln__buf *text, size_t n_columns,
                    size_t head, size_t tail)
{
    size_t end = 0, n_head = 0, begin = 0, n_gone = 0;

    while (end < text->length) {
        size_t n = n_head;
        const size_t next = next_character(text, end, &n);

        if (n > head)
            break;
        end = next;
        n_head = n;
    }
    while (begin < text->length && (!tail || n_columns - n_gone > tail))
        begin = next_character(text, begin, &n_gone);
    for (size_t n = 0, next; begin < text->length; begin = next) {
        next = next_character(text, begin, &n); /* marks of the last one that is gone */
        if (n)
            break;
    }
    rln__buf_add(out, text->bytes, end);
    rln__buf_text(out, ELLIPSIS);
    rln__buf_add(out, text->bytes + begin, text->length - begin);
    return n_head + 1 + n_columns - n_gone;
}
