/* SPDX-License-Identifier: Apache-2.0 */
#include "console/hint_line.h"

#include <string.h>

#include "base/buf.h"
#include "base/shell_word.h"

void rln__hint_line(const char *before, const char *command, char *const *words,
                    const char *placeholder, const char *after)
{
    struct rln__buf line = {0};

    rln__buf_format(&line, "%s`rangeline %s", before, command);
    if (!words[0] && placeholder)
        rln__buf_format(&line, " %s", placeholder);
    for (; words[0]; words++) {
        rln__buf_char(&line, ' ');
        rln__buf_shell_word(&line, words[0], strlen(words[0]));
    }
    rln__buf_format(&line, "`%s", after);
    if (!line.has_failed)
        rln__hint("%.*s", (int)line.length, line.bytes);
    rln__buf_clear(&line);
}
