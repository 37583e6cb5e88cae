/* SPDX-License-Identifier: Apache-2.0 */
/* choices.h - words that the value of an option may be. */
#ifndef RLN_CONSOLE_CHOICES_H
#define RLN_CONSOLE_CHOICES_H

#include "console/args.h"
#include "console/nearest.h"

/* Whether `word` is one of "a|b|c". */
bool rln__is_choice(const char *choices, const char *word);

/* The first word of a value that is none of the option's choices, in `word`; NULL: each
 * is one. */
const char *rln__wrong_word(const struct rln__option *o, const char *value,
                            char word[RLN__MOST_WORD + 1]);

/* Whether it is "true" or "false". */
bool rln__is_bool(const char *word);

/* Whether it is a whole number. */
bool rln__is_digits(const char *word);

#endif
