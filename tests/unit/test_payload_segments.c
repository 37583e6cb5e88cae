/* SPDX-License-Identifier: Apache-2.0 */
/* test_payload_segments.c - where the payloads of an event with a long record begin,
 * and which bytes each has; records that are too short have none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "format/payload_segments.h"

static void payloads_begin_after_the_value_and_the_text(void **state)
{
    uint64_t words[16] = {0};

    (void)state;
    assert_int_equal(rln__payloads_begin(words, 3), 3);
    words[2] = RLN__EVENT_HAS_VALUE << 8;
    assert_int_equal(rln__payloads_begin(words, 16), 4);
    words[2] = RLN__EVENT_IN_LINE << 8;
    words[5] = 9; /* bytes of text */
    assert_int_equal(rln__payloads_begin(words, 16), 3 + 3 + 2);
    words[2] = (RLN__EVENT_HAS_VALUE | RLN__EVENT_IN_LINE) << 8;
    words[6] = 8;
    assert_int_equal(rln__payloads_begin(words, 16), 4 + 3 + 1);
}

static void a_record_that_is_too_short_has_no_payloads(void **state)
{
    uint64_t words[16] = {0};

    (void)state;
    assert_int_equal(rln__payloads_begin(words, 2), 0);
    words[2] = RLN__EVENT_HAS_VALUE << 8;
    assert_int_equal(rln__payloads_begin(words, 3), 0);
    words[2] = RLN__EVENT_IN_LINE << 8;
    assert_int_equal(rln__payloads_begin(words, 5), 0);
    words[5] = UINT32_MAX; /* bytes of text */
    assert_int_equal(rln__payloads_begin(words, 16), 0);
}

static void each_segment_has_its_bytes(void **state)
{
    const struct rln__segment heads[] = {
        {.schema = 7, .address = 100, .n_kept = 3, .n_given = 5},
        {.schema = 8, .address = 200, .n_kept = 0, .n_given = 0},
    };
    uint64_t words[2 * RLN__SEGMENT_WORDS + 1] = {0};
    const size_t n = sizeof(words) / sizeof(words[0]);
    struct rln__payload_segments s = {0};

    (void)state;
    memcpy(words, &heads[0], sizeof(heads[0]));
    memcpy(words + RLN__SEGMENT_WORDS + 1, &heads[1], sizeof(heads[1]));
    assert_int_equal(rln__payload_segments_read(&s, words, n, 2), 0);
    assert_int_equal(s.n, 2);
    assert_int_equal(s.items[0].schema, 7);
    assert_int_equal(s.items[0].address, 100);
    assert_ptr_equal(s.items[0].bytes, words + RLN__SEGMENT_WORDS);
    assert_int_equal(s.items[1].schema, 8);
    /* One is missing, or does not fit. */
    assert_int_equal(rln__payload_segments_read(&s, words, n, 3), 1);
    assert_int_equal(rln__payload_segments_read(&s, words, n - 1, 2), 1);
    assert_int_equal(rln__payload_segments_read(&s, words, RLN__SEGMENT_WORDS, 1), 1);
    rln__payload_segments_clear(&s);
    rln__alloc_fail_from(1);
    assert_int_equal(rln__payload_segments_read(&s, words, n, 2), -1);
    rln__alloc_fail_from(0);
    rln__payload_segments_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(payloads_begin_after_the_value_and_the_text),
        cmocka_unit_test(a_record_that_is_too_short_has_no_payloads),
        cmocka_unit_test(each_segment_has_its_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
