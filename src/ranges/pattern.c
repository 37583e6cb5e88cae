/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/pattern.h"
#include "base/alloc.h"
#include "base/bounded_regex.h"
#include "base/fail.h"
#include "base/wildcard.h"

#include <string.h>

/* The length between the slashes of "/a|b/"; 0 for any other pattern. */
static size_t regex_length(const char *pattern)
{
    const size_t length = strlen(pattern);

    return length > 2 && pattern[0] == '/' && pattern[length - 1] == '/' ? length - 2
                                                                         : 0;
}

static rln_status compile(const char *pattern, regex_t **out, rln_error *err)
{
    const size_t length = regex_length(pattern);
    char *text = rln__alloc(length + 1, 1);
    regex_t *regex = rln__alloc(1, sizeof(*regex));
    rln_status status = RLN_OK;
    char reason[RLN__REGEX_REASON_BYTES];

    *out = NULL;
    if (!text || !regex) {
        status = rln__fail_nomem(err);
        goto end;
    }
    memcpy(text, pattern + 1, length);
    if (rln__regex_compile(regex, text, REG_EXTENDED | REG_NOSUB, reason)) {
        status = rln__fail(err, RLN_ERR_ARGUMENT, 0,
                           "cannot filter: pattern=\"%.200s\": %s", pattern, reason);
        goto end;
    }
    *out = regex;
    regex = NULL;
end:
    rln__free(text);
    rln__free(regex);
    return status;
}

rln_status rln__pattern_init(struct rln__pattern *pattern, const char *text,
                             rln_error *err)
{
    char *copy = rln__alloc(strlen(text) + 1, 1);
    rln_status status = RLN_OK;

    *pattern = (struct rln__pattern){copy, NULL};
    if (!copy)
        return rln__fail_nomem(err);
    memcpy(copy, text, strlen(text));
    if (regex_length(text))
        status = compile(text, &pattern->regex, err);
    if (status)
        rln__pattern_clear(pattern);
    return status;
}

void rln__pattern_clear(struct rln__pattern *pattern)
{
    if (pattern->regex)
        regfree(pattern->regex);
    rln__free(pattern->regex);
    rln__free(pattern->text);
    *pattern = (struct rln__pattern){NULL, NULL};
}

int rln__text_matches(const char *pattern, rln_text text)
{
    return rln__wildcard_matches(pattern, strchr(pattern, '\0'), text.bytes,
                                 text.length, 0);
}

/* Names in a trace may contain any byte: only the length says where they end. */
int rln__pattern_matches(const struct rln__pattern *pattern, rln_text text)
{
    regmatch_t whole;

    if (!text.bytes)
        return 0;
    return pattern->regex ? rln__regex_find(pattern->regex, text, 0, 1, &whole)
                          : rln__text_matches(pattern->text, text);
}
