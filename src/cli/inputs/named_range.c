/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/inputs/named_range.h"

#include <string.h>

char *rln__last_unescaped(char *text, char c)
{
    char *last = NULL;

    for (char *at = text; *at; at++) {
        if (*at == '\\' && at[1])
            at++;
        else if (*at == c)
            last = at;
    }
    return last;
}

static void unescape(char *text)
{
    char *to = text;

    for (const char *from = text; *from; from++) {
        if (*from == '\\' && from[1])
            from++;
        *to++ = *from;
    }
    *to = 0;
}

void rln__named_range_read(struct rln__named_range *range, char *text)
{
    char *at = rln__last_unescaped(text, '@');

    range->message = text;
    range->domain = NULL;
    if (at) {
        *at = 0;
        range->domain = at + 1;
        if (strcmp(range->domain, "*") != 0)
            unescape(at + 1);
    }
    unescape(text);
}
