/* SPDX-License-Identifier: Apache-2.0 */
/* ends_with.h - compares the end of a file's name. */
#ifndef RLN_CONSOLE_ENDS_WITH_H
#define RLN_CONSOLE_ENDS_WITH_H

#include <stdbool.h>
#include <string.h>

/* True only if something comes before `end`. */
static inline bool rln__ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);

    return length > tail && strcmp(text + length - tail, end) == 0;
}

#endif
