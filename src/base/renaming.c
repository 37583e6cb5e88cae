/* SPDX-License-Identifier: Apache-2.0 */
#include "base/renaming.h"
#include "base/alloc.h"
#include "base/bounded_regex.h"
#include "base/fail.h"
#include "base/utf8.h"

#define N_GROUPS 10 /* the whole match, and \1 to \9 */

/* Without a text, the rule is `numbers`. */
struct rln__rename_rule {
    regex_t regex;
    char *text; /* owned: the replacement, `n_text` bytes */
    size_t n_text;
    int is_global;
};

/* --- Reading a rule --------------------------------------------------------------- */

/* Reads the part of a rule up to `delimiter`, and adds it to `out` without the
 * backslashes that protected the delimiter. Returns what follows, NULL if nothing ends
 * it. */
static const char *read_part(const char *at, char delimiter, struct rln__buf *out)
{
    for (; *at; at++) {
        if (*at == delimiter)
            return at + 1;
        if (*at == '\\' && at[1]) {
            at++;
            if (*at != delimiter)
                rln__buf_char(out, '\\');
        }
        rln__buf_char(out, *at);
    }
    return NULL;
}

static const char *read_flags(const char *at, struct rln__rename_rule *rule, int *flags)
{
    for (; *at == 'g' || *at == 'i'; at++) {
        rule->is_global |= *at == 'g';
        *flags |= *at == 'i' ? REG_ICASE : 0;
    }
    return at;
}

/* The highest N of a \N in the text. */
static size_t last_group(const char *text, size_t n_text)
{
    size_t last = 0;

    for (size_t i = 0; i + 1 < n_text; i++) {
        if (text[i] != '\\')
            continue;
        i++;
        if (text[i] >= '1' && text[i] <= '9' && (size_t)(text[i] - '0') > last)
            last = (size_t)(text[i] - '0');
    }
    return last;
}

static rln_status refuse(rln_error *err, const char *rule, const char *why)
{
    return rln__fail(err, RLN_ERR_ARGUMENT, 0, "cannot rename: rule=\"%.200s\": %s",
                     rule, why);
}

static rln_status read_rule(struct rln__rename_rule *out, const char *rule,
                            struct rln__buf *pattern, struct rln__buf *text,
                            rln_error *err)
{
    int flags = REG_EXTENDED;
    const char *at = NULL;
    char reason[RLN__REGEX_REASON_BYTES];

    if (rule[0] == 's' && rule[1] && rule[1] != '\\')
        at = read_part(rule + 2, rule[1], pattern);
    if (at)
        at = read_part(at, rule[1], text);
    if (at)
        at = read_flags(at, out, &flags);
    rln__buf_char(pattern, 0);
    if (pattern->has_failed || text->has_failed)
        return rln__fail_nomem(err);
    if (!at || *at)
        return refuse(err, rule,
                      "not s/PATTERN/TEXT/ with flags g and i, and not `numbers`");
    if (pattern->length == 1)
        return refuse(err, rule, "the pattern is empty");
    if (rln__regex_compile(&out->regex, pattern->bytes, flags, reason))
        return refuse(err, rule, reason);
    if (last_group(text->bytes, text->length) > out->regex.re_nsub) {
        regfree(&out->regex);
        return refuse(err, rule, "the pattern has fewer groups than the text names");
    }
    out->n_text = text->length;
    rln__buf_char(text, 0); /* so that even empty text has an address */
    if (text->has_failed) {
        regfree(&out->regex);
        return rln__fail_nomem(err);
    }
    out->text = text->bytes; /* the rule owns it from here on */
    memset(text, 0, sizeof(*text));
    return RLN_OK;
}

rln_status rln__renaming_add(struct rln__renaming *renaming, const char *rule,
                             rln_error *err)
{
    struct rln__rename_rule *rules = rln__grow(renaming->rules, &renaming->capacity,
                                               renaming->n + 1, sizeof(*rules));
    struct rln__buf pattern = {0}, text = {0};
    rln_status status = RLN_OK;

    if (!rules)
        return rln__fail_nomem(err);
    renaming->rules = rules;
    memset(&rules[renaming->n], 0, sizeof(*rules));
    if (strcmp(rule, "numbers") != 0)
        status = read_rule(&rules[renaming->n], rule, &pattern, &text, err);
    renaming->n += !status;
    rln__buf_clear(&pattern);
    rln__buf_clear(&text);
    return status;
}

void rln__renaming_clear(struct rln__renaming *renaming)
{
    for (size_t i = 0; i < renaming->n; i++) {
        if (renaming->rules[i].text)
            regfree(&renaming->rules[i].regex);
        rln__free(renaming->rules[i].text);
    }
    rln__free(renaming->rules);
    rln__buf_clear(&renaming->name);
    rln__buf_clear(&renaming->next);
    memset(renaming, 0, sizeof(*renaming));
}

/* --- Applying it ------------------------------------------------------------------ */

static void add_group(struct rln__buf *out, rln_text name, const regmatch_t *group)
{
    if (group->rm_so >= 0)
        rln__buf_add(out, name.bytes + group->rm_so,
                     (size_t)(group->rm_eo - group->rm_so));
}

static void add_text(struct rln__buf *out, const struct rln__rename_rule *rule,
                     rln_text name, const regmatch_t *groups, size_t most)
{
    for (size_t i = 0; i < rule->n_text && out->length <= most; i++) {
        char c = rule->text[i];

        if (c == '&') {
            add_group(out, name, &groups[0]);
            continue;
        }
        if (c == '\\' && i + 1 < rule->n_text) {
            c = rule->text[++i];
            if (c >= '1' && c <= '9') {
                add_group(out, name, &groups[c - '0']);
                continue;
            }
        }
        rln__buf_char(out, c);
    }
}

/* Cuts a name down to `most` bytes, and marks it. */
static void cut(struct rln__buf *out, size_t most)
{
    if (out->length <= most)
        return;
    out->length = rln__utf8_cut(out->bytes, most);
    rln__buf_text(out, "[...]");
}

/* Adds `name` to `out` with each match replaced, and cuts it after `most` bytes; 0 if
 * nothing matches. */
static int replace(struct rln__buf *out, const struct rln__rename_rule *rule,
                   rln_text name, size_t most)
{
    regmatch_t groups[N_GROUPS];
    size_t done = 0, at = 0; /* end of the copied text, begin of the search */
    int n = 0;

    while (out->length <= most && (rule->is_global || !n) &&
           rln__regex_find(&rule->regex, name, at, N_GROUPS, groups)) {
        const size_t start = (size_t)groups[0].rm_so, end = (size_t)groups[0].rm_eo;

        at = end > start ? end : end + 1;
        if (n && end == done)
            continue; /* an empty match right after the last one does not count */
        n++;
        rln__buf_add(out, name.bytes + done, start - done);
        add_text(out, rule, name, groups, most);
        done = end;
    }
    if (n) {
        rln__buf_add(out, name.bytes + done, name.length - done);
        cut(out, most);
    }
    return n;
}

rln_text rln__rename(struct rln__renaming *renaming, rln_text name)
{
    struct rln__buf *next = &renaming->next;
    const size_t most = name.length + RLN__RENAME_MOST_GROWTH;

    for (size_t i = 0; i < renaming->n; i++) {
        const struct rln__rename_rule *rule = &renaming->rules[i];
        struct rln__buf spare;

        next->length = 0;
        if (!rule->text)
            rln__fold_numbers(next, name);
        else if (!replace(next, rule, name, most))
            continue;
        rln__buf_char(next, 0); /* so that even empty text has an address */
        if (next->has_failed)
            return (rln_text){NULL, 0};
        name = (rln_text){next->bytes, next->length - 1};
        spare = renaming->name;
        renaming->name = *next;
        *next = spare;
    }
    return name;
}

/* --- Numbers ---------------------------------------------------------------------- */

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static int is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (unsigned char)c >= 0x80; /* a letter of some script */
}

static size_t count(rln_text text, size_t at, int (*is)(char))
{
    size_t n = 0;

    while (at + n < text.length && is(text.bytes[at + n]))
        n++;
    return n;
}

static int has(rln_text text, size_t at, char c)
{
    return at < text.length && text.bytes[at] == c;
}

/* How many bytes from `at` on are a UUID: 8-4-4-4-12 hexadecimal digits. */
static size_t uuid_length(rln_text text, size_t at)
{
    static const size_t parts[] = {8, 4, 4, 4, 12};
    size_t n = 0;

    for (size_t i = 0; i < RLN_COUNT(parts); i++) {
        if (i && !has(text, at + n++, '-'))
            return 0;
        if (count(text, at + n, is_hex) != parts[i])
            return 0;
        n += parts[i];
    }
    return count(text, at + n, is_word) ? 0 : n;
}

/* The length of the hexadecimal number at the beginning of a word; 0 if there is none.
 */
static size_t hex_length(rln_text text, size_t at)
{
    const size_t n = count(text, at, is_hex);
    const size_t n_decimal = count(text, at, is_digit);
    size_t n_digits = 0;

    if (n == 1 && has(text, at, '0') &&
        (has(text, at + 1, 'x') || has(text, at + 1, 'X'))) {
        const size_t n_behind = count(text, at + 2, is_hex);

        return n_behind ? 2 + n_behind : 0;
    }
    if (n == 8 && uuid_length(text, at))
        return uuid_length(text, at);
    for (size_t i = 0; i < n; i++)
        n_digits += (size_t)is_digit(text.bytes[at + i]);
    /* Digits only are a decimal number, which may have a fraction. */
    return n >= 8 && n_digits && n_decimal < n && count(text, at, is_word) == n ? n : 0;
}

static size_t decimal_length(rln_text text, size_t at)
{
    size_t n = count(text, at, is_digit);
    size_t sign;

    if (has(text, at + n, '.') && count(text, at + n + 1, is_digit))
        n += 1 + count(text, at + n + 1, is_digit);
    sign = at + n + 1;
    if ((has(text, at + n, 'e') || has(text, at + n, 'E')) &&
        (has(text, sign, '-') || has(text, sign, '+')) &&
        count(text, sign + 1, is_digit))
        n += 2 + count(text, sign + 1, is_digit);
    return n;
}

void rln__fold_numbers(struct rln__buf *out, rln_text name)
{
    size_t at = 0;

    while (at < name.length) {
        const int begins = at == 0 || !is_word(name.bytes[at - 1]);
        size_t n = begins ? hex_length(name, at) : 0;

        if (!n && is_digit(name.bytes[at]))
            n = decimal_length(name, at);
        rln__buf_char(out, n ? '#' : name.bytes[at]);
        at += n ? n : 1;
    }
}
