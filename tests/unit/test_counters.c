/* SPDX-License-Identifier: Apache-2.0 */
/* test_counters.c - samples have the right times and values, and so have their sums. */
#include <math.h>

#include "analysis/inputs/levels.h"
#include "rangeline/values.h"
#include "ranges/events.h"
#include "reports/check/info.h"
#include "reports/sums.h"
#include "temp_trace.h"
#include "trace/decode/unplaced.h"
#include "trace/open/load.h"

#define LINE_BYTES 160

static int add_number(char *out, uint8_t type, uint64_t bits)
{
    double number;

    if (type == RLN_PAYLOAD_I64)
        return snprintf(out, LINE_BYTES, " %lld", (long long)bits);
    if (type == RLN_PAYLOAD_U64)
        return snprintf(out, LINE_BYTES, " %llu", (unsigned long long)bits);
    memcpy(&number, &bits, sizeof(number));
    return snprintf(out, LINE_BYTES, " %g", number);
}

/* "time tid counter value unit" */
static void describe(const rln_event *e, char *out)
{
    int n = snprintf(out, LINE_BYTES, "%lld %u %.*s", (long long)e->t_ns, e->tid,
                     (int)e->attributes.message.length, e->attributes.message.bytes);

    if (e->no_value)
        n += snprintf(out + n, LINE_BYTES, " no value %d", e->no_value);
    for (size_t i = 0; i < e->n_values; i++) {
        const rln_text unit = e->values[i].semantics->unit;

        n += add_number(out + n, e->values[i].type, e->values[i].bits);
        n += snprintf(out + n, LINE_BYTES, unit.length ? " %.*s" : "%.*s",
                      (int)unit.length, unit.bytes);
    }
    if (e->flags & RLN_FLAG_UNKNOWN_NAME)
        (void)snprintf(out + n, LINE_BYTES, " unknown %llu", (unsigned long long)e->id);
}

static void samples_have_the_counter_s_name_type_and_unit(void **state)
{
    static const char *const expected[] = {
        "100 100 queued 4",
        "200 101 queued 10",
        "400 100 queued no value 3",
        "500 100 queued 1",
        "600 101 queued no value 1",
        "1000 100 sent 3 bytes",
        "1100 101 sent 2 bytes",
        "1200 100 sent no value 2",
        "1300 100 sent no value 1",
        "2000 100 busy 0",
        "2100 100 busy 255",
        "2300 100 busy 51",
        "3000 101 free 18446744073709551615 bytes",
        "3100 101 free 5 bytes",
        "4000 101 temperature 36.5",
        "4100 101 temperature 38.5",
        "4200 101 temperature no value 4",
        "5000 101  12 unknown 6",
    };
    rln_reader *reader = open_scenario(sc_counters);
    char line[LINE_BYTES * 4];
    rln_events *events;
    const rln_event *e;
    size_t n = 0;

    (void)state;
    assert_int_equal(rln__events_open_all(reader, &events, NULL), RLN_OK);
    while (rln_events_next(events, &e, NULL) == RLN_OK) {
        if (e->type != RLN_EVENT_SAMPLE)
            continue;
        describe(e, line);
        assert_true(n < sizeof(expected) / sizeof(expected[0]));
        assert_string_equal(line, expected[n++]);
    }
    assert_int_equal(n, sizeof(expected) / sizeof(expected[0]));
    rln_events_close(events);
    rln_reader_close(reader);
}

/* "counter samples gaps min max last"; mean and integral are separate. */
struct expected_row {
    const char *line;
    int is_time_weighted;
    double mean, integral;
};

static void check_rows(void (*build)(struct tb *tb),
                       const struct expected_row *expected, size_t n_expected)
{
    rln_reader *reader = open_scenario(build);
    char line[LINE_BYTES * 4];
    const struct rln__counter_row *row;
    struct rln__sums *sums;
    size_t i;

    assert_int_equal(rln__sums_new(reader, RLN__SUM_COUNTERS, &sums, NULL), RLN_OK);
    for (i = 0; (row = rln__sums_counter(sums, i)); i++) {
        int n = snprintf(line, LINE_BYTES, "%.*s %llu %llu", (int)row->name.length,
                         row->name.bytes, (unsigned long long)row->n_samples,
                         (unsigned long long)row->n_gaps);

        n += add_number(line + n, row->type, row->min_bits);
        n += add_number(line + n, row->type, row->max_bits);
        (void)add_number(line + n, row->type, row->last_bits);
        assert_true(i < n_expected);
        assert_string_equal(line, expected[i].line);
        assert_int_equal(row->is_time_weighted, expected[i].is_time_weighted);
        assert_true(fabs(row->mean - expected[i].mean) <=
                    1e-12 * fabs(expected[i].mean));
        assert_true(fabs(row->integral - expected[i].integral) < 1e-15);
    }
    assert_int_equal(i, n_expected);
    rln__sums_free(sums);
    rln_reader_close(reader);
}

static void levels_are_summed_as_the_semantics_say(void **state)
{
    static const struct expected_row expected[] = {
        {" 1 0 12 12 12", 0, 12, 0},
        {"busy 3 0 0 1 0.2", 1, (50 + 120) / 300.0, 170e-9},
        {"free 2 0 5 18446744073709551615 5", 0, 18446744073709551615.0 / 2, 0},
        {"sent 4 0 3072 7168 7168", 1, 19 * 1024 / 3.0, 1900 * 1024e-9},
        {"temperature 2 1 36.5 38.5 38.5", 0, 37.5, 0},
        {"queued 4 1 0 10 0", 1, (400 + 2000 + 100) / 400.0, 2500e-9},
    };

    (void)state;
    check_rows(sc_counters, expected, sizeof(expected) / sizeof(expected[0]));
}

/* "free" is unsigned and begins with 0; "load" has samples that are NaN, and so has the
 * integer counter "used". */
static void build_odd_samples(struct tb *tb)
{
    struct tb_chunk n, c;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    n = tb_names(tb, 1);
    tb_string(&n, 30, "free");
    tb_string(&n, 31, "load");
    tb_string(&n, 32, "used");
    sd_semantics(&n, 1, SD_UNTIL_NEXT, 0, 0, 0);
    sd_counter(&n, 1, 0, 30, SD_UINT64, 0);
    sd_counter(&n, 2, 0, 31, SD_DOUBLE, 1);
    sd_counter(&n, 3, 0, 32, SD_INT64, 0);
    c = tb_events(tb, 1, 1, 100);
    sd_no_value(&c, 1, 100, 0);
    sd_sample(&c, 1, 200, -1);
    sd_double(&c, 2, 1000, (double)NAN);
    sd_double(&c, 2, 1200, 1);
    sd_double(&c, 2, 1400, 3);
    sd_double(&c, 2, 1500, (double)INFINITY);
    sd_double(&c, 2, 1700, 2);
    sd_double(&c, 2, 1800, 5);
    sd_sample(&c, 3, 2000, -2);
    sd_double(&c, 3, 2100, (double)NAN);
}

static void zero_has_the_type_of_what_follows_and_no_number_is_a_gap(void **state)
{
    static const struct expected_row expected[] = {
        {"free 2 0 0 18446744073709551615 18446744073709551615", 0,
         18446744073709551615.0 / 2, 0},
        {"load 4 2 1 5 5", 1, (200 + 300 + 200) / 400.0, 700e-9},
        {"used 1 1 -2 -2 -2", 0, -2, 0},
    };

    (void)state;
    check_rows(build_odd_samples, expected, sizeof(expected) / sizeof(expected[0]));
}

/* Changes, and the last one again: 5, 10, 10, 10, 13. */
static void build_changes(struct tb *tb)
{
    struct tb_chunk n, c;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    n = tb_names(tb, 1);
    tb_string(&n, 30, "queued");
    sd_semantics(&n, 1, SD_DELTA | SD_UNTIL_NEXT, 0, 0, 0);
    sd_counter(&n, 1, 0, 30, SD_INT64, 1);
    c = tb_events(tb, 1, 1, 100);
    sd_sample(&c, 1, 100, 5);
    sd_no_value(&c, 1, 200, 1);
    sd_no_value(&c, 1, 300, 0);
    sd_no_value(&c, 1, 400, 1);
    sd_sample(&c, 1, 500, 3);
}

static bool is_any(rln_text name, const rln_text *field, const rln_semantics *semantics)
{
    (void)name;
    (void)field;
    (void)semantics;
    return true;
}

static void statistics_and_analysis_agree_on_levels(void **state)
{
    static const double expected[] = {5, 10, 10, 10, 13};
    static const struct expected_row row = {"queued 5 0 5 13 13", 1, 8.75, 3500e-9};
    rln_reader *reader = open_scenario(build_changes);
    struct rln__levels levels;
    rln_info *info;

    (void)state;
    check_rows(build_changes, &row, 1);

    assert_int_equal(rln_info_open(reader, &info, NULL), RLN_OK);
    assert_int_equal(rln__levels_read(reader, info, is_any, &levels, NULL), RLN_OK);
    assert_int_equal(levels.n, 1);
    assert_int_equal(levels.gauges->n, 5);
    for (size_t i = 0; i < 5; i++)
        assert_true(levels.gauges->levels[i].value == expected[i]);
    rln__levels_clear(&levels);
    rln_info_close(info);
    rln_reader_close(reader);
}

/* Two clocks that are related to no other: two samples of one, three of the other. */
static void build_unplaced(struct tb *tb)
{
    const int64_t values[] = {3, 4, 5}, times[] = {10, 20, 30};
    struct tb_chunk n, d;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    n = tb_names(tb, 1);
    tb_string(&n, 30, "power");
    tb_string(&n, 31, "heat");
    d = tb_chunk_at(tb, RLN__CHUNK_DEFERRED, 1, 0, 0, 0);
    for (uint32_t i = 1; i <= 2; i++) {
        const uint64_t counter[] = {(UINT64_C(1) << 32) + i, 0};

        sd_time_domain(&n, 1, SD_TIME_DOMAIN + i, 80, 0, 0);
        sd_time_semantics(&n, i, SD_TIME_DOMAIN + i);
        sd_counter(&n, i, 1, 29 + i, SD_INT64, i);
        sd_batch(&d, RLN__SUB_COUNTER_BATCH, 500, counter, 2, values, 8 + i * 8, times,
                 8 + i * 8);
    }
}

static void samples_without_a_place_in_time_are_left_out(void **state)
{
    (void)state;
    check_rows(build_unplaced, NULL, 0);
}

static void every_clock_without_a_place_is_named(void **state)
{
    rln_reader *reader = open_scenario(build_unplaced);
    const struct rln__unplaced_info *u;
    rln_info *info;

    (void)state;
    assert_int_equal(rln_info_open(reader, &info, NULL), RLN_OK);
    assert_int_equal(rln_info_totals(info)->n_unplaced, 5);
    assert_int_equal(rln_info_totals(info)->n_unplaced_clocks, 2);
    for (uint32_t i = 0; i < 2; i++) {
        u = rln__info_unplaced(info, i);
        assert_int_equal(u->time_domain, SD_TIME_DOMAIN + 1 + i);
        assert_int_equal(u->n_events, 2 + i);
        assert_memory_equal(rln_info_domain(info, u->domain)->name.bytes, "io", 2);
        assert_int_equal(rln_info_process(info, u->process)->pid, 100);
    }
    assert_null(rln__info_unplaced(info, 2));
    rln_info_close(info);
    rln_reader_close(reader);
}

/* Three samples of each: one timestamp for all, none, and times without a clock, which
 * are the tool's if possible, else unplaced. */
static void build_times_of_no_clock(struct tb *tb)
{
    const int64_t values[] = {3, 4, 5};
    const int64_t one[] = {100}, ours[] = {TB_START + 10, TB_START + 20, TB_START + 30};
    const int64_t hour = INT64_C(3600000000000);
    const int64_t late[] = {TB_START + hour, TB_START + 2 * hour, TB_START - 10};
    const int64_t *const times[] = {one, NULL, ours, late};
    const size_t n_bytes[] = {8, 0, 24, 24};
    struct tb_chunk n, d;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    n = tb_names(tb, 1);
    d = tb_chunk_at(tb, RLN__CHUNK_DEFERRED, 1, 0, 0, 0);
    sd_time_semantics(&n, 1, 14);
    for (uint32_t i = 0; i < 4; i++) {
        const uint64_t counter[] = {(UINT64_C(1) << 32) + i, 0};

        sd_counter(&n, i, 1, 0, SD_INT64, i < 2);
        sd_batch(&d, RLN__SUB_COUNTER_BATCH, 500, counter, 2, values, 24,
                 times[i] ? (const void *)times[i] : "", n_bytes[i]);
    }
}

static void a_sample_without_a_time_has_no_place(void **state)
{
    static const struct {
        uint64_t time_domain, n;
        enum rln__unplaced_cause why;
    } expected[] = {
        {14, 5, RLN__UNPLACED_UNTIMED},
        {0, 2, RLN__UNPLACED_UNTIED},
    };
    rln_reader *reader = open_scenario(build_times_of_no_clock);
    rln_info *info;

    (void)state;
    assert_int_equal(rln_info_open(reader, &info, NULL), RLN_OK);
    assert_int_equal(rln_info_totals(info)->n_samples, 12);
    assert_int_equal(rln_info_totals(info)->n_unplaced, 7);
    assert_int_equal(rln_info_totals(info)->n_unplaced_clocks, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const struct rln__unplaced_info *u = rln__info_unplaced(info, i);
        const int at = u->why == RLN__UNPLACED_UNTIED;

        assert_int_equal(u->time_domain, expected[at].time_domain);
        assert_int_equal(u->n_events, expected[at].n);
        assert_int_equal(u->why, expected[at].why);
        assert_non_null(rln__unplaced_cause_name(u->why));
    }
    assert_null(rln__unplaced_cause_name((enum rln__unplaced_cause)0));
    assert_null(rln__unplaced_cause_name((enum rln__unplaced_cause)4));
    rln_info_close(info);
    rln_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_have_the_counter_s_name_type_and_unit),
        cmocka_unit_test(levels_are_summed_as_the_semantics_say),
        cmocka_unit_test(zero_has_the_type_of_what_follows_and_no_number_is_a_gap),
        cmocka_unit_test(statistics_and_analysis_agree_on_levels),
        cmocka_unit_test(samples_without_a_place_in_time_are_left_out),
        cmocka_unit_test(a_sample_without_a_time_has_no_place),
        cmocka_unit_test(every_clock_without_a_place_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
