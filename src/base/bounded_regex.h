/* SPDX-License-Identifier: Apache-2.0 */
/* bounded_regex.h - compiles regular expressions, and rejects expensive ones.
 *
 * libc copies the operand of {M,N}, so that nested repetitions multiply: a pattern of a
 * few characters could take minutes to compile or to match, and deep groups overflow
 * the stack. */
#ifndef RLN_BASE_BOUNDED_REGEX_H
#define RLN_BASE_BOUNDED_REGEX_H

#include <regex.h>

#define RLN__REGEX_MOST_COPIES 1000u
#define RLN__REGEX_MOST_GROUPS 100u /* inside each other */
#define RLN__REGEX_REASON_BYTES 160

/* Like regcomp(). Returns 0, or -1 with the reason: not a regular expression, or over a
 * bound, which the reason names. */
int rln__regex_compile(regex_t *regex, const char *pattern, int flags,
                       char reason[RLN__REGEX_REASON_BYTES]);

#endif
