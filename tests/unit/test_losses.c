/* SPDX-License-Identifier: Apache-2.0 */
/* test_losses.c - readers report losses, and find traces given twice. */
#include "base/alloc.h"
#include "base/count.h"
#include "scenarios.h"
#include "temp_trace.h"
#include "trace/open/load.h"
#include "trace/open/losses.h"
#include "trace/open/split_id.h"

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

static void nothing_is_lost_of_a_whole_trace(void **state)
{
    rln_reader *reader = open_parts((const uint64_t[]){1, 2}, 2);
    const struct rln__losses *losses = rln__reader_get_losses(reader);

    (void)state;
    assert_int_equal(losses->n_dropped, 0);
    assert_int_equal(losses->n_overwritten, 0);
    assert_int_equal(losses->complete_since_ns, INT64_MIN);
    assert_int_equal(losses->n_unlisted, 0);
    assert_int_equal(losses->n_damages, 0);
    assert_null(losses->damage.path);
    rln_reader_close(reader);
}

static void dropped_events_are_added_up(void **state)
{
    struct tb tb = {0};
    rln_reader *reader;

    (void)state;
    tb_part(&tb, 1)->dropped_events = 5;
    tb_part(&tb, 2)->dropped_events = 7;
    assert_int_equal(open_bytes(tb.bytes, tb.size, &reader, NULL), RLN_OK);
    assert_int_equal(rln__reader_get_losses(reader)->n_dropped, 12);
    rln_reader_close(reader);
    tb_clear(&tb);
}

static void windows_beyond_the_list_are_counted(void **state)
{
    struct tb tb = {0};
    rln_reader *reader;

    (void)state;
    tb_part(&tb, 1)->control.gate = (uint64_t)(RLN__MAX_WINDOWS + 3) << 32;
    assert_int_equal(open_bytes(tb.bytes, tb.size, &reader, NULL), RLN_OK);
    assert_int_equal(rln__reader_get_losses(reader)->n_unlisted, 3);
    rln_reader_close(reader);
    tb_clear(&tb);
}

static void a_ring_buffer_has_a_time_since_which_it_is_complete(void **state)
{
    struct tb tb = {0};
    const struct rln__losses *losses;
    rln_reader *reader;

    (void)state;
    ns_newest(&tb, sc_names);
    assert_int_equal(open_bytes(tb.bytes, tb.size, &reader, NULL), RLN_OK);
    losses = rln__reader_get_losses(reader);
    assert_int_equal(losses->n_overwritten, 12);
    assert_int_equal(losses->complete_since_ns,
                     rln__clock_fit_ns(&reader->clock_fits[0], TB_START + 4900));
    rln_reader_close(reader);
    tb_clear(&tb);
}

/* A second part that only newer readers understand. */
static void the_first_damage_is_named(void **state)
{
    struct tb tb = {0};
    const struct rln__losses *losses;
    rln_reader *reader;

    (void)state;
    (void)tb_part(&tb, 1);
    tb_part(&tb, 2)->major = 9;
    assert_int_equal(open_bytes(tb.bytes, tb.size, &reader, NULL), RLN_OK);
    losses = rln__reader_get_losses(reader);
    assert_true(losses->n_damages > 0);
    assert_string_equal(losses->damage.path, rln__reader_path(reader, 0));
    assert_non_null(losses->damage.reason);
    rln_reader_close(reader);
    tb_clear(&tb);
}

static void a_duplicate_is_found_among_many_parts(void **state)
{
    const struct rln__duplicate *twice;
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
        status = rln__reader_find_duplicate(reader, &twice, &err);
        rln__alloc_fail_from(0);
    }
    assert_string_equal(err.message, "out of memory");
    assert_int_equal(status, RLN_END);
    assert_null(twice);
    rln_reader_close(reader);

    ids[90] = ids[7];
    reader = open_parts(ids, RLN_COUNT(ids));
    assert_int_equal(rln__reader_find_duplicate(reader, &twice, NULL), RLN_OK);
    assert_string_equal(twice->path, reader->files[0]->path);
    assert_string_equal(twice->of, twice->path);
    assert_string_equal(twice->what, "the same trace as");
    rln_reader_close(reader);
}

/* Two windows each; the third part is the second trace's second window. */
static void a_window_given_with_its_trace_is_found_in_any_order(void **state)
{
    for (int is_first = 0; is_first < 2; is_first++) {
        const uint64_t window = rln__split_id(2, 1);
        const uint64_t ids[] = {is_first ? window : 1, 2, is_first ? 1 : window};
        const struct rln__duplicate *twice;
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
        assert_int_equal(rln__reader_find_duplicate(reader, &twice, NULL), RLN_OK);
        assert_string_equal(twice->what, "a window of");
        rln_reader_close(reader);
        tb_clear(&tb);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost_of_a_whole_trace),
        cmocka_unit_test(dropped_events_are_added_up),
        cmocka_unit_test(windows_beyond_the_list_are_counted),
        cmocka_unit_test(a_ring_buffer_has_a_time_since_which_it_is_complete),
        cmocka_unit_test(the_first_damage_is_named),
        cmocka_unit_test(a_duplicate_is_found_among_many_parts),
        cmocka_unit_test(a_window_given_with_its_trace_is_found_in_any_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
