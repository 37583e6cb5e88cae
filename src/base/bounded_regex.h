/* SPDX-License-Identifier: Apache-2.0 */
/* bounded_regex.h - regular expressions whose cost is bounded: compiling rejects
 * expensive ones, and only the begin of a long text is matched.
 *
 * libc copies the operand of {M,N}, so that nested repetitions multiply: a pattern of a
 * few characters could take minutes to compile or to match, and deep groups overflow
 * the stack. With a back-reference, time grows exponentially with the text; without,
 * with its square. */
#ifndef RLN_BASE_BOUNDED_REGEX_H
#define RLN_BASE_BOUNDED_REGEX_H

#include <regex.h>

#include "rangeline/error.h"

#define RLN__REGEX_MOST_BYTES 4096u /* that are matched of a text */
#define RLN__REGEX_MOST_COPIES 1000u
#define RLN__REGEX_MOST_GROUPS 100u /* inside each other */
#define RLN__REGEX_REASON_BYTES 160

/* Like regcomp(). Returns 0, or -1 with the reason: not a regular expression, or over a
 * bound, which the reason names. */
int rln__regex_compile(regex_t *regex, const char *pattern, int flags,
                       char reason[RLN__REGEX_REASON_BYTES]);

/* Like regexec(): whether the pattern matches at `from` or later. Fills `n_groups` >= 1
 * groups. `text` may hold any bytes; those after the first RLN__REGEX_MOST_BYTES are
 * not matched, and `$` does not match before them. */
int rln__regex_find(const regex_t *regex, rln_text text, size_t from, size_t n_groups,
                    regmatch_t *groups);

#endif
