/* SPDX-License-Identifier: Apache-2.0 */
#include "base/shell_word.h"

#include "base/utf8.h"

enum { PLAIN, QUOTED, ESCAPED };

static int is_plain(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (unsigned char)c >= 0x80 || (c && strchr("_@%+=:,./-", c));
}

/* What quotes a word needs. */
static int find_style(const char *bytes, size_t length)
{
    int style = length ? PLAIN : QUOTED;

    for (size_t n; length; bytes += n, length -= n) {
        char escape[RLN__ESCAPE_BYTES];

        n = rln__printable(bytes, length, escape);
        if (*escape)
            return ESCAPED;
        if (!is_plain(*bytes))
            style = QUOTED;
    }
    return style;
}

static void add_quoted(struct rln__buf *buf, const char *bytes, size_t length)
{
    rln__buf_char(buf, '\'');
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '\'')
            rln__buf_text(buf, "'\\''");
        else
            rln__buf_char(buf, bytes[i]);
    }
    rln__buf_char(buf, '\'');
}

/* Three octal digits end where hexadecimal ones may go on. */
static void add_escaped(struct rln__buf *buf, const char *bytes, size_t length)
{
    rln__buf_text(buf, "$'");
    for (size_t n; length; bytes += n, length -= n) {
        char escape[RLN__ESCAPE_BYTES];

        n = rln__printable(bytes, length, escape);
        if (*bytes == '\'' || *bytes == '\\')
            rln__buf_char(buf, '\\');
        if (!*escape)
            rln__buf_add(buf, bytes, n);
        for (size_t i = 0; *escape && i < n; i++)
            rln__buf_format(buf, "\\%03o", (unsigned char)bytes[i]);
    }
    rln__buf_char(buf, '\'');
}

void rln__buf_shell_word(struct rln__buf *buf, const char *bytes, size_t length)
{
    const int style = find_style(bytes, length);

    if (style == PLAIN)
        rln__buf_add(buf, bytes, length);
    else if (style == QUOTED)
        add_quoted(buf, bytes, length);
    else
        add_escaped(buf, bytes, length);
}
