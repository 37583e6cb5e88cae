/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/capture/range_pattern.h"
#include "base/wildcard.h"

/* Copies the pattern up to `end` without an @ that is not escaped. 0 if it is too long.
 */
static int copy_pattern(char to[RLN__MAX_PATTERN], const char *from, const char *end)
{
    size_t n = 0;

    while (from < end && n < RLN__MAX_PATTERN - 2) {
        if (*from == '\\' && from + 1 < end)
            to[n++] = *from++;
        else if (*from == '@') {
            from++;
            continue;
        }
        to[n++] = *from++;
    }
    to[n] = 0;
    return from == end;
}

void rln__range_pattern_read(struct rln__range_pattern *out, const char *text)
{
    const char *at = NULL, *end = text;

    if (!text || !*text)
        return;
    for (; *end; end++) {
        if (*end == '@')
            at = end;
        if (*end == '\\' && end[1])
            end++;
    }
    out->has_domain = at != NULL;
    out->is_given = copy_pattern(out->message, text, at ? at : end) &&
                    (!at || copy_pattern(out->domain, at + 1, end));
}

static int matches(const char *pattern, const char *text, size_t n_bytes,
                   int ignores_case)
{
    const char *end = pattern;

    while (*end)
        end++;
    return rln__wildcard_matches(pattern, end, text, n_bytes, ignores_case);
}

/* `*` includes the default domain; no other pattern matches that, as it has no name. */
int rln__range_pattern_has_domain(const struct rln__range_pattern *p, const char *name,
                                  size_t n_bytes)
{
    if (!p->is_given)
        return 0;
    if (!name)
        return !p->has_domain || (p->domain[0] == '*' && !p->domain[1]);
    return p->has_domain && matches(p->domain, name, n_bytes, 0);
}

int rln__range_pattern_has_message(const struct rln__range_pattern *p, const char *text,
                                   size_t n_bytes)
{
    return p->is_given && text && matches(p->message, text, n_bytes, 0);
}

int rln__range_pattern_nearly_has_message(const struct rln__range_pattern *p,
                                          const char *text, size_t n_bytes)
{
    return p->is_given && text && matches(p->message, text, n_bytes, 1);
}
