/* SPDX-License-Identifier: Apache-2.0 */
/* pattern.h - which texts are wanted.
 *
 * * is any text, ? any character, \ takes away their meaning; all of a text must match.
 * What stands between slashes is an extended regular expression that matches somewhere.
 */
#ifndef RLN_MODEL_PATTERN_H
#define RLN_MODEL_PATTERN_H

#include "rangeline/reader.h"

#include <regex.h>

struct rln__pattern {
    char *text;     /* owned */
    regex_t *regex; /* owned; NULL: it has * and ? */
};

/* `text` is copied. RLN_ERR_NOMEM, RLN_ERR_ARGUMENT: it is no regular expression; then
 * there is nothing to clear. */
rln_status rln__pattern_init(struct rln__pattern *pattern, const char *text,
                             rln_error *err);
void rln__pattern_clear(struct rln__pattern *pattern);

/* No text matches nothing. */
int rln__pattern_matches(const struct rln__pattern *pattern, rln_text text);

/* Whether all of `text` matches what has * and ?. */
int rln__matches(const char *pattern, rln_text text);

#endif
