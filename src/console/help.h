/* SPDX-License-Identifier: Apache-2.0 */
/* help.h - a command's table as help text. */
#ifndef RLN_CONSOLE_HELP_H
#define RLN_CONSOLE_HELP_H

#include <stdio.h>

#include "console/args.h"

/* What follows an option's name: the name of its value, or the words that it may be.
 * NULL for a flag. */
static inline const char *rln__value_name(const struct rln__option *o)
{
    return o->value ? o->value : o->choices;
}

/* Prints text from column `at`, broken at blanks, each line indented to `indent`. */
void rln__help_print_wrapped(FILE *out, const char *text, size_t at, size_t indent);

void rln__help_print(const struct rln__command *command, FILE *out);

#endif
