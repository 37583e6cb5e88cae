/* SPDX-License-Identifier: Apache-2.0 */
/* test_payload_condition.c - conditions match the right payloads, and invalid ones are
 * refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/fail.h"
#include "ranges/payload_condition.h"
#include "ranges/payload_condition_read.h"
#include "trace/payload/numbers.h"

static struct rln__payload_tests read_tests(const char *text)
{
    struct rln__payload_tests tests = {0};
    rln_error err = {0};

    if (rln__payload_tests_add(&tests, text, &err))
        fail_msg("%s", err.message);
    return tests;
}

/* --- Plain payloads --------------------------------------------------------------- */

static int wants_number(const char *text, uint8_t type, uint64_t bits)
{
    struct rln__payload_tests tests = read_tests(text);
    const int is_wanted =
        rln__payload_matches(&tests, rln__payload_held(&tests, type, bits));

    rln__payload_tests_clear(&tests);
    return is_wanted;
}

static void numbers_are_compared_as_what_they_are(void **state)
{
    static const struct {
        const char *text;
        uint8_t type;
        int64_t number;
        int is_wanted;
    } cases[] = {
        {">= 1000", RLN_PAYLOAD_I64, 1000, 1},
        {">= 1000", RLN_PAYLOAD_I64, 999, 0},
        {">1000", RLN_PAYLOAD_U32, 1000, 0},
        {"<1000", RLN_PAYLOAD_U64, 999, 1},
        {"<= 1000", RLN_PAYLOAD_I32, 1000, 1},
        {"=7", RLN_PAYLOAD_I64, 7, 1},
        {"== 7", RLN_PAYLOAD_I64, 8, 0},
        {"7", RLN_PAYLOAD_I64, 7, 1},
        {"!= 7", RLN_PAYLOAD_I64, 7, 0},
        {"!=7", RLN_PAYLOAD_I64, 8, 1},
        {"1000..2000", RLN_PAYLOAD_I64, 1000, 1},
        {"1000..2000", RLN_PAYLOAD_I64, 2000, 1},
        {" 1000..2000 ", RLN_PAYLOAD_I64, 2001, 0},
        {"=-5..-3", RLN_PAYLOAD_I32, -4, 1},
        {"!= 1..3", RLN_PAYLOAD_I64, 2, 0},
        {"!= 1..3", RLN_PAYLOAD_I64, 4, 1},
        {">=1M", RLN_PAYLOAD_U64, 1 << 20, 1},
        {"<1MiB", RLN_PAYLOAD_U64, 1 << 20, 0},
        {"=1.5k", RLN_PAYLOAD_U64, 1536, 1},
        {"=0x10", RLN_PAYLOAD_U64, 16, 1},
        {"=1e3", RLN_PAYLOAD_U64, 1000, 1},
        {">1, <4", RLN_PAYLOAD_I64, 3, 1},
        {">1,<4", RLN_PAYLOAD_I64, 4, 0},
        /* Signs, and more digits than a double holds. */
        {"> 5", RLN_PAYLOAD_I64, -1, 0},
        {"> -2", RLN_PAYLOAD_U64, 3, 1},
        {"> 5", RLN_PAYLOAD_U64, -1, 1},
        {"= 9007199254740993", RLN_PAYLOAD_I64, 9007199254740992, 0},
        {"= 9007199254740993", RLN_PAYLOAD_I64, 9007199254740993, 1},
        {"= 18446744073709551615", RLN_PAYLOAD_U64, -1, 1},
        {"= 18446744073709551615", RLN_PAYLOAD_I64, -1, 0},
        {"< 1e30", RLN_PAYLOAD_U64, -1, 1},
        {"= 16777216T", RLN_PAYLOAD_U64, 0, 0},
        /* An event without a payload is not unequal. */
        {"!= 7", RLN_PAYLOAD_NONE, 8, 0},
    };

    (void)state;
    for (size_t i = 0; i < RLN_COUNT(cases); i++) {
        if (wants_number(cases[i].text, cases[i].type, (uint64_t)cases[i].number) !=
            cases[i].is_wanted)
            fail_msg("%s: %lld", cases[i].text, (long long)cases[i].number);
    }
}

static void floats_are_compared_as_printed(void **state)
{
    const float tenth = 0.1f;
    uint32_t bits;

    (void)state;
    memcpy(&bits, &tenth, sizeof(bits));
    assert_true(wants_number("= 0.1", RLN_PAYLOAD_FLOAT, bits));
    assert_true(wants_number("<= 0.1", RLN_PAYLOAD_FLOAT, bits));
    assert_false(wants_number("> 0.1", RLN_PAYLOAD_FLOAT, bits));
    assert_true(wants_number("= .1", RLN_PAYLOAD_DOUBLE, rln__number_bits(0.1)));
    assert_false(wants_number("= 0.1", RLN_PAYLOAD_DOUBLE, rln__number_bits(0.2)));
    assert_true(wants_number("!= 1", RLN_PAYLOAD_DOUBLE, rln__number_bits(NAN)));
    assert_false(wants_number(">= 1", RLN_PAYLOAD_DOUBLE, rln__number_bits(NAN)));
    assert_false(wants_number("0..1", RLN_PAYLOAD_DOUBLE, rln__number_bits(NAN)));
}

/* --- Fields ----------------------------------------------------------------------- */

#define TEXT(text)                                                                     \
    {                                                                                  \
        (text), sizeof(text) - 1                                                       \
    }

/* copy {bytes 4096, op Sum, flags A|C, status -1, peer {name "gpu0", 1: 7},
 *       sizes [10, 20], of [{n 1}, {n 2}], rate 0.5f} */
static const rln_field fields[] = {
    {.kind = RLN_FIELD_STRUCT, .n_children = 8},
    {.kind = RLN_FIELD_UINT, .name = TEXT("bytes"), .bits = 4096},
    {.kind = RLN_FIELD_ENUM, .name = TEXT("op"), .bits = 2, .text = TEXT("Sum")},
    {.kind = RLN_FIELD_ENUM, .name = TEXT("flags"), .bits = 5, .text = TEXT("A|C")},
    {.kind = RLN_FIELD_INT, .name = TEXT("status"), .bits = UINT64_MAX},
    {.kind = RLN_FIELD_STRUCT, .name = TEXT("peer"), .n_children = 2},
    {.kind = RLN_FIELD_TEXT, .name = TEXT("name"), .text = TEXT("gpu0")},
    {.kind = RLN_FIELD_UINT, .index = 1, .bits = 7},
    {.kind = RLN_FIELD_ARRAY, .name = TEXT("sizes"), .n_children = 2},
    {.kind = RLN_FIELD_UINT, .bits = 10},
    {.kind = RLN_FIELD_UINT, .index = 1, .bits = 20},
    {.kind = RLN_FIELD_ARRAY, .name = TEXT("of"), .n_children = 2},
    {.kind = RLN_FIELD_STRUCT, .n_children = 1},
    {.kind = RLN_FIELD_UINT, .name = TEXT("n"), .bits = 1},
    {.kind = RLN_FIELD_STRUCT, .index = 1, .n_children = 1},
    {.kind = RLN_FIELD_UINT, .name = TEXT("n"), .bits = 2},
    {.kind = RLN_FIELD_FLOAT, .name = TEXT("rate,/s"), .number = 0.5},
};

static const rln_payload copy = {
    .schema_name = TEXT("copy"), .fields = fields, .n_fields = RLN_COUNT(fields)};

static int wants(const char *text, const rln_payload *payload)
{
    struct rln__payload_tests tests = read_tests(text);
    const int is_wanted =
        rln__payload_matches(&tests, rln__payload_held_fields(&tests, payload));

    rln__payload_tests_clear(&tests);
    return is_wanted;
}

static void fields_are_found_by_their_paths(void **state)
{
    static const struct {
        const char *text;
        int is_wanted;
    } cases[] = {
        {"bytes>=4k", 1},
        {"bytes > 4K", 0},
        {"copy.bytes=4096", 1},
        {"move.bytes=4096", 0},
        {"byte=4096", 0},
        {"bytes.x=4096", 0},
        {"Bytes=4096", 0},
        {"op=Sum", 1},
        {"op=S*", 1},
        {"op=/^(Sum|Max)$/", 1},
        {"op = /a,b/, bytes = 1", 0},
        {"op=Max", 0},
        {"op!=Max", 1},
        {"op!=Sum", 0},
        {"op=2", 1},
        {"op!=2", 0},
        {"op<3", 1},
        {"flags=C", 1},
        {"flags=A|C", 1},
        {"flags!=A", 0},
        {"flags=B", 0},
        {"status=-1", 1},
        {"status<0", 1},
        {"peer.name=gpu?", 1},
        {"peer.name!=gpu0", 0},
        {"peer.name>1", 0},
        {"peer.1=7", 1},
        {"peer=7", 0},
        {"sizes=20", 1},
        {"sizes>20", 0},
        {"sizes=11..19", 0},
        {"of.n=2", 1},
        {"of.n=3", 0},
        {"of=2", 0},
        {"rate\\,/s=0.5", 1},
        {"bytes>=1k, op=Sum", 1},
        {"bytes>=1M, op=Sum", 0},
        {"nothing!=1", 0},
        {"= 4096", 0},
    };

    (void)state;
    for (size_t i = 0; i < RLN_COUNT(cases); i++)
        if (wants(cases[i].text, &copy) != cases[i].is_wanted)
            fail_msg("%s", cases[i].text);
}

static void a_payload_that_is_one_value_has_no_name(void **state)
{
    static const rln_field one[] = {{.kind = RLN_FIELD_DOUBLE, .number = 2.5}};
    static const rln_field two[] = {
        {.kind = RLN_FIELD_ARRAY, .n_children = 2},
        {.kind = RLN_FIELD_INT, .bits = 1},
        {.kind = RLN_FIELD_INT, .bits = 2},
    };
    rln_payload payload = {.fields = one, .n_fields = 1};

    (void)state;
    assert_true(wants("2..3", &payload));
    assert_false(wants("3..4", &payload));
    payload.is_hidden = 1;
    assert_false(wants("2..3", &payload));
    payload = (rln_payload){.fields = two, .n_fields = 3};
    assert_true(wants("=2", &payload));
    payload = (rln_payload){.why = "damaged"};
    assert_false(wants("=2", &payload));
}

static void any_of_several_alternatives_matches(void **state)
{
    struct rln__payload_tests tests = read_tests("a=1, b=2");
    uint64_t a, b, c;

    (void)state;
    assert_false(rln__payload_tests_add(&tests, "c=3", NULL));
    a = UINT64_C(1) << 0;
    b = UINT64_C(1) << 1;
    c = UINT64_C(1) << 2;
    assert_false(rln__payload_matches(&tests, 0));
    assert_false(rln__payload_matches(&tests, a));
    assert_true(rln__payload_matches(&tests, a | b));
    assert_true(rln__payload_matches(&tests, c));
    rln__payload_tests_clear(&tests);
    assert_true(rln__payload_matches(&tests, 0)); /* without tests, all pass */
}

/* --- Invalid tests ---------------------------------------------------------------- */

static void what_is_no_test_is_named(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "\"\" is not a test"},
        {" ", "\"\" is not a test"},
        {"bytes", "\"bytes\" is not a test"},
        {"nan", "\"nan\" is not a test"},
        {"0x", "\"0x\" is not a test"},
        {"1..", "\"1..\" is not a test"},
        {"1 .. 2", "\"1 .. 2\" is not a test"},
        {"1k5", "\"1k5\" is not a test"},
        {"=1,", "\"\" is not a test"},
        {"bytes=", "\"\" is not a value"},
        {"> many", "\"many\" is not a number"},
        {"= many", "\"many\" is not a number"},
        {"bytes >= 1..2", "\"1..2\" is not a number"},
        {"bytes ! 5", "\"! 5\" is not a comparison"},
        {"op=a, bytes=3..1", "\"3..1\" ends before it begins"},
    };

    (void)state;
    for (size_t i = 0; i < RLN_COUNT(cases); i++) {
        struct rln__payload_tests tests = {0};
        char expected[200];
        rln_error err = {0};

        assert_int_equal(rln__payload_tests_add(&tests, cases[i].text, &err),
                         RLN_ERR_ARGUMENT);
        (void)snprintf(expected, sizeof(expected), "cannot filter: payload=\"%s\": %s",
                       cases[i].text, cases[i].says);
        assert_string_equal(err.message, expected);
        rln__payload_tests_clear(&tests);
    }
}

static void there_is_room_for_64_tests(void **state)
{
    struct rln__payload_tests tests = {0};
    rln_error err = {0};

    (void)state;
    for (int i = 0; i < 64; i++)
        assert_false(rln__payload_tests_add(&tests, "a=1", &err));
    assert_int_equal(rln__payload_tests_add(&tests, "a=2", &err), RLN_ERR_ARGUMENT);
    assert_string_equal(err.message,
                        "cannot filter: payload=\"a=2\": \"a=2\" exceeds 64 tests");
    rln__payload_tests_clear(&tests);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_compared_as_what_they_are),
        cmocka_unit_test(floats_are_compared_as_printed),
        cmocka_unit_test(fields_are_found_by_their_paths),
        cmocka_unit_test(a_payload_that_is_one_value_has_no_name),
        cmocka_unit_test(any_of_several_alternatives_matches),
        cmocka_unit_test(what_is_no_test_is_named),
        cmocka_unit_test(there_is_room_for_64_tests),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
