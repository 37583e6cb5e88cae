/* SPDX-License-Identifier: Apache-2.0 */
/* Reads any JSON, and trusts none: only three members count.
 *
 *     {"schema": TEXT, "findings": [{"key": TEXT, "won": {"share": NUMBER}}, ...], ...}
 */
#include "analysis/baseline.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/utf8.h"

#define MOST_LEVELS 64

enum role { TOP, SCHEMA, FINDINGS, FINDING, KEY, WON, SHARE, OTHER };

struct cursor {
    const char *text, *at, *end;
    const char *name; /* of the file */
    struct rln__baseline *out;
    struct rln__buf word;              /* the last string; owned */
    struct rln__known_finding finding; /* that one reads; owned */
    bool has_key;                      /* of the finding */
    bool has_schema, has_findings;
    rln_error *err;
};

static rln_status read_value(struct cursor *c, enum role role, unsigned level);

static rln_status refuse(const struct cursor *c, const char *reason)
{
    size_t line = 1, column = 1;

    for (const char *p = c->text; p < c->at; p++) {
        line += *p == '\n';
        column = *p == '\n' ? 1 : column + 1;
    }
    return rln__fail(
        c->err, RLN_ERR_FORMAT, (uint64_t)(c->at - c->text),
        "cannot read baseline: path=\"%s\", line=%zu, column=%zu: %s\nhint: "
        "make it with `rangeline analyze --json`",
        c->name, line, column, reason);
}

static void skip_blanks(struct cursor *c)
{
    while (c->at < c->end && memchr(" \t\r\n", *c->at, 4))
        c->at++;
}

static bool take(struct cursor *c, char wanted)
{
    if (c->at == c->end || *c->at != wanted)
        return false;
    c->at++;
    return true;
}

/* --- Strings ---------------------------------------------------------------------- */

/* Four hexadecimal digits, or -1. */
static int read_unit(struct cursor *c)
{
    int unit = 0;

    if (c->end - c->at < 4)
        return -1;
    for (unsigned i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdefABCDEF";
        const char *digit = *c->at ? strchr(digits, *c->at) : NULL;

        if (!digit)
            return -1;
        unit = unit * 16 +
               (int)(digit - digits > 15 ? digit - digits - 6 : digit - digits);
        c->at++;
    }
    return unit;
}

static void add_character(struct rln__buf *out, unsigned code)
{
    if (code < 0x80) {
        rln__buf_char(out, (char)code);
        return;
    }
    if (code < 0x800) {
        rln__buf_char(out, (char)(0xc0 | code >> 6));
    } else {
        if (code < 0x10000) {
            rln__buf_char(out, (char)(0xe0 | code >> 12));
        } else {
            rln__buf_char(out, (char)(0xf0 | code >> 18));
            rln__buf_char(out, (char)(0x80 | (code >> 12 & 0x3f)));
        }
        rln__buf_char(out, (char)(0x80 | (code >> 6 & 0x3f)));
    }
    rln__buf_char(out, (char)(0x80 | (code & 0x3f)));
}

/* After \u. Half of a pair alone stands for no character. */
static rln_status read_escaped_unit(struct cursor *c)
{
    const int unit = read_unit(c);
    int second;

    if (unit < 0)
        return refuse(c, "\\u needs four hexadecimal digits");
    if (unit < 0xd800 || unit > 0xdfff) {
        add_character(&c->word, (unsigned)unit);
        return RLN_OK;
    }
    if (unit > 0xdbff || !take(c, '\\') || !take(c, 'u'))
        return refuse(c, "half of a surrogate pair");
    second = read_unit(c);
    if (second < 0xdc00 || second > 0xdfff)
        return refuse(c, "half of a surrogate pair");
    add_character(&c->word, 0x10000u + ((unsigned)(unit - 0xd800) << 10) +
                                (unsigned)(second - 0xdc00));
    return RLN_OK;
}

static rln_status read_escape(struct cursor *c)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char *escape = c->at < c->end && *c->at ? strchr(names, *c->at) : NULL;

    if (take(c, 'u'))
        return read_escaped_unit(c);
    if (!escape)
        return refuse(c, "no such escape");
    rln__buf_char(&c->word, values[escape - names]);
    c->at++;
    return RLN_OK;
}

/* Its text goes to c->word. */
static rln_status read_string(struct cursor *c)
{
    rln_status status = RLN_OK;

    c->word.length = 0;
    if (!take(c, '"'))
        return refuse(c, "a string is missing");
    while (!status) {
        if (c->at == c->end)
            return refuse(c, "a string has no end");
        if (take(c, '"'))
            return c->word.has_failed ? rln__fail_nomem(c->err) : RLN_OK;
        if (take(c, '\\')) {
            status = read_escape(c);
        } else {
            const size_t n = rln__utf8_length(c->at, (size_t)(c->end - c->at));

            if (!n || (unsigned char)*c->at < 0x20)
                return refuse(c, n ? "a control character in a string"
                                   : "a string is not UTF-8");
            rln__buf_add(&c->word, c->at, n);
            c->at += n;
        }
    }
    return status;
}

/* --- Values ----------------------------------------------------------------------- */

static rln_status keep_word(struct cursor *c, enum role role)
{
    if (role == SCHEMA) {
        c->has_schema =
            c->word.length == strlen(RLN__FINDINGS_SCHEMA) &&
            memcmp(c->word.bytes, RLN__FINDINGS_SCHEMA, c->word.length) == 0;
        return c->has_schema ? RLN_OK
                             : refuse(c, "schema is not \"" RLN__FINDINGS_SCHEMA "\"");
    }
    if (role != KEY)
        return RLN_OK;
    rln__buf_clear(&c->finding.key);
    c->finding.key = c->word; /* handed over */
    memset(&c->word, 0, sizeof(c->word));
    c->has_key = true;
    return RLN_OK;
}

/* At its end. */
static rln_status keep_finding(struct cursor *c)
{
    struct rln__baseline *out = c->out;
    struct rln__known_finding *added;

    if (c->has_key) {
        added = rln__append(&out->findings, &out->n, &out->capacity, sizeof(*added));
        if (!added)
            return rln__fail_nomem(c->err);
        *added = c->finding; /* handed over */
    }
    memset(&c->finding, 0, sizeof(c->finding));
    c->has_key = false;
    return RLN_OK;
}

static bool is_word(const struct cursor *c, const char *word)
{
    return c->word.length == strlen(word) &&
           memcmp(c->word.bytes, word, c->word.length) == 0;
}

/* The role of the member c->word of an object in `role`. */
static enum role role_of(struct cursor *c, enum role role)
{
    if (role == FINDING && is_word(c, "won"))
        return WON;
    if (role == FINDING)
        return is_word(c, "key") ? KEY : OTHER;
    if (role == WON)
        return is_word(c, "share") ? SHARE : OTHER;
    if (role != TOP)
        return OTHER;
    if (is_word(c, "findings")) {
        c->has_findings = true;
        return FINDINGS;
    }
    return is_word(c, "schema") ? SCHEMA : OTHER;
}

static rln_status read_object(struct cursor *c, enum role role, unsigned level)
{
    rln_status status = RLN_OK;

    skip_blanks(c);
    if (take(c, '}'))
        return RLN_OK;
    while (!status) {
        skip_blanks(c);
        status = read_string(c);
        if (status)
            break;
        skip_blanks(c);
        if (!take(c, ':'))
            return refuse(c, "a colon is missing");
        status = read_value(c, role_of(c, role), level);
        if (status)
            break;
        if (take(c, '}'))
            return RLN_OK;
        if (!take(c, ','))
            return refuse(c, "an object has no end");
    }
    return status;
}

static rln_status read_array(struct cursor *c, enum role role, unsigned level)
{
    rln_status status = RLN_OK;

    skip_blanks(c);
    if (take(c, ']'))
        return RLN_OK;
    while (!status) {
        status = read_value(c, role == FINDINGS ? FINDING : OTHER, level);
        if (status)
            break;
        if (take(c, ']'))
            return RLN_OK;
        if (!take(c, ','))
            return refuse(c, "an array has no end");
    }
    return status;
}

static void keep_share(struct cursor *c, const char *text, size_t length)
{
    char number[32] = {0}, *end;
    double value;

    if (length >= sizeof(number))
        return;
    memcpy(number, text, length);
    value = strtod(number, &end);
    c->finding.has_share = !*end && value >= 0 && value <= 1;
    c->finding.share = c->finding.has_share ? value : 0;
}

/* A number, true, false or null, loosely. */
static rln_status read_bare(struct cursor *c, enum role role)
{
    const char *begin = c->at;

    while (c->at < c->end && *c->at && strchr("+-.0123456789Eaeflnrstu", *c->at))
        c->at++;
    if (c->at == begin)
        return refuse(c, "a value is missing");
    if (role == SHARE)
        keep_share(c, begin, (size_t)(c->at - begin));
    return RLN_OK;
}

/* With the blanks around it. */
static rln_status read_value(struct cursor *c, enum role role, unsigned level)
{
    rln_status status;

    skip_blanks(c);
    if (level > MOST_LEVELS)
        return refuse(c, "nested too deeply");
    if (role == TOP && c->at < c->end && *c->at != '{')
        return refuse(c, "not an object");
    if (role == FINDINGS && c->at < c->end && *c->at != '[')
        return refuse(c, "findings is not an array");
    if ((role == KEY || role == SCHEMA) && c->at < c->end && *c->at != '"')
        return refuse(c, "not a string");
    if (take(c, '{'))
        status = read_object(c, role, level + 1);
    else if (take(c, '['))
        status = read_array(c, role, level + 1);
    else if (c->at < c->end && *c->at == '"')
        status = read_string(c);
    else
        status = read_bare(c, role);
    if (!status && (role == KEY || role == SCHEMA))
        status = keep_word(c, role);
    if (!status && role == FINDING)
        status = keep_finding(c);
    skip_blanks(c);
    return status;
}

static int compare(const struct rln__buf *a, const struct rln__buf *b)
{
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return a->length ? memcmp(a->bytes, b->bytes, a->length) : 0;
}

static int by_key(const void *a, const void *b)
{
    const struct rln__known_finding *x = a, *y = b;

    return compare(&x->key, &y->key);
}

static int compare_to_key(const void *key, const void *finding)
{
    return compare(key, &((const struct rln__known_finding *)finding)->key);
}

rln_status rln__baseline_read(const char *json, size_t length, const char *name,
                              struct rln__baseline *out, rln_error *err)
{
    struct cursor c = {.text = json,
                       .at = json,
                       .end = json + length,
                       .name = name,
                       .out = out,
                       .err = err};
    rln_status status;

    memset(out, 0, sizeof(*out));
    status = read_value(&c, TOP, 0);
    if (!status && c.at < c.end)
        status = refuse(&c, "something follows the document");
    if (!status && (!c.has_schema || !c.has_findings))
        status = refuse(&c, c.has_schema ? "no findings" : "no schema");
    rln__buf_clear(&c.word);
    rln__buf_clear(&c.finding.key);
    if (out->n)
        qsort(out->findings, out->n, sizeof(*out->findings), by_key);
    return status;
}

void rln__baseline_mark(const struct rln__baseline *baseline,
                        struct rln__analysis *analysis)
{
    for (size_t i = 0; baseline->n && i < analysis->n; i++) {
        struct rln__finding *f = &analysis->findings[i];
        const struct rln__known_finding *known =
            bsearch(&f->key, baseline->findings, baseline->n,
                    sizeof(*baseline->findings), compare_to_key);

        f->is_known = known;
        f->has_known_share = known && known->has_share;
        f->known_share = f->has_known_share ? known->share : 0;
    }
}

void rln__baseline_clear(struct rln__baseline *baseline)
{
    for (size_t i = 0; i < baseline->n; i++)
        rln__buf_clear(&baseline->findings[i].key);
    rln__free(baseline->findings);
    memset(baseline, 0, sizeof(*baseline));
}
