/* SPDX-License-Identifier: Apache-2.0 */
/* test_feed.c - the items of a chunk come in the order of time, also if handlers have
 * reserved slots out of order. */
#include "base/count.h"
#include "ranges/events.h"
#include "temp_trace.h"
#include "trace/open/load.h"

#define N_BLOCKS 150

/* Handlers interrupt the third and the fifth mark of each block: times by place. */
static const uint64_t block[] = {0, 1, 9, 3, 7, 5, 6, 8, 10, 11};

static void sc_blocks(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 77);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    for (uint64_t i = 0; i < N_BLOCKS; i++)
        for (size_t k = 0; k < RLN_COUNT(block); k++)
            (void)tb_event(&c, RLN__MARK, 1, i * 1000 + block[k] * 10);
}

static void held_items_come_between_those_that_wait_for_nothing(void **state)
{
    static const int64_t sorted[] = {0, 10, 30, 50, 60, 70, 80, 90, 100, 110};
    rln_reader *reader = open_scenario(sc_blocks);
    const rln_event *event;
    rln_events *events;

    (void)state;
    assert_int_equal(rln__events_open_all(reader, &events, NULL), RLN_OK);
    for (int64_t i = 0; i < N_BLOCKS; i++) {
        for (size_t k = 0; k < RLN_COUNT(sorted); k++) {
            assert_int_equal(rln_events_next(events, &event, NULL), RLN_OK);
            assert_int_equal(event->type, RLN_EVENT_MARK);
            assert_int_equal(event->t_ns, i * 1000 + sorted[k]);
        }
    }
    assert_int_equal(rln_events_next(events, &event, NULL), RLN_END);
    assert_null(event);
    assert_int_equal(rln_events_next(events, &event, NULL), RLN_END);
    rln_events_close(events);
    rln_reader_close(reader);
}

/* More than a thread can nest, which only happens in damaged traces. */
static void sc_descending(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 78);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    for (uint64_t i = 0; i < 200; i++)
        (void)tb_event(&c, RLN__MARK, 1, 100000 - i * 10);
}

static void items_that_only_go_back_in_time_are_returned(void **state)
{
    rln_reader *reader = open_scenario(sc_descending);
    const rln_event *event;
    rln_events *events;
    size_t n = 0;

    (void)state;
    assert_int_equal(rln__events_open_all(reader, &events, NULL), RLN_OK);
    while (rln_events_next(events, &event, NULL) == RLN_OK)
        n++;
    assert_int_equal(n, 200);
    rln_events_close(events);
    rln_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(held_items_come_between_those_that_wait_for_nothing),
        cmocka_unit_test(items_that_only_go_back_in_time_are_returned),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
