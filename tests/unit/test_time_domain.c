/* SPDX-License-Identifier: Apache-2.0 */
/* test_time_domain.c - timestamps of other clocks become times of the trace. Its time 0
 * is TB_START ticks, TB_MONOTONIC and TB_REALTIME ns; a tick is a nanosecond. */
#include "temp_trace.h"
#include "trace/open/time_domain.h"

enum { TOOL = 1, TSC = 10, REALTIME = 12, MONOTONIC = 14, RAW = 15, BOOTTIME = 17 };

#define A SD_TIME_DOMAIN
#define B (SD_TIME_DOMAIN + 1)
#define C (SD_TIME_DOMAIN + 2)
#define NOWHERE INT64_MIN
#define CONTRADICTORY (INT64_MIN + 1)
#define MONO ((int64_t)TB_MONOTONIC)
#define REAL ((int64_t)TB_REALTIME)

/* The time of `timestamp` of time domain `id`, or NOWHERE, or CONTRADICTORY. */
static int64_t place(rln_reader *reader, uint64_t id, int64_t timestamp)
{
    struct rln__time_domains times;
    int64_t ns = 0;
    uint32_t number;
    unsigned why;

    assert_int_equal(rln__time_domains_init(&times, reader, NULL), RLN_OK);
    number = rln__time_domains_find(&times, 0, 0, id);
    assert_true(number != UINT32_MAX);
    why = rln__time_domains_ns(&times, number, timestamp, &ns);
    if (why)
        ns = why == RLN__UNPLACED_UNTIED ? NOWHERE : CONTRADICTORY;
    rln__time_domains_clear(&times);
    return ns;
}

static struct tb_chunk begin(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 1);
    c = tb_names(tb, 1);
    (void)tb_process(&c, 1, 0, 100);
    return c;
}

static void build_nothing(struct tb *tb)
{
    (void)begin(tb);
}

static void clocks_of_the_system_need_no_help(void **state)
{
    static const struct {
        uint64_t id;
        int64_t timestamp, ns;
    } cases[] = {
        {0, TB_START + 5, 5},
        {TOOL, TB_START + 5, 5},
        {TSC, TB_START + 5, 5},
        {MONOTONIC, MONO + 5, 5},
        {16, MONO - 5, -5},
        {REALTIME, REAL + 7, 7},
        {13, REAL + 7, 7},
        {42, REAL + 7, 7},
        {40, REAL / 1000000000 + 2, 2000000000}, /* time() */
        {50, MONO + 5, 5},
        {51, MONO + 5, 5}, /* either clock, distinguished by magnitude */
        {51, REAL + 5, 5},
        {52, REAL + 5, 5},
        {53, REAL + 27000000000 + 5, 5},
        {54, REAL + (378691200 + 37) * INT64_C(1000000000) + 5, 5},
        {55, REAL - (315964800 - 18) * INT64_C(1000000000) + 5, 5},
        {RAW, 5, NOWHERE},
        {BOOTTIME, 5, NOWHERE},
        {80, 5, NOWHERE},
        {A, 5, NOWHERE}, /* never registered */
    };
    rln_reader *reader = open_scenario(build_nothing);

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(place(reader, cases[i].id, cases[i].timestamp), cases[i].ns);
    assert_true(place(reader, MONOTONIC, INT64_MAX) > INT64_MAX / 4);
    assert_true(place(reader, REALTIME, INT64_MIN) < INT64_MIN / 4);
    rln_reader_close(reader);
}

/* A: microseconds since 1970. B: 100 ns since 1601, as on Windows. C: unknown. */
static void build_registered(struct tb *tb)
{
    struct tb_chunk c = begin(tb);

    sd_time_domain(&c, 0, A, REALTIME, 1000000, 0);
    sd_time_domain(&c, 0, B, 0, 10000000, 4);
    sd_time_domain(&c, 0, C, 0, 1000000000, 0);
}

static void a_timer_may_have_another_resolution_and_start(void **state)
{
    rln_reader *reader = open_scenario(build_registered);
    const int64_t filetime = (REAL / 100) + INT64_C(116444736000000000);

    (void)state;
    assert_int_equal(place(reader, A, REAL / 1000 + 3), 3000);
    assert_int_equal(place(reader, B, filetime + 30), 3000);
    assert_int_equal(place(reader, C, 5), NOWHERE);
    rln_reader_close(reader);
}

/* A is related to ticks by two points, and a third off their line; B to A by one point
 * and its rate; C to B by a factor. */
static void build_chain(struct tb *tb)
{
    struct tb_chunk c = begin(tb);

    sd_time_domain(&c, 0, A, 0, 0, 0);
    sd_time_domain(&c, 0, B, 80, 500000000, 0);
    sd_time_domain(&c, 0, C, 0, 0, 0);
    sd_sync_point(&c, 0, A, TOOL, 300, TB_START + 4000);
    sd_sync_point(&c, 0, A, TOOL, 100, TB_START + 1000);
    sd_sync_point(&c, 0, TOOL, A, TB_START + 2000, 200); /* the other way round */
    sd_sync_point(&c, 0, B, A, 50, 200);
    sd_conversion(&c, C, B, 10, 7, 50);
}

static void points_and_factors_lead_to_a_clock_that_is_known(void **state)
{
    rln_reader *reader = open_scenario(build_chain);

    (void)state;
    assert_int_equal(place(reader, A, 100), 1000);
    assert_int_equal(place(reader, A, 150), 1500);
    assert_int_equal(place(reader, A, 250), 3000);
    assert_int_equal(place(reader, A, 0), 1000 - 1500); /* slope from first to last */
    assert_int_equal(place(reader, A, 400), 4000 + 1500);
    assert_int_equal(place(reader, B, 50), 2000);
    assert_int_equal(place(reader, B, 55), 2010); /* 2 ns a tick */
    assert_int_equal(place(reader, C, 7), 2000);
    assert_int_equal(place(reader, C, 8), 2020); /* 10 ticks of B */
    rln_reader_close(reader);
}

/* A and B are related only to each other, and A to itself; C has a single point and no
 * rate. */
static void build_island(struct tb *tb)
{
    struct tb_chunk c = begin(tb);

    sd_time_domain(&c, 0, A, 0, 1000, 0);
    sd_time_domain(&c, 0, C, 0, 0, 0);
    sd_sync_point(&c, 0, A, B, 1, 2);
    sd_sync_point(&c, 0, B, A, 5, 4);
    sd_sync_point(&c, 0, A, A, 4, 4);
    sd_conversion(&c, A, B, 0, 4, 4);
    sd_sync_point(&c, 0, C, TOOL, 4, TB_START);
}

static void what_leads_nowhere_has_no_place(void **state)
{
    rln_reader *reader = open_scenario(build_island);

    (void)state;
    assert_int_equal(place(reader, A, 1), NOWHERE);
    assert_int_equal(place(reader, B, 2), NOWHERE);
    assert_int_equal(place(reader, C, 4), NOWHERE);
    rln_reader_close(reader);
}

/* The collector has read two clocks of the system once. */
static void build_single_look(struct tb *tb)
{
    struct tb_chunk c = begin(tb);

    sd_sync_point(&c, 0, RAW, TOOL, 700, TB_START + 2000);
    sd_sync_point(&c, 0, BOOTTIME, TOOL, 900, TB_START + 3000);
}

static void a_single_sample_of_a_clock_in_ns_is_enough(void **state)
{
    rln_reader *reader = open_scenario(build_single_look);

    (void)state;
    assert_int_equal(place(reader, RAW, 705), 2005);
    assert_int_equal(place(reader, BOOTTIME, 890), 2990);
    rln_reader_close(reader);
}

/* A stands still, then goes back; B goes back throughout; C against MONOTONIC. */
static void build_contradictions(struct tb *tb)
{
    struct tb_chunk c = begin(tb);

    sd_time_domain(&c, 0, A, 0, 0, 0);
    sd_time_domain(&c, 0, B, 0, 0, 0);
    sd_time_domain(&c, 0, C, 0, 0, 0);
    sd_sync_point(&c, 0, A, TOOL, 100, TB_START + 1000);
    sd_sync_point(&c, 0, A, TOOL, 200, TB_START + 1000);
    sd_sync_point(&c, 0, A, TOOL, 300, TB_START + 2000);
    sd_sync_point(&c, 0, A, TOOL, 400, TB_START + 1500);
    sd_sync_point(&c, 0, B, TOOL, 100, TB_START + 1000);
    sd_sync_point(&c, 0, B, TOOL, 200, TB_START + 500);
    sd_conversion(&c, C, MONOTONIC, -1, 100, MONO);
}

static void where_clocks_contradict_each_other_nothing_has_a_place(void **state)
{
    rln_reader *reader = open_scenario(build_contradictions);

    (void)state;
    assert_int_equal(place(reader, A, 150), CONTRADICTORY);
    assert_int_equal(place(reader, A, 250), 1500);
    assert_int_equal(place(reader, A, 350), CONTRADICTORY);
    assert_int_equal(place(reader, A, 500), 1500 + 167); /* slope from first to last */
    assert_int_equal(place(reader, B, 150), CONTRADICTORY);
    assert_int_equal(place(reader, B, 300), CONTRADICTORY);
    assert_int_equal(place(reader, C, 100), CONTRADICTORY);
    rln_reader_close(reader);
}

/* CLOCK_REALTIME was set an hour ahead between the two tuples of the process. */
static void build_step(struct tb *tb)
{
    struct tb_chunk c;
    struct rln__process_record *r;

    (void)tb_part(tb, 1);
    c = tb_names(tb, 1);
    r = tb_process(&c, 1, 0, 100);
    r->clock[1].realtime_ns += 3600 * INT64_C(1000000000);
}

static void real_time_that_was_set_is_followed(void **state)
{
    rln_reader *reader = open_scenario(build_step);

    (void)state;
    assert_int_equal(place(reader, REALTIME, REAL + 40000), 40000);
    assert_int_equal(place(reader, REALTIME, REAL + 3600 * INT64_C(1000000000) + 60000),
                     60000);
    rln_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_of_the_system_need_no_help),
        cmocka_unit_test(a_timer_may_have_another_resolution_and_start),
        cmocka_unit_test(points_and_factors_lead_to_a_clock_that_is_known),
        cmocka_unit_test(what_leads_nowhere_has_no_place),
        cmocka_unit_test(a_single_sample_of_a_clock_in_ns_is_enough),
        cmocka_unit_test(where_clocks_contradict_each_other_nothing_has_a_place),
        cmocka_unit_test(real_time_that_was_set_is_followed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
