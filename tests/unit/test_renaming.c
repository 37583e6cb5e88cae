/* SPDX-License-Identifier: Apache-2.0 */
/* test_renaming.c - renaming rules replace texts like sed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/bounded_regex.h"
#include "base/count.h"
#include "base/renaming.h"
#include "base/utf8.h"

static rln_text text_of(const char *text)
{
    return (rln_text){text, strlen(text)};
}

static void expect_rules(const char *const *rules, const char *name,
                         const char *becomes)
{
    struct rln__renaming renaming = {0};
    rln_text found;

    for (; *rules; rules++)
        assert_int_equal(rln__renaming_add(&renaming, *rules, NULL), RLN_OK);
    found = rln__rename(&renaming, text_of(name));
    if (found.length != strlen(becomes) ||
        memcmp(found.bytes, becomes, found.length) != 0)
        fail_msg("%s became %.*s, not %s", name, (int)found.length, found.bytes,
                 becomes);
    rln__renaming_clear(&renaming);
}

static void expect(const char *rule, const char *name, const char *becomes)
{
    expect_rules((const char *const[]){rule, NULL}, name, becomes);
}

static void numbers_are_folded(void **state)
{
    static const char *const cases[][2] = {
        {"", ""},
        {"step", "step"},
        {"step 12", "step #"},
        {"12", "#"},
        {"conv2d", "conv#d"},
        {"layer.3.weight", "layer.#.weight"},
        {"lr=0.001", "lr=#"},
        {"lr=1e-05", "lr=#"},
        {"2.5e+10x", "#x"},
        {"2e5", "#e#"},
        {"1e-", "#e-"},
        {"3.", "#."},
        {"10.0.0.1", "#.#"},
        {"t=-4", "t=-#"},
        {"0x7f12ab", "#"},
        {"0x7F12AB!", "#!"},
        {"0x", "#x"},
        {"0xg", "#xg"},
        {"a0x12", "a#x#"},
        {"buffer 7ffe1234ab", "buffer #"},
        {"7ffe1234abz", "#ffe#abz"},
        {"deadbeef", "deadbeef"},
        {"deadbee1", "#"},
        {"bf16 fp32", "bf# fp#"},
        {"12345678.5", "#"},
        {"1234567812345678", "#"},
        {"id 123e4567-e89b-12d3-a456-426614174000 end", "id # end"},
        {"abcdefab-e89b-12d3-a456-426614174000", "#"},
        {"123e4567-e89b-12d3-a456-4266141740000", "#-e#b-#d#-a#-#"},
        {"123e4567-e89b", "#-e#b"},
        {"\xc3\xa9"
         "12345abc",
         "\xc3\xa9#abc"},
    };

    (void)state;
    for (size_t i = 0; i < RLN_COUNT(cases); i++)
        expect("numbers", cases[i][0], cases[i][1]);
}

static void rules_do_what_those_of_sed_do(void **state)
{
    static const char *const cases[][3] = {
        {"s/a/b/", "banana", "bbnana"},
        {"s/a/b/g", "banana", "bbnbnb"},
        {"s/A/b/gi", "banana", "bbnbnb"},
        {"s/A/b/ig", "banana", "bbnbnb"},
        {"s/x/b/", "banana", "banana"},
        {"s/.*//", "banana", ""},
        {"s/an/[&]/g", "banana", "b[an][an]a"},
        {"s/an/[\\&]/", "banana", "b[&]ana"},
        {"s/(b)(a)(n)/\\3\\2\\1\\1/", "banana", "nabbana"},
        {"s/(b)|(a)/<\\2>/", "banana", "<>anana"},
        {"s,a/b,c,", "a/b", "c"},
        {"s/a\\/b/c/", "a/b", "c"},
        {"s|a\\|b|c|", "a|b", "c|b"}, /* the bar belongs to the pattern */
        {"s/\\./_/g", "a.b.c", "a_b_c"},
        {"s/^a/b/g", "aaa", "baa"},
        {"s/a$/b/g", "aaa", "aab"},
        {"s/x*/-/g", "abc", "-a-b-c-"},
        {"s/b*/-/g", "abc", "-a-c-"},
        {"s/b*/-/", "abc", "-abc"},
        {"s/[0-9]+$//", "step 12", "step "},
        {"s/a/\\\\/", "a", "\\"},
    };

    (void)state;
    for (size_t i = 0; i < RLN_COUNT(cases); i++)
        expect(cases[i][0], cases[i][1], cases[i][2]);
}

static void a_rule_takes_what_those_before_it_have_made(void **state)
{
    (void)state;
    expect_rules((const char *const[]){"s/a/b/", "s/bb/c/", NULL}, "ab", "c");
    expect_rules((const char *const[]){"s/bb/c/", "s/a/b/", NULL}, "ab", "bb");
    expect_rules((const char *const[]){"s/$/ 7/", "numbers", "s/#/n/g", NULL}, "1",
                 "n n");
    expect_rules((const char *const[]){NULL}, "as it is 1", "as it is 1");
}

static void a_name_may_hold_any_bytes(void **state)
{
    struct rln__renaming renaming = {0};
    const rln_text name = {"a\0b7", 4};
    rln_text found;

    (void)state;
    assert_int_equal(rln__renaming_add(&renaming, "s/b/cc/", NULL), RLN_OK);
    assert_int_equal(rln__renaming_add(&renaming, "numbers", NULL), RLN_OK);
    found = rln__rename(&renaming, name);
    assert_int_equal(found.length, 5);
    assert_memory_equal(found.bytes, "a\0cc#", 5);
    rln__renaming_clear(&renaming);
}

/* Time grows with the square of what is matched. */
static void only_the_begin_of_a_long_name_is_matched(void **state)
{
    enum { LENGTH = 3 * RLN__REGEX_MOST_BYTES };
    static char name[LENGTH + 1]; /* a sanitizer takes what is matched for a string */
    struct rln__renaming each = {0}, last = {0};
    const rln_text all = {name, LENGTH}, begin = {name, RLN__REGEX_MOST_BYTES};
    rln_text found;

    (void)state;
    memset(name, 'a', LENGTH);
    assert_int_equal(rln__renaming_add(&each, "s/a/b/g", NULL), RLN_OK);
    found = rln__rename(&each, all);
    assert_int_equal(found.length, LENGTH);
    for (size_t i = 0; i < LENGTH; i++)
        assert_int_equal(found.bytes[i], i < RLN__REGEX_MOST_BYTES ? 'b' : 'a');
    assert_int_equal(rln__renaming_add(&last, "s/a$/b/", NULL), RLN_OK);
    found = rln__rename(&last, begin);
    assert_int_equal(found.bytes[RLN__REGEX_MOST_BYTES - 1], 'b');
    found = rln__rename(&last, all); /* the cut is not the end of the name */
    assert_memory_equal(found.bytes, name, LENGTH);
    rln__renaming_clear(&each);
    rln__renaming_clear(&last);
}

/* Thirty rules that double a name would make it 2^30 times as long. */
static void names_grow_to_a_limit(void **state)
{
    static const char *const rules[] = {"s/.*/&&/", "s/./&&&&/g", "s/^/\xc3\xa9/"};
    const rln_text name = {"\xc3\xa9x", 3};

    (void)state;
    for (size_t r = 0; r < RLN_COUNT(rules); r++) {
        struct rln__renaming renaming = {0};
        rln_text found;

        for (int i = 0; i < (r < 2 ? 30 : 3000); i++)
            assert_int_equal(rln__renaming_add(&renaming, rules[r], NULL), RLN_OK);
        found = rln__rename(&renaming, name);
        assert_in_range(found.length, RLN__RENAME_MOST_GROWTH,
                        name.length + RLN__RENAME_MOST_GROWTH + 5);
        assert_memory_equal(found.bytes + found.length - 5, "[...]", 5);
        if (r != 1) /* in C's locale, a dot is a byte */
            assert_true(rln__utf8_is_valid(found.bytes, found.length));
        assert_true(renaming.name.capacity <= 4 * RLN__RENAME_MOST_GROWTH);
        assert_true(renaming.next.capacity <= 4 * RLN__RENAME_MOST_GROWTH);
        rln__renaming_clear(&renaming);
    }
}

static void what_is_no_rule_is_refused(void **state)
{
    static const char *const wrong[] = {
        "",         "a",          "s",         "s/",       "s/a",
        "s/a/b",    "s//b/",      "s/a/b/x",   "s/a/b/g ", "s/(/b/",
        "s/a/\\1/", "s/(a)/\\2/", "s\\a\\b\\", "number",   "s/(a)\\1/b/",
    };
    struct rln__renaming renaming = {0};
    rln_error err;

    (void)state;
    for (size_t i = 0; i < RLN_COUNT(wrong); i++) {
        memset(&err, 0, sizeof(err));
        if (rln__renaming_add(&renaming, wrong[i], &err) != RLN_ERR_ARGUMENT)
            fail_msg("%s is taken for a rule", wrong[i]);
        assert_memory_equal(err.message, "cannot rename: rule=", 20);
    }
    assert_int_equal(renaming.n, 0);
    rln__renaming_clear(&renaming);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_folded),
        cmocka_unit_test(rules_do_what_those_of_sed_do),
        cmocka_unit_test(a_rule_takes_what_those_before_it_have_made),
        cmocka_unit_test(a_name_may_hold_any_bytes),
        cmocka_unit_test(only_the_begin_of_a_long_name_is_matched),
        cmocka_unit_test(names_grow_to_a_limit),
        cmocka_unit_test(what_is_no_rule_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
