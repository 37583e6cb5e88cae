/* SPDX-License-Identifier: Apache-2.0 */
#include "query/question.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "table/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Numbers and texts ------------------------------------------------------------ */

struct piece {
    const char *at;
    size_t length;
};

static int is_word(struct piece p, const char *word)
{
    return p.length == strlen(word) && memcmp(p.at, word, p.length) == 0;
}

/* As browsers write them: 12, -3.5, 1e+21. Rounded down. */
static int read_time(struct piece p, int64_t *out)
{
    char text[40], *end;
    double value;

    if (p.length == 0 || p.length >= sizeof(text) ||
        strspn(p.at, "0123456789+-.eE") < p.length)
        return 0;
    memcpy(text, p.at, p.length);
    text[p.length] = 0;
    value = strtod(text, &end);
    if (*end ||
        !(value > -(double)RLN__MAX_TIME_NS && value < (double)RLN__MAX_TIME_NS))
        return 0;
    *out = (int64_t)value;
    *out -= (double)*out > value;
    return 1;
}

static int read_count(struct piece p, uint32_t most, uint32_t *out)
{
    uint64_t value = 0;

    if (p.length == 0 || p.length > 10)
        return 0;
    for (size_t i = 0; i < p.length; i++) {
        if (p.at[i] < '0' || p.at[i] > '9')
            return 0;
        value = value * 10 + (uint64_t)(p.at[i] - '0');
    }
    *out = (uint32_t)value;
    return value <= most;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes %XX, and + as a blank. */
static int read_text(struct piece p, struct rln__question_text *out)
{
    out->length = 0;
    out->is_given = 1;
    for (size_t i = 0; i < p.length; i++) {
        char c = p.at[i] == '+' ? ' ' : p.at[i];

        if (out->length == sizeof(out->bytes))
            return 0;
        if (c == '%') {
            const int high = i + 2 < p.length ? digit_of(p.at[i + 1]) : -1;
            const int low = high >= 0 ? digit_of(p.at[i + 2]) : -1;

            if (low < 0)
                return 0;
            c = (char)(high << 4 | low);
            i += 2;
        }
        out->bytes[out->length++] = c;
    }
    return 1;
}

static int add_rows(struct rln__question *q, uint32_t first, uint32_t last)
{
    if (last < first || last - first >= RLN__MAX_TILE_ROWS - q->n_rows)
        return 0;
    for (uint32_t row = first; row <= last; row++)
        q->rows[q->n_rows++] = row;
    return 1;
}

/* 0,3-7,12 */
static int read_rows(struct piece p, struct rln__question *q)
{
    const char *const end = p.at + p.length;

    q->n_rows = 0;
    while (p.at < end) {
        const char *comma = memchr(p.at, ',', (size_t)(end - p.at));
        struct piece first = {p.at, (size_t)((comma ? comma : end) - p.at)}, last;
        const char *dash = memchr(first.at, '-', first.length);
        uint32_t from, to;

        last = first;
        if (dash) {
            last =
                (struct piece){dash + 1, first.length - (size_t)(dash + 1 - first.at)};
            first.length = (size_t)(dash - first.at);
        }
        if (!read_count(first, UINT32_MAX - 1, &from) ||
            !read_count(last, UINT32_MAX - 1, &to) || !add_rows(q, from, to))
            return 0;
        p.at = comma ? comma + 1 : end;
    }
    return 1;
}

/* --- Arguments -------------------------------------------------------------------- */

/* Bits of the arguments that were given, and that a question needs or allows. */
enum argument {
    FROM = 1 << 0,
    TO = 1 << 1,
    PIXELS = 1 << 2,
    ROWS = 1 << 3,
    ROW = 1 << 4,
    START = 1 << 5,
    NAME = 1 << 6,
    AFTER = 1 << 7,
    BY = 1 << 8,
    TEXT = 1 << 9,
    NAMES_FROM = 1 << 10,
    ALIAS = 1 << 11,
    WITH = 1 << 12,
    DOMAIN = 1 << 13,
    CATEGORY = 1 << 14,
    THREAD = 1 << 15,
    NTH = 1 << 16,
    FOLD = 1 << 17,
    SORT = 1 << 18,
    FIRST = 1 << 19,
    FORMAT = 1 << 20,
    SPAN = FROM | TO,
    FILTER = WITH | DOMAIN | CATEGORY,
    ANYWHERE = FILTER | THREAD, /* of questions about all rows */
};

static const struct {
    const char *word;
    enum rln__query_kind kind;
    unsigned needed, allowed;
} questions[] = {
    {"about", RLN__QUERY_ABOUT, 0, NAMES_FROM},
    {"tile", RLN__QUERY_TILE, SPAN | PIXELS | ROWS, FILTER},
    {"sums", RLN__QUERY_SUMS, SPAN, ANYWHERE | FOLD | ROWS},
    {"flame", RLN__QUERY_FLAME, SPAN, ANYWHERE | FOLD | ROWS},
    {"details", RLN__QUERY_DETAILS, ROW | START, ALIAS},
    {"instances", RLN__QUERY_INSTANCES, NAME, FOLD},
    {"occurrences", RLN__QUERY_OCCURRENCES, SPAN | NAME, ANYWHERE | FOLD},
    {"overview", RLN__QUERY_OVERVIEW, PIXELS, 0},
    {"counters", RLN__QUERY_COUNTERS, SPAN | ROWS, 0},
    {"states", RLN__QUERY_STATES, SPAN | PIXELS | ROWS, 0},
    {"inside", RLN__QUERY_INSIDE, NAME | ROW | START, ALIAS | FOLD},
    {"highlights", RLN__QUERY_HIGHLIGHTS, 0, 0},
    {"links", RLN__QUERY_LINKS, ROW | START, ALIAS},
    {"next", RLN__QUERY_NEXT, NAME | AFTER | BY, ROW | ALIAS | ANYWHERE | FOLD},
    {"hit", RLN__QUERY_HIT, TEXT | AFTER | BY, ROW | ALIAS | ANYWHERE},
    {"nth", RLN__QUERY_NTH, NAME | NTH, 0},
    {"search", RLN__QUERY_SEARCH, TEXT, ANYWHERE},
    {"names", RLN__QUERY_NAMES, ROWS, 0},
    {"reports", RLN__QUERY_REPORTS, 0, 0},
    {"report", RLN__QUERY_REPORT, TEXT, SORT | FIRST | FORMAT},
};

static const struct {
    const char *word;
    enum argument argument;
} arguments[] = {
    {"from", FROM},     {"to", TO},         {"pixels", PIXELS},     {"rows", ROWS},
    {"row", ROW},       {"start", START},   {"name", NAME},         {"after", AFTER},
    {"by", BY},         {"text", TEXT},     {"names", NAMES_FROM},  {"tie", ALIAS},
    {"with", WITH},     {"domain", DOMAIN}, {"category", CATEGORY}, {"thread", THREAD},
    {"n", NTH},         {"fold", FOLD},     {"sort", SORT},         {"first", FIRST},
    {"format", FORMAT},
};

static int read_direction(struct piece value, struct rln__question *q)
{
    q->is_earlier = is_word(value, "-1");
    return q->is_earlier || is_word(value, "1");
}

static int read_value(enum argument argument, struct piece value,
                      struct rln__question *q)
{
    switch (argument) {
    case FROM:
        return read_time(value, &q->from);
    case TO:
        return read_time(value, &q->to);
    case START:
        return read_time(value, &q->start);
    case AFTER:
        return read_time(value, &q->after);
    case PIXELS:
        return read_count(value, RLN__MAX_PIXELS, &q->pixels) && q->pixels > 0;
    case ROW:
        return read_count(value, UINT32_MAX - 1, &q->row);
    case NAME:
        return read_count(value, UINT32_MAX - 1, &q->name);
    case ALIAS:
        return read_count(value, UINT32_MAX - 1, &q->tie_index);
    case NTH:
        return read_count(value, UINT32_MAX - 1, &q->n);
    case NAMES_FROM:
        return read_count(value, UINT32_MAX - 1, &q->names_from);
    case ROWS:
        return read_rows(value, q);
    case BY:
        return read_direction(value, q);
    case FOLD:
        q->is_folded = is_word(value, "1");
        return q->is_folded || is_word(value, "0");
    case FIRST:
        return read_count(value, UINT32_MAX - 1, &q->first);
    case FORMAT:
        q->format = rln__table_format(value.at, value.length);
        return q->format >= 0;
    case SORT:
        return read_text(value, &q->sort);
    case TEXT:
        return read_text(value, &q->text);
    case WITH:
        return read_text(value, &q->filter_name);
    case DOMAIN:
        return read_text(value, &q->filter_domain);
    case CATEGORY:
        return read_text(value, &q->filter_category);
    case THREAD:
        return read_text(value, &q->filter_thread);
    default:
        return 0;
    }
}

/* Reads one `word=value`: each at most once, and only if the question allows it. */
static int read_argument(struct piece p, unsigned allowed, unsigned *given,
                         struct rln__question *q)
{
    const char *equals = memchr(p.at, '=', p.length);
    struct piece word, value;

    if (!equals)
        return 0;
    word = (struct piece){p.at, (size_t)(equals - p.at)};
    value = (struct piece){equals + 1, p.length - word.length - 1};
    for (size_t i = 0; i < RLN_COUNT(arguments); i++) {
        const unsigned bit = arguments[i].argument;

        if (!is_word(word, arguments[i].word))
            continue;
        if (!(allowed & bit) || (*given & bit))
            return 0;
        *given |= bit;
        return read_value(arguments[i].argument, value, q);
    }
    return 0;
}

static int read_arguments(const char *query, size_t which, struct rln__question *q)
{
    const unsigned needed = questions[which].needed;
    unsigned given = 0;

    while (query && *query) {
        const size_t length = strcspn(query, "&");

        if (!read_argument((struct piece){query, length},
                           needed | questions[which].allowed, &given, q))
            return 0;
        query += length + (query[length] == '&');
    }
    return (given & needed) == needed && (!(needed & SPAN) || q->from <= q->to);
}

/* --- The whole -------------------------------------------------------------------- */

static int parse(const char *path, unsigned n_traces, struct rln__question *q)
{
    const size_t length = strcspn(path, "?");
    const char *query = path[length] ? path + length + 1 : NULL;

    if (strnlen(path, RLN__MAX_QUESTION_BYTES + 1) > RLN__MAX_QUESTION_BYTES)
        return 414;
    if (path[0] < '0' || path[0] > '9' || path[1] != '/')
        return 404;
    q->row = q->tie_index = UINT32_MAX;
    q->format = -1;
    q->trace = (unsigned)(path[0] - '0');
    q->n_traces = n_traces;
    if (q->trace >= n_traces)
        return 404;
    for (size_t i = 0; i < RLN_COUNT(questions); i++) {
        if (!is_word((struct piece){path + 2, length - 2}, questions[i].word))
            continue;
        q->kind = questions[i].kind;
        if ((questions[i].needed | questions[i].allowed) & ROWS) {
            q->rows = rln__alloc(RLN__MAX_TILE_ROWS, sizeof(*q->rows));
            if (!q->rows)
                return 500;
        }
        return read_arguments(query, i, q) ? 200 : 400;
    }
    return 404;
}

int rln__question_parse(const char *text, unsigned n_traces, struct rln__question *out)
{
    int status;

    memset(out, 0, sizeof(*out));
    status = parse(text, n_traces, out);
    if (status != 200)
        rln__question_clear(out);
    return status;
}

void rln__question_clear(struct rln__question *q)
{
    rln__free(q->rows);
    q->rows = NULL;
    q->n_rows = 0;
}
