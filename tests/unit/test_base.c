/* SPDX-License-Identifier: Apache-2.0 */
/* test_base.c - the map against a plain array, and text made fit to print. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/hash.h"
#include "base/utf8.h"

static void a_map_keeps_what_is_put_and_forgets_what_is_removed(void **state)
{
    uint64_t values[512] = {0};
    struct rln__map map = {0};
    uint64_t random = 1;
    size_t n = 0;

    (void)state;
    for (int i = 0; i < 200000; i++) {
        uint64_t key;

        random = random * 6364136223846793005u + 1442695040888963407u;
        key = random >> 33 & 511;
        n -= values[key] != 0;
        if (random >> 62) {
            values[key] = (random >> 40) + 1;
            assert_int_equal(rln__map_put(&map, key, values[key]), 0);
            n++;
        } else {
            assert_int_equal(rln__map_remove(&map, key), values[key]);
            values[key] = 0;
        }
        assert_int_equal(map.n, n);
    }
    for (uint64_t key = 0; key < 512; key++)
        assert_int_equal(rln__map_get(&map, key), values[key]);
    rln__map_clear(&map);
}

static void text_that_is_not_utf8_survives_json(void **state)
{
    static const struct {
        const char *text;
        size_t length;
        const char *json;
    } cases[] = {
        {"", 0, "\"\""},
        {"a\"b\\c\n\t\x01", 8, "\"a\\\"b\\\\c\\n\\t\\u0001\""},
        {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 9,
         "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""},
        {"\xff\xc3", 2, "\"\\udcff\\udcc3\""},
        {"\xc0\xaf\xed\xa0\x80", 5, "\"\\udcc0\\udcaf\\udced\\udca0\\udc80\""},
        {"\xf4\x90\x80\x80", 4, "\"\\udcf4\\udc90\\udc80\\udc80\""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct rln__buf buf = {0};

        rln__buf_json(&buf, cases[i].text, cases[i].length);
        assert_int_equal(buf.length, strlen(cases[i].json));
        assert_memory_equal(buf.bytes, cases[i].json, buf.length);
        rln__buf_clear(&buf);
    }
}

static void a_terminal_is_sent_no_control_characters(void **state)
{
    struct rln__buf buf = {0};

    (void)state;
    assert_int_equal(rln__buf_printable(&buf, "a\033[2J\xc2\x9b\xff\xc3\xa9", 10), 21);
    assert_memory_equal(buf.bytes, "a\\x1b[2J\\xc2\\x9b\\xff\xc3\xa9", buf.length);
    rln__buf_clear(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_keeps_what_is_put_and_forgets_what_is_removed),
        cmocka_unit_test(text_that_is_not_utf8_survives_json),
        cmocka_unit_test(a_terminal_is_sent_no_control_characters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
