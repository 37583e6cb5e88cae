/* SPDX-License-Identifier: Apache-2.0 */
/* test_align.c - alignment makes the clocks of two machines agree. */
#include <math.h>

#include "format/nvtx_time.h"
#include "ranges/align.h"
#include "ranges/events.h"
#include "reports/check/info.h"
#include "temp_trace.h"
#include "trace/open/load.h"

static void build_many(struct tb *tb)
{
    sc_two_machines(tb, 40, 50e-6);
}

/* The time of the only mark. */
static int64_t time_of_mark(rln_reader *reader)
{
    const rln_event *event;
    rln_events *events;
    int64_t t_ns = -1;

    assert_int_equal(rln__events_open_all(reader, &events, NULL), RLN_OK);
    while (rln_events_next(events, &event, NULL) == RLN_OK)
        if (event->type == RLN_EVENT_MARK)
            t_ns = event->t_ns;
    rln_events_close(events);
    return t_ns;
}

static void check_shift(rln_reader *reader, int64_t by_ns, double ppm)
{
    rln_info *info;

    assert_int_equal(rln_info_open(reader, &info, NULL), RLN_OK);
    assert_int_equal(rln_info_part(info, 0)->shift_ns, 0);
    assert_int_equal(rln_info_part(info, 1)->shift_ns, by_ns);
    assert_true(fabs(rln_info_part(info, 1)->shift_ppm - ppm) < 0.1);
    rln_info_close(info);
}

static void without_being_asked_the_time_of_day_counts(void **state)
{
    rln_reader *reader;

    (void)state;
    reader = open_scenario(sc_machines);
    assert_int_equal(time_of_mark(reader), 353 * SC_MS);
    check_shift(reader, 0, 0);
    rln_reader_close(reader);
}

static void the_median_of_a_range_s_ends_counts(void **state)
{
    const struct rln__alignment how = {.by = RLN__ALIGN_RANGE, .message = "step"};
    const struct rln__alignment back = {.by = RLN__ALIGN_REALTIME};
    rln_reader *reader;

    (void)state;
    reader = open_scenario(sc_machines);
    for (int i = 0; i < 2; i++) { /* repeating it changes nothing */
        assert_int_equal(rln__reader_align(reader, &how, NULL), RLN_OK);
        assert_int_equal(time_of_mark(reader), 350 * SC_MS);
        check_shift(reader, -3 * SC_MS, 0);
    }
    assert_int_equal(rln__reader_align(reader, &back, NULL), RLN_OK);
    assert_int_equal(time_of_mark(reader), 353 * SC_MS);
    rln_reader_close(reader);
}

static void of_many_ends_a_clock_s_speed_is_known(void **state)
{
    const struct rln__alignment how = {.by = RLN__ALIGN_RANGE, .message = "step"};
    rln_reader *reader;

    (void)state;
    reader = open_scenario(build_many);
    assert_int_equal(rln__reader_align(reader, &how, NULL), RLN_OK);
    assert_true(llabs(time_of_mark(reader) - INT64_C(4050) * SC_MS) < 1000);
    rln_reader_close(reader);
}

/* A clock that both machines see; it counts microseconds from an arbitrary origin. */
static void put_points(struct tb *tb, int is_second, uint64_t id)
{
    struct tb_chunk c = tb_names(tb, 1);

    sd_time_domain(&c, 1, id, 0, 1000000, 0);
    for (int64_t i = 0; i < 3; i++) {
        const int64_t at =
            (200 * i + 20 * is_second) * SC_MS; /* not at the same time */
        const int64_t ticks = TB_START + at;

        if (is_second) /* the shared clock may be on either side */
            sd_sync_point(&c, 1, RLN__TIME_TSC, id, ticks, 7000 + at / 1000);
        else
            sd_sync_point(&c, 1, id, RLN__TIME_TSC, 7000 + at / 1000, ticks);
    }
}

static void build_points(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    put_points(tb, 0, SD_TIME_DOMAIN);
    sc_second_machine(tb);
    put_points(tb, 1, SD_TIME_DOMAIN);
    c = tb_events(tb, 1, 1, 200);
    (void)tb_event(&c, RLN__MARK, 2, 350 * SC_MS);
}

/* The second machine's points are of another clock. */
static void build_other_points(struct tb *tb)
{
    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    put_points(tb, 0, SD_TIME_DOMAIN);
    sc_second_machine(tb);
    put_points(tb, 1, SD_TIME_DOMAIN + 1);
}

static void points_with_a_clock_that_both_have_count(void **state)
{
    const struct rln__alignment how = {.by = RLN__ALIGN_SYNC_POINTS};
    rln_reader *reader;

    (void)state;
    reader = open_scenario(build_points);
    assert_int_equal(time_of_mark(reader), 353 * SC_MS);
    assert_int_equal(rln__reader_align(reader, &how, NULL), RLN_OK);
    assert_int_equal(time_of_mark(reader), 350 * SC_MS);
    check_shift(reader, -3 * SC_MS, 0);
    rln_reader_close(reader);
    reader = open_scenario(build_other_points);
    assert_int_equal(rln__reader_align(reader, &how, NULL), RLN_ERR_ARGUMENT);
    rln_reader_close(reader);
}

static void what_a_trace_lacks_is_named(void **state)
{
    const struct rln__alignment nothing = {.by = RLN__ALIGN_RANGE,
                                           .message = "nothing"};
    const struct rln__alignment elsewhere = {
        .by = RLN__ALIGN_RANGE, .message = "step", .domain = "io"};
    const struct rln__alignment sync = {.by = RLN__ALIGN_SYNC_POINTS};
    const struct rln__alignment no_name = {.by = RLN__ALIGN_RANGE};
    rln_reader *reader;
    rln_error err = {0};

    (void)state;
    reader = open_scenario(sc_machines);
    assert_int_equal(rln__reader_align(reader, &nothing, &err), RLN_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "range=\"nothing\""));
    assert_int_equal(rln__reader_align(reader, &elsewhere, &err), RLN_ERR_ARGUMENT);
    assert_int_equal(rln__reader_align(reader, &sync, &err), RLN_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "synchronization points"));
    assert_int_equal(rln__reader_align(reader, &no_name, &err), RLN_ERR_ARGUMENT);
    assert_int_equal(time_of_mark(reader), 353 * SC_MS); /* nothing changed */
    rln_reader_close(reader);
}

/* Damage: its time of day is in another century. */
static void build_far(struct tb *tb)
{
    struct rln__superblock *super;

    sc_machines(tb);
    super = tb_at(tb, tb->part);
    for (size_t i = 0; i < 2; i++)
        super->created[i].realtime_ns = UINT64_MAX / 2;
}

static void clocks_of_different_centuries_have_nothing_in_common(void **state)
{
    const struct rln__alignment how = {.by = RLN__ALIGN_RANGE, .message = "step"};
    rln_reader *reader = open_scenario(build_far);

    (void)state;
    assert_int_equal(rln__reader_align(reader, &how, NULL), RLN_ERR_ARGUMENT);
    rln_reader_close(reader);
}

static void one_machine_needs_nothing(void **state)
{
    const struct rln__alignment how = {.by = RLN__ALIGN_RANGE, .message = "nothing"};
    rln_reader *reader;

    (void)state;
    reader = open_scenario(sc_nested);
    assert_int_equal(rln__reader_align(reader, &how, NULL), RLN_OK);
    rln_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_being_asked_the_time_of_day_counts),
        cmocka_unit_test(the_median_of_a_range_s_ends_counts),
        cmocka_unit_test(of_many_ends_a_clock_s_speed_is_known),
        cmocka_unit_test(points_with_a_clock_that_both_have_count),
        cmocka_unit_test(what_a_trace_lacks_is_named),
        cmocka_unit_test(clocks_of_different_centuries_have_nothing_in_common),
        cmocka_unit_test(one_machine_needs_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
