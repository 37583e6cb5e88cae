/* SPDX-License-Identifier: Apache-2.0 */
/* test_renaming.c - renaming rules replace texts like sed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "base/renaming.h"

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

static void what_is_no_rule_is_refused(void **state)
{
    static const char *const wrong[] = {
        "",         "a",          "s",         "s/",       "s/a",
        "s/a/b",    "s//b/",      "s/a/b/x",   "s/a/b/g ", "s/(/b/",
        "s/a/\\1/", "s/(a)/\\2/", "s\\a\\b\\", "number",
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
        cmocka_unit_test(what_is_no_rule_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
