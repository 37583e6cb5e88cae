/* SPDX-License-Identifier: Apache-2.0 */
/* test_given_twice.c - what is given twice is found. */
#include "base/alloc.h"
#include "base/count.h"
#include "model/given_twice.h"
#include "model/load.h"
#include "model/split_id.h"
#include "temp_trace.h"

static rln_reader *open_parts(const uint64_t *ids, size_t n)
{
    struct tb tb = {0};
    rln_reader *reader;

    for (size_t i = 0; i < n; i++)
        (void)tb_part(&tb, ids[i]);
    assert_int_equal(open_bytes(tb.bytes, tb.size, &reader, NULL), RLN_OK);
    assert_int_equal(reader->layout.n_parts, n);
    tb_clear(&tb);
    return reader;
}

static void a_trace_that_is_there_twice_is_found_among_many_parts(void **state)
{
    struct rln__given_twice twice;
    uint64_t ids[100];
    rln_status status = RLN_ERR_NOMEM;
    rln_reader *reader;
    rln_error err = {0};

    (void)state;
    for (size_t i = 0; i < RLN_COUNT(ids); i++)
        ids[i] = i + 1;
    reader = open_parts(ids, RLN_COUNT(ids));
    for (size_t nth = 1; status == RLN_ERR_NOMEM; nth++) {
        rln__alloc_fail_from(nth);
        status = rln__find_given_twice(reader, &twice, &err);
        rln__alloc_fail_from(0);
    }
    assert_string_equal(err.message, "out of memory");
    assert_int_equal(status, RLN_END);
    rln_reader_close(reader);

    ids[90] = ids[7];
    reader = open_parts(ids, RLN_COUNT(ids));
    assert_int_equal(rln__find_given_twice(reader, &twice, NULL), RLN_OK);
    assert_string_equal(twice.path, reader->files[0]->path);
    assert_string_equal(twice.of, twice.path);
    assert_string_equal(twice.what, "the same trace as");
    rln_reader_close(reader);
}

/* Two windows each; the third part is the second window of the second. */
static void a_window_beside_its_trace_is_found_wherever_it_stands(void **state)
{
    for (int is_first = 0; is_first < 2; is_first++) {
        const uint64_t window = rln__split_id(2, 1);
        const uint64_t ids[] = {is_first ? window : 1, 2, is_first ? 1 : window};
        struct rln__given_twice twice;
        struct tb tb = {0};
        rln_reader *reader;

        (void)state;
        for (size_t i = 0; i < RLN_COUNT(ids); i++) {
            (void)tb_part(&tb, ids[i]);
            if (ids[i] != window) {
                tb_window(&tb, 0, 0, 100, RLN__WINDOW_BY_COMMAND);
                tb_window(&tb, 200, RLN__WINDOW_BY_COMMAND, 300, RLN__WINDOW_BY_RUN);
            }
        }
        assert_int_equal(open_bytes(tb.bytes, tb.size, &reader, NULL), RLN_OK);
        assert_int_equal(rln__find_given_twice(reader, &twice, NULL), RLN_OK);
        assert_string_equal(twice.what, "a window of");
        rln_reader_close(reader);
        tb_clear(&tb);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_that_is_there_twice_is_found_among_many_parts),
        cmocka_unit_test(a_window_beside_its_trace_is_found_wherever_it_stands),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
