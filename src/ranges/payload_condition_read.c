/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/payload_condition_read.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "base/size_unit.h"
#include "trace/payload/numbers.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TESTS 64

struct parser {
    struct rln__payload_tests *tests;
    const char *whole; /* as it was given, for messages */
    char *at;          /* in the copy that is split in place */
    int is_done;
    rln_error *err;
};

static rln_status refuse(const struct parser *p, const char *word, const char *why)
{
    return rln__fail(p->err, RLN_ERR_ARGUMENT, 0,
                     "cannot filter: payload=\"%.200s\": \"%.100s\" %s", p->whole, word,
                     why);
}

/* --- Words ------------------------------------------------------------------------ */

static char *behind_blanks(char *at)
{
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

/* Ends a word at `end`, which may point past blanks after it. */
static void end_word(const char *begin, char *end)
{
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    *end = 0;
}

/* The first of `stops` without a backslash before it, or the end. */
static char *find_stop(char *at, const char *stops)
{
    while (*at && !strchr(stops, *at))
        at += at[0] == '\\' && at[1] ? 2 : 1;
    return at;
}

static void unescape(char *word)
{
    char *to = word;

    for (const char *from = word; *from; from++) {
        if (*from == '\\' && from[1])
            from++;
        *to++ = *from;
    }
    *to = 0;
}

/* The comma after a value, or the end. Commas in a regular expression do not count. */
static char *find_end(char *value)
{
    if (*value == '/') {
        for (char *at = find_stop(value + 1, "/"); *at; at = find_stop(at + 1, "/")) {
            char *end = behind_blanks(at + 1);

            if (*end == ',' || !*end)
                return end;
        }
    }
    return find_stop(value, ",");
}

/* --- Numbers ---------------------------------------------------------------------- */

static int read_whole(const char *digits, int is_negative,
                      struct rln__payload_number *out)
{
    const int is_hex = digits[0] == '0' && (digits[1] | 0x20) == 'x';
    int shift;
    char *end;

    errno = 0;
    out->bits = strtoull(digits, &end, is_hex ? 16 : 10);
    if (end == digits || errno || *rln__size_unit_read(end, &shift) ||
        out->bits > UINT64_MAX >> shift)
        return 0;
    out->bits <<= shift;
    out->type = RLN_PAYLOAD_U64;
    if (!is_negative)
        return 1;
    out->type = RLN_PAYLOAD_I64;
    if (out->bits > UINT64_C(1) << 63)
        return 0;
    out->bits = -out->bits;
    return 1;
}

/* "7", "-1.5e3", "0xff", "64MiB"; no "inf" or "nan". */
static int read_number(const char *word, struct rln__payload_number *out)
{
    const int is_negative = *word == '-';
    const char *digits = word + (is_negative || *word == '+');
    double number;
    int shift;
    char *end;

    if (!*digits || !strchr(".0123456789", *digits))
        return 0;
    if (read_whole(digits, is_negative, out))
        return 1;
    number = strtod(digits, &end);
    if (end == digits || *rln__size_unit_read(end, &shift))
        return 0;
    number = ldexp(is_negative ? -number : number, shift);
    *out = (struct rln__payload_number){rln__number_bits(number), RLN_PAYLOAD_DOUBLE};
    return 1;
}

/* "1000..2000", or one number. */
static int read_span(char *word, struct rln__payload_number *from,
                     struct rln__payload_number *to)
{
    char *dots = strstr(word, "..");
    int is_span;

    if (!dots) {
        is_span = read_number(word, from);
        *to = *from;
        return is_span;
    }
    *dots = 0;
    is_span = read_number(word, from) && read_number(dots + 2, to);
    *dots = '.';
    return is_span;
}

/* --- Tests ------------------------------------------------------------------------ */

/* Moves past the operator; 0 if there is none. */
static int read_op(char **at, enum rln__payload_op *op)
{
    static const struct {
        const char *text; /* the longer ones first */
        enum rln__payload_op op;
    } ops[] = {
        {"==", RLN__OP_EQUAL},    {"!=", RLN__OP_NOT_EQUAL}, {"<=", RLN__OP_AT_MOST},
        {">=", RLN__OP_AT_LEAST}, {"=", RLN__OP_EQUAL},      {"<", RLN__OP_LESS},
        {">", RLN__OP_MORE},
    };

    for (size_t i = 0; i < RLN_COUNT(ops); i++) {
        const size_t length = strlen(ops[i].text);

        if (strncmp(*at, ops[i].text, length) == 0) {
            *op = ops[i].op;
            *at += length;
            return 1;
        }
    }
    return 0;
}

static rln_status read_value(const struct parser *p, struct rln__payload_test *test,
                             char *value)
{
    const int is_order = test->op > RLN__OP_NOT_EQUAL;

    test->has_number = is_order ? read_number(value, &test->from)
                                : read_span(value, &test->from, &test->to);
    if (!*value)
        return refuse(p, "", "is not a value");
    if (test->has_number && !is_order &&
        rln__number_order(test->from.type, test->from.bits, test->to.type,
                          test->to.bits) > 0)
        return refuse(p, value, "ends before it begins");
    if (is_order || !*test->field)
        return test->has_number ? RLN_OK : refuse(p, value, "is not a number");
    return rln__pattern_init(&test->pattern, value, p->err);
}

/* Reads one test, up to the comma after it. */
static rln_status read_test(struct parser *p, struct rln__payload_test *test)
{
    char *field = behind_blanks(p->at);
    char *value = find_stop(field, "<>=!,");
    char *op = value;
    char *end;

    memset(test, 0, sizeof(*test));
    test->field = "";
    if (read_op(&value, &test->op)) {
        test->field = field;
        value = behind_blanks(value);
    } else if (*op && *op != ',') {
        return refuse(p, op, "is not a comparison");
    } else {
        value = field;
    }
    end = find_end(value);
    p->is_done = !*end;
    p->at = end + !p->is_done;
    *end = 0;
    end_word(value, end);
    end_word(field, op);
    if (value == field && !read_span(value, &test->from, &test->to))
        return refuse(p, value, "is not a test");
    if (value != field)
        unescape(field);
    return read_value(p, test, value);
}

static rln_status read_choice(struct parser *p, uint64_t *must_hold)
{
    struct rln__payload_tests *t = p->tests;

    while (!p->is_done) {
        struct rln__payload_test *items =
            rln__grow(t->items, &t->capacity, t->n + 1, sizeof(*items));
        rln_status status;

        if (!items)
            return rln__fail_nomem(p->err);
        t->items = items;
        if (t->n == MOST_TESTS)
            return refuse(p, p->at, "exceeds 64 tests");
        status = read_test(p, &items[t->n]);
        if (status)
            return status;
        *must_hold |= UINT64_C(1) << t->n++;
    }
    return RLN_OK;
}

/* Drops the last choice, and the tests from `n` on. */
static void drop_choice(struct rln__payload_tests *t, size_t n)
{
    while (t->n > n)
        rln__pattern_clear(&t->items[--t->n].pattern);
    t->n_choices--;
    rln__free(t->choices[t->n_choices].text);
    rln__free(t->choices[t->n_choices].given);
}

rln_status rln__payload_tests_add(struct rln__payload_tests *t, const char *text,
                                  rln_error *err)
{
    struct rln__payload_choice *choice =
        rln__append(&t->choices, &t->n_choices, &t->choices_capacity, sizeof(*choice));
    const size_t length = strlen(text) + 1;
    struct parser p = {t, text, NULL, 0, err};
    const size_t n_before = t->n;
    rln_status status;

    if (!choice)
        return rln__fail_nomem(err);
    *choice =
        (struct rln__payload_choice){rln__alloc(length, 1), rln__alloc(length, 1), 0};
    if (!choice->text || !choice->given) {
        drop_choice(t, n_before);
        return rln__fail_nomem(err);
    }
    memcpy(choice->given, text, length);
    p.at = memcpy(choice->text, text, length);
    status = read_choice(&p, &choice->must_hold);
    if (status)
        drop_choice(t, n_before);
    return status;
}

void rln__payload_tests_clear(struct rln__payload_tests *t)
{
    for (size_t i = 0; i < t->n; i++)
        rln__pattern_clear(&t->items[i].pattern);
    for (size_t i = 0; i < t->n_choices; i++) {
        rln__free(t->choices[i].text);
        rln__free(t->choices[i].given);
    }
    rln__free(t->items);
    rln__free(t->choices);
    memset(t, 0, sizeof(*t));
}
