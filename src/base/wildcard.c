/* SPDX-License-Identifier: Apache-2.0 */
#include "base/wildcard.h"

#include <stddef.h>

int rln__matches(const char *pattern, rln_text text)
{
    const char *star = NULL; /* after the last * */
    size_t at = 0, again = 0;

    while (at < text.length || *pattern) {
        const int is_literal = *pattern == '\\' && pattern[1];
        const char wanted = is_literal ? pattern[1] : *pattern;

        if (!is_literal && wanted == '*') {
            star = ++pattern;
            again = at;
            continue;
        }
        if (at < text.length && *pattern &&
            ((!is_literal && wanted == '?') || wanted == text.bytes[at])) {
            pattern += is_literal ? 2 : 1;
            at++;
            continue;
        }
        if (!star || again >= text.length)
            return 0;
        pattern = star; /* the last * takes one more */
        at = ++again;
    }
    return 1;
}
