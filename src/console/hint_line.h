/* SPDX-License-Identifier: Apache-2.0 */
/* hint_line.h - a hint that is a command line to type. */
#ifndef RLN_CONSOLE_HINT_LINE_H
#define RLN_CONSOLE_HINT_LINE_H

#include "console/die.h"

/* "hint: BEFORE`rangeline COMMAND WORDS...`AFTER", each word as a shell reads it. Words
 * end with NULL; without any, `placeholder` stands there, or nothing if it is NULL. */
void rln__hint_line(const char *before, const char *command, char *const *words,
                    const char *placeholder, const char *after);

#endif
