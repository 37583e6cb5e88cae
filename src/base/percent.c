/* SPDX-License-Identifier: Apache-2.0 */
#include "base/percent.h"

static int is_plain(char c, const char *also)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (c && (strchr("-_.~", c) || strchr(also, c)));
}

void rln__buf_percent(struct rln__buf *buf, const char *bytes, size_t length,
                      const char *also)
{
    for (size_t i = 0; i < length; i++) {
        if (is_plain(bytes[i], also))
            rln__buf_char(buf, bytes[i]);
        else
            rln__buf_format(buf, "%%%02X", (unsigned char)bytes[i]);
    }
}
