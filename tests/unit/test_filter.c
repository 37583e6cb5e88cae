/* SPDX-License-Identifier: Apache-2.0 */
/* test_filter.c - patterns of names, and times as people write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/fail.h"
#include "base/time_span.h"
#include "model/filter.h"

static void patterns_match_all_of_a_text(void **state)
{
    static const struct {
        const char *pattern, *text;
        int matches;
    } cases[] = {
        {"", "", 1},       {"", "a", 0},          {"a", "a", 1},
        {"a", "ab", 0},    {"*", "", 1},          {"*", "abc", 1},
        {"a*", "a", 1},    {"a*", "abc", 1},      {"*c", "abc", 1},
        {"*c", "abcd", 0}, {"a*b*c", "aXbYc", 1}, {"a*b*c", "aXcYb", 0},
        {"a?c", "abc", 1}, {"a?c", "ac", 0},      {"?", "", 0},
        {"\\*", "*", 1},   {"\\*", "a", 0},       {"a\\?", "a?", 1},
        {"\\", "\\", 1},   {"*aab", "aaaab", 1},  {"**", "x", 1},
    };

    (void)state;
    for (size_t i = 0; i < RLN_COUNT(cases); i++) {
        const rln_text text = {cases[i].text, strlen(cases[i].text)};

        if (rln__matches(cases[i].pattern, text) != cases[i].matches)
            fail_msg("pattern \"%s\", text \"%s\"", cases[i].pattern, cases[i].text);
    }
    assert_int_equal(rln__matches("a*", (rln_text){"a\0b", 3}), 1);
}

static void times_have_units_and_may_lack_a_bound(void **state)
{
    static const int64_t never = INT64_MIN / 2, ever = INT64_MAX / 2;
    const struct {
        const char *text;
        int64_t start_ns, end_ns;
        const char *rest;
    } cases[] = {
        {"1/2", 1, 2, ""},
        {"1s2ms3us4ns/", 1002003004, ever, ""},
        {"/1.5ms", never, 1500000, ""},
        {"1e3us/2min", 1000000, 120000000000, ""},
        {"-5ms/1h", -5000000, 3600000000000, ""},
        {"1sec/2sec:,3/", 1000000000, 2000000000, ":,3/"},
        {"5/1", 5, 5, ""},
    };
    static const char *const wrong[] = {"",      "/",     "5",      "x/1", "1/x",
                                        "0x1/2", "nan/1", "1e300/", "1//2"};
    int64_t start_ns, end_ns;

    (void)state;
    for (size_t i = 0; i < RLN_COUNT(cases); i++) {
        const char *rest = rln__time_span_read(cases[i].text, &start_ns, &end_ns);

        if (!rest)
            fail_msg("%s", cases[i].text);
        assert_string_equal(rest, cases[i].rest);
        assert_true(start_ns == cases[i].start_ns);
        assert_true(end_ns == cases[i].end_ns);
    }
    for (size_t i = 0; i < RLN_COUNT(wrong); i++) {
        const char *rest = rln__time_span_read(wrong[i], &start_ns, &end_ns);

        if (rest && !*rest)
            fail_msg("%s is taken for a time", wrong[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_match_all_of_a_text),
        cmocka_unit_test(times_have_units_and_may_lack_a_bound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
