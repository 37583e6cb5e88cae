/* SPDX-License-Identifier: Apache-2.0 */
/* misread.h - refuses words of a command line, with the command line that was meant.
 *
 *     rangeline: cannot read command line: option="--stat": ... no such option
 *     hint: did you mean `rangeline profile --stats ./program`?
 */
#ifndef RLN_CONSOLE_MISREAD_H
#define RLN_CONSOLE_MISREAD_H

#include "console/args.h"

/* Words of a command line: those of one option. */
struct rln__misread {
    const struct rln__command *command;
    char **argv; /* after the command's name; NULL: a whole line would not help */
    int argc, from, to; /* argv[from] up to argv[to] */
};

/* Exits 2 unless the option takes the value. */
void rln__check_value(const struct rln__misread *at, const struct rln__option *o,
                      const char *value);

/* Hints at the command line with `good` for `length` bytes at `wrong`, which lie in one
 * of its words; at `good` only, if they do not, as in a file of options. Then `after`. */
void rln__hint_instead(const struct rln__args *args, const char *wrong, size_t length,
                       const char *good, const char *after);

/* Exit 2: an option that the command does not have; a value that is missing, or one
 * of an option that takes none; digits
 * after an option that is true or false, which may be a value or the pid of a run; any
 * other reason, after its message. */
_Noreturn void rln__refuse_option(const struct rln__misread *at, const char *word);
_Noreturn void rln__refuse_no_value(const struct rln__misread *at,
                                    const struct rln__option *o);
_Noreturn void rln__refuse_any_value(const struct rln__misread *at,
                                     const struct rln__option *o, const char *word);
_Noreturn void rln__refuse_digits(const struct rln__option *o, const char *next);
_Noreturn void rln__refuse_usage(const struct rln__command *command);

#endif
