/* SPDX-License-Identifier: Apache-2.0 */
#include "base/markup.h"

#include <string.h>

static int is_forbidden(const char *bytes, size_t length)
{
    return length >= 3 && (memcmp(bytes, "\xef\xbf\xbe", 3) == 0 ||
                           memcmp(bytes, "\xef\xbf\xbf", 3) == 0);
}

void rln__buf_markup(struct rln__buf *buf, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        switch (bytes[i]) {
        case '&':
            rln__buf_text(buf, "&amp;");
            break;
        case '<':
            rln__buf_text(buf, "&lt;");
            break;
        case '>':
            rln__buf_text(buf, "&gt;");
            break;
        case '"':
            rln__buf_text(buf, "&quot;");
            break;
        default:
            if (is_forbidden(bytes + i, length - i)) {
                rln__buf_text(buf, "\xef\xbf\xbd");
                i += 2;
            } else {
                rln__buf_char(buf, bytes[i]);
            }
        }
    }
}
