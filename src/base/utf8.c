/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"

size_t rln__utf8_length(const char *bytes, size_t length)
{
    const unsigned char *b = (const unsigned char *)bytes;
    size_t n;
    unsigned least, most;

    if (b[0] < 0x80)
        return 1;
    if (b[0] < 0xc2 || b[0] > 0xf4)
        return 0;
    n = b[0] < 0xe0 ? 2 : b[0] < 0xf0 ? 3 : 4;
    if (length < n)
        return 0;
    /* What the second byte may be: shuts out overlong forms, surrogates, and the end.
     */
    least = b[0] == 0xe0 ? 0xa0 : b[0] == 0xf0 ? 0x90 : 0x80;
    most = b[0] == 0xed ? 0x9f : b[0] == 0xf4 ? 0x8f : 0xbf;
    if (b[1] < least || b[1] > most)
        return 0;
    for (size_t i = 2; i < n; i++) {
        if ((b[i] & 0xc0) != 0x80)
            return 0;
    }
    return n;
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
    rln__buf_format(buf, c < 0x80 ? "\\u%04x" : "\\udc%02x", c);
}

void rln__buf_json(struct rln__buf *buf, const char *bytes, size_t length)
{
    size_t plain = 0; /* where the text begins that is not appended yet */
    size_t at = 0;

    rln__buf_char(buf, '"');
    while (at < length) {
        const unsigned char c = (unsigned char)bytes[at];
        const size_t n = rln__utf8_length(bytes + at, length - at);

        if (n && c >= 0x20 && c != '"' && c != '\\') {
            at += n;
            continue;
        }
        rln__buf_add(buf, bytes + plain, at - plain);
        add_json_escape(buf, c);
        plain = ++at;
    }
    if (length)
        rln__buf_add(buf, bytes + plain, length - plain);
    rln__buf_char(buf, '"');
}

size_t rln__buf_printable(struct rln__buf *buf, const char *bytes, size_t length)
{
    size_t n_columns = 0;

    for (size_t at = 0; at < length;) {
        const unsigned char c = (unsigned char)bytes[at];
        const size_t n = rln__utf8_length(bytes + at, length - at);
        /* U+0080 to U+009F are control characters, too. */
        const int is_control =
            c < 0x20 || c == 0x7f ||
            (n == 2 && c == 0xc2 && (unsigned char)bytes[at + 1] < 0xa0);

        if (n == 0 || is_control) {
            rln__buf_format(buf, "\\x%02x", c);
            n_columns += 4;
            at++;
            continue;
        }
        rln__buf_add(buf, bytes + at, n);
        n_columns++;
        at += n;
    }
    return n_columns;
}
