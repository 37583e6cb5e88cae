/* SPDX-License-Identifier: Apache-2.0 */
/* test_trace_path.c - patterns in the name of a trace are expanded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "format/trace_path.h"

static const char *variable(const char *name)
{
    return strcmp(name, "RANK") == 0 ? "3" : strcmp(name, "EMPTY") == 0 ? "" : NULL;
}

static void expands_patterns_and_points_at_what_makes_no_sense(void **state)
{
    static const struct {
        const char *pattern;
        const char *expanded;
        enum rln__path_fault fault;
        const char *at; /* from the fault on */
    } cases[] = {
        {"run", "run", RLN__PATH_OK, ""},
        {"a-%p/%q{RANK}.rln", "a-42/3.rln", RLN__PATH_OK, ""},
        {"%%%%p%%", "%%p%", RLN__PATH_OK, ""},
        {"%q{EMPTY}", "", RLN__PATH_OK, ""},
        {"50%", "50%", RLN__PATH_NO_SUCH_LETTER, "%"},
        {"a%z%p", "a%z42", RLN__PATH_NO_SUCH_LETTER, "%z%p"},
        {"%qRANK", "%qRANK", RLN__PATH_NO_VARIABLE, "%qRANK"},
        {"%p%q{RANK", "42%q{RANK", RLN__PATH_NO_VARIABLE, "%q{RANK"},
        {"x%q{NONE}y", "xy", RLN__PATH_UNSET_VARIABLE, "%q{NONE}y"},
        {"%q{}", "", RLN__PATH_UNSET_VARIABLE, "%q{}"},
        {"%q{NONE}%z", "%z", RLN__PATH_UNSET_VARIABLE, "%q{NONE}%z"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct rln__path_pattern pattern = {cases[i].pattern, 42, variable};
        char text[64] = "what was here before";
        struct rln__path path = {text, 0, sizeof(text), 1};
        const char *at = NULL;

        assert_int_equal(rln__path_expand(&path, &pattern, &at), cases[i].fault);
        assert_string_equal(text, cases[i].expanded);
        assert_string_equal(at, cases[i].at);
        assert_true(path.is_whole);
    }
}

static void knows_the_host(void **state)
{
    const struct rln__path_pattern pattern = {"%h", 42, variable};
    char text[256];
    char host[256] = "";
    struct rln__path path = {text, 0, sizeof(text), 1};
    const char *at;

    (void)state;
    (void)gethostname(host, sizeof(host) - 1);
    assert_int_equal(rln__path_expand(&path, &pattern, &at), RLN__PATH_OK);
    assert_string_equal(text, host);
}

static void says_that_a_path_did_not_fit(void **state)
{
    char text[4];
    struct rln__path path = {text, 0, sizeof(text), 1};

    (void)state;
    rln__path_add(&path, "abc");
    assert_true(path.is_whole);
    rln__path_char(&path, 'd');
    assert_false(path.is_whole);
    assert_string_equal(text, "abc");
}

static void finds_where_the_suffix_begins(void **state)
{
    (void)state;
    assert_int_equal(rln__path_stem("run.rln"), 3);
    assert_int_equal(rln__path_stem("run.rl"), 6);
    assert_int_equal(rln__path_stem(".rln"), 0);
    assert_int_equal(rln__path_stem(""), 0);
}

static void writes_numbers(void **state)
{
    char text[24];

    (void)state;
    assert_int_equal(rln__path_decimal(text, 0), 1);
    assert_string_equal(text, "0");
    assert_int_equal(rln__path_decimal(text, UINT64_MAX), 20);
    assert_string_equal(text, "18446744073709551615");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expands_patterns_and_points_at_what_makes_no_sense),
        cmocka_unit_test(knows_the_host),
        cmocka_unit_test(says_that_a_path_did_not_fit),
        cmocka_unit_test(finds_where_the_suffix_begins),
        cmocka_unit_test(writes_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
