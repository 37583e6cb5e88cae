/* SPDX-License-Identifier: Apache-2.0 */
/* wildcard.h - patterns with * (any text) and ? (any character); \ takes away their
 * meaning. */
#ifndef RLN_BASE_WILDCARD_H
#define RLN_BASE_WILDCARD_H

#include <stddef.h>

/* Whether all of a text matches the pattern, which ends before `end`; letters of ASCII
 * in either case, if `ignores_case`. Texts of a trace may hold any bytes, and the
 * collector calls no libc, so fnmatch() will not do. Takes at most as many steps as the
 * pattern has bytes times the text, and none of these where no * follows: `*.forward`. */
int rln__wildcard_matches(const char *pattern, const char *end, const char *text,
                          size_t n_bytes, int ignores_case);

#endif
