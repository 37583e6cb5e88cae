/* SPDX-License-Identifier: Apache-2.0 */
/* pattern.h - patterns for texts.
 *
 * * is any text, ? any character, \ takes away their meaning; the whole text must
 * match. A pattern between slashes is an extended regular expression that matches
 * anywhere in the part of the text that bounded_regex.h matches.
 */
#ifndef RLN_RANGES_PATTERN_H
#define RLN_RANGES_PATTERN_H

#include "rangeline/reader.h"

#include <regex.h>

struct rln__pattern {
    char *text;     /* owned */
    regex_t *regex; /* owned; NULL: a pattern with * and ? */
};

/* Copies `text`. RLN_ERR_NOMEM, or RLN_ERR_ARGUMENT: not a regular expression. On
 * failure there is nothing to clear. */
rln_status rln__pattern_init(struct rln__pattern *pattern, const char *text,
                             rln_error *err);
void rln__pattern_clear(struct rln__pattern *pattern);

/* Whether a text matches a pattern of * and ?, as base/wildcard.h has them. */
int rln__text_matches(const char *pattern, rln_text text);

/* A text without bytes matches no pattern. */
int rln__pattern_matches(const struct rln__pattern *pattern, rln_text text);

#endif
