/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bounded_regex.h"
#include "base/utf8.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COUNT = 1 << 16 }; /* regcomp() refuses a larger one */

/* A group: the number of its characters with all copies, and that of its last element,
 * which a following repetition multiplies. */
struct group {
    uint64_t all, last;
};

struct measure {
    struct group groups[RLN__REGEX_MOST_GROUPS + 1];
    unsigned depth;
    uint64_t n_written; /* characters without copies */
};

static void add_character(struct measure *m)
{
    m->groups[m->depth].all++;
    m->groups[m->depth].last = 1;
    m->n_written++;
}

static void close_group(struct measure *m)
{
    const uint64_t all = m->groups[m->depth].all;

    if (m->depth == 0)
        return;
    m->depth--;
    m->groups[m->depth].all += all;
    m->groups[m->depth].last = all;
}

/* Called after `[`; returns the end of the bracket expression. */
static const char *after_bracket(const char *at)
{
    at += *at == '^';
    at += *at == ']';
    for (; *at && *at != ']'; at++) {
        const char kind = at[1], *end;

        if (*at != '[' || !kind || !strchr(".:=", kind))
            continue;
        for (end = at + 2; *end && !(*end == kind && end[1] == ']'); end++)
            ;
        at = *end ? end + 1 : end - 1;
    }
    return *at ? at + 1 : at;
}

static void multiply(struct measure *m, uint64_t n)
{
    struct group *g = &m->groups[m->depth];

    if (n < 2 || n > MOST_COUNT || g->all > UINT64_MAX / MOST_COUNT / 2)
        return;
    g->all += g->last * (n - 1);
    g->last *= n;
}

/* Called after `{`; reads its numbers. Without an upper bound, libc adds a last copy
 * that may repeat. */
static const char *repeat(struct measure *m, const char *at)
{
    uint64_t most = 0;

    while (*at && strchr("0123456789,", *at)) {
        char *end = (char *)(uintptr_t)at + 1;
        const unsigned long n = *at == ',' ? 0 : strtoul(at, &end, 10);

        most = n > most ? n : most;
        at = end;
    }
    multiply(m, at[-1] == ',' ? most + 1 : most);
    at += *at == '\\';
    return at + (*at == '}');
}

/* Returns 0, or -1 with the reason. In basic expressions, operators are escaped. */
static int measure(struct measure *m, const char *at, int is_basic,
                   char reason[RLN__REGEX_REASON_BYTES])
{
    while (*at) {
        const int is_escaped = *at == '\\' && at[1];
        const char c = at[is_escaped];

        at += 1 + is_escaped;
        if (c == '[' && !is_escaped) {
            at = after_bracket(at);
            add_character(m);
        } else if (is_escaped && c >= '1' && c <= '9') {
            (void)snprintf(reason, RLN__REGEX_REASON_BYTES,
                           "\\%c may take forever: write out the alternatives, such "
                           "as (aa|bb) for (a|b)\\1",
                           c);
            return -1;
        } else if (!strchr("(){+", c) || is_escaped != is_basic) {
            add_character(m);
        } else if (c == ')') {
            close_group(m);
        } else if (c == '+') {
            multiply(m, 2); /* X+ is XX* */
        } else if (c == '{') {
            at = repeat(m, at);
        } else if (m->depth == RLN__REGEX_MOST_GROUPS) {
            (void)snprintf(reason, RLN__REGEX_REASON_BYTES,
                           "groups are more than %u deep", RLN__REGEX_MOST_GROUPS);
            return -1;
        } else {
            m->groups[++m->depth] = (struct group){0, 0};
        }
    }
    while (m->depth)
        close_group(m);
    return 0;
}

int rln__regex_compile(regex_t *regex, const char *pattern, int flags,
                       char reason[RLN__REGEX_REASON_BYTES])
{
    struct measure m = {.depth = 0};
    uint64_t n_copies;
    int wrong;

    if (measure(&m, pattern, !(flags & REG_EXTENDED), reason))
        return -1;
    n_copies = m.groups[0].all - m.n_written;
    if (n_copies > RLN__REGEX_MOST_COPIES) {
        (void)snprintf(reason, RLN__REGEX_REASON_BYTES,
                       "repetitions make more than %u copies", RLN__REGEX_MOST_COPIES);
        return -1;
    }
    wrong = regcomp(regex, pattern, flags);
    if (wrong)
        (void)regerror(wrong, regex, reason, RLN__REGEX_REASON_BYTES);
    return wrong ? -1 : 0;
}

/* Matches the bytes from groups[0].rm_so to groups[0].rm_eo. */
static int match(const regex_t *regex, const char *bytes, size_t n_groups,
                 regmatch_t *groups, int flags)
{
#ifdef REG_STARTEND
    return regexec(regex, bytes, n_groups, groups, REG_STARTEND | flags);
#else
    /* A copy, which is terminated: only what precedes a zero byte is matched. */
    char copy[RLN__REGEX_MOST_BYTES + 1];
    const regoff_t from = groups[0].rm_so;
    const size_t length = (size_t)(groups[0].rm_eo - from);
    int result;

    memcpy(copy, bytes + from, length);
    copy[length] = '\0';
    result = regexec(regex, copy, n_groups, groups, flags);
    for (size_t i = 0; i < n_groups && !result; i++) {
        if (groups[i].rm_so < 0)
            continue;
        groups[i].rm_so += from;
        groups[i].rm_eo += from;
    }
    return result;
#endif
}

int rln__regex_find(const regex_t *regex, rln_text text, size_t from, size_t n_groups,
                    regmatch_t *groups)
{
    const int is_cut = text.length > RLN__REGEX_MOST_BYTES;
    const size_t end =
        is_cut ? rln__utf8_cut(text.bytes, RLN__REGEX_MOST_BYTES) : text.length;

    if (from > end)
        return 0;
    groups[0].rm_so = (regoff_t)from;
    groups[0].rm_eo = (regoff_t)end;
    return match(regex, text.bytes, n_groups, groups,
                 (from ? REG_NOTBOL : 0) | (is_cut ? REG_NOTEOL : 0)) == 0;
}
