/* SPDX-License-Identifier: Apache-2.0 */
/* test_sums.c - sums of marks, categories, synchronization objects and ranks are right.
 */
#include <math.h>

#include "reports/sums.h"
#include "temp_trace.h"
#include "trace/open/rank.h"

static struct rln__sums *sums_of(void (*build)(struct tb *tb), unsigned which,
                                 rln_reader **out)
{
    struct rln__sums *sums;

    *out = open_scenario(build);
    assert_int_equal(rln__sums_new(*out, which, &sums, NULL), RLN_OK);
    return sums;
}

static void close_sums(struct rln__sums *sums, rln_reader *reader)
{
    rln__sums_free(sums);
    rln_reader_close(reader);
}

/* "load" at 100, 110, 150 and 400, on two threads; "io:load" once. */
static void build_marks(struct tb *tb)
{
    struct tb_chunk a, b;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    a = tb_events(tb, 1, 1, 100);
    b = tb_events(tb, 1, 2, 101);
    (void)tb_event(&a, RLN__MARK, 2, 100);
    (void)tb_event(&b, RLN__MARK, 2, 110);
    (void)tb_event(&a, RLN__MARK, 2, 150);
    (void)tb_event(&b, RLN__MARK, 2, 400);
    (void)tb_event(&b, RLN__MARK, 3, 500);
}

static void marks_have_a_rate_over_all_threads(void **state)
{
    rln_reader *reader;
    struct rln__sums *sums = sums_of(build_marks, RLN__SUM_MARKS, &reader);
    const struct rln__mark_row *row = rln__sums_mark(sums, 0);

    (void)state;
    assert_int_equal(row->n_marks, 4);
    assert_int_equal(row->first_ns, 100);
    assert_int_equal(row->last_ns, 400);
    assert_int_equal(row->min_distance_ns, 10);
    assert_int_equal(row->max_distance_ns, 250);
    assert_true(fabs(row->mean_distance_ns - 100) < 1e-9);
    assert_true(fabs(row->per_s - 1e7) < 1e-3);
    row = rln__sums_mark(sums, 1);
    assert_memory_equal(row->domain_name.bytes, "io", 2);
    assert_int_equal(row->n_marks, 1);
    assert_true(fabs(row->per_s) < 1e-9);
    assert_null(rln__sums_mark(sums, 2));
    assert_null(rln__sums_sync(sums, 0)); /* not requested */
    close_sums(sums, reader);
}

static void marks_without_a_place_in_time_are_left_out(void **state)
{
    rln_reader *reader;
    struct rln__sums *sums = sums_of(sc_deferred, RLN__SUM_MARKS, &reader);

    (void)state;
    assert_null(rln__sums_mark(sums, 0)); /* its only mark is "lost" */
    close_sums(sums, reader);
}

static void categories_have_a_number_and_a_name(void **state)
{
    rln_reader *reader;
    struct rln__sums *sums = sums_of(sc_startend, RLN__SUM_CATEGORIES, &reader);
    const struct rln__category_row *row = rln__sums_category(sums, 0);

    (void)state;
    assert_int_equal(row->category, 7);
    assert_memory_equal(row->name.bytes, "disk", 4);
    assert_int_equal(row->n_ranges, 1);
    assert_int_equal(row->total_ns, 120);
    assert_true(fabs(row->median_ns - 120) < 1e-9);
    assert_null(rln__sums_category(sums, 1)); /* ranges without a category */
    close_sums(sums, reader);
}

static void an_object_says_who_waited_and_who_had_it(void **state)
{
    rln_reader *reader;
    struct rln__sums *sums = sums_of(sc_locks, RLN__SUM_SYNC, &reader);
    const struct rln__sync_row *row = rln__sums_sync(sums, 0);

    (void)state;
    assert_memory_equal(row->name.bytes, "queue", 5);
    assert_int_equal(row->pid, 100);
    assert_int_equal(row->n_threads, 2);
    assert_int_equal(row->n_waits, 3);
    assert_int_equal(row->n_gave_up, 2);
    assert_int_equal(row->n_acquired, 3);
    assert_int_equal(row->waiting_ns, 10 + 100 + 120);
    assert_int_equal(row->max_waiting_ns, 120);
    assert_int_equal(row->holding_ns,
                     300 + 10 + (800 - 420)); /* up to the last event */
    assert_int_equal(row->max_holding_ns, 380);
    assert_null(rln__sums_mark(sums, 0));
    close_sums(sums, reader);
}

/* "load" has an i64 that correlates with its duration, "step" a u64 that does so
 * negatively. */
static void build_numbers(struct tb *tb)
{
    static const int64_t loads[] = {10, -20, 40};
    struct tb_chunk c;
    uint64_t t = 1000;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    c = tb_names(tb, 1);
    tb_attributes_full(&c, 5, 0, 0, 0, 2, rln__types(0, RLN_PAYLOAD_I64, 1));
    tb_attributes_full(&c, 6, 0, 0, 0, 1, rln__types(0, RLN_PAYLOAD_U64, 1));
    c = tb_events(tb, 1, 1, 100);
    for (uint64_t i = 0; i < 3; i++, t += 1000) {
        (void)tb_value(&c, RLN__PUSH_VALUE, 5, t, (uint64_t)loads[i]);
        (void)tb_event(&c, RLN__POP, 0, t + 100 + (uint64_t)(loads[i] * 2));
        (void)tb_value(&c, RLN__PUSH_VALUE, 6, t + 500, UINT64_MAX - i);
        (void)tb_event(&c, RLN__POP, 0, t + 510);
    }
    (void)tb_value(&c, RLN__PUSH_VALUE, 5, t, 1000); /* never closed */
}

static void payloads_are_set_against_durations(void **state)
{
    rln_reader *reader;
    struct rln__sums *sums = sums_of(build_numbers, RLN__SUM_PAYLOADS, &reader);
    const struct rln__payload_row *row = rln__sums_payload(sums, 0);

    (void)state;
    assert_memory_equal(row->message.bytes, "load", 4);
    assert_int_equal(row->field.length, 0);
    assert_int_equal(row->n_ranges, 3);
    assert_int_equal(row->type, RLN_PAYLOAD_I64);
    assert_int_equal((int64_t)row->min_bits, -20);
    assert_int_equal((int64_t)row->max_bits, 40);
    assert_int_equal(row->total_ns, 120 + 60 + 180);
    assert_true(fabs(row->mean - 10) < 1e-12);
    assert_true(row->has_ns_per_unit && fabs(row->ns_per_unit - 12) < 1e-12);
    assert_true(row->has_correlation && fabs(row->correlation - 1) < 1e-12);
    row = rln__sums_payload(sums, 1);
    assert_memory_equal(row->message.bytes, "step", 4);
    assert_true(row->max_bits == UINT64_MAX && row->min_bits == UINT64_MAX - 2);
    assert_false(row->has_correlation); /* all durations are equal */
    assert_null(rln__sums_payload(sums, 2));
    close_sums(sums, reader);
}

/* 0.5 and 1.5, and NaN of either width. */
static void build_no_numbers(struct tb *tb)
{
    static const struct {
        uint32_t attributes;
        uint64_t bits;
    } said[] = {{5, 0x7ff8000000000000}, {5, 0x3fe0000000000000}, {6, 0x7fc00000},
                {5, 0x7ff0000000000000}, {5, 0x3ff8000000000000}, {6, 0xff800000}};
    struct tb_chunk c;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    c = tb_names(tb, 1);
    tb_attributes_full(&c, 5, 0, 0, 0, 2, rln__types(0, RLN_PAYLOAD_DOUBLE, 1));
    tb_attributes_full(&c, 6, 0, 0, 0, 1, rln__types(0, RLN_PAYLOAD_FLOAT, 1));
    c = tb_events(tb, 1, 1, 100);
    for (uint64_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
        (void)tb_value(&c, RLN__PUSH_VALUE, said[i].attributes, i * 100, said[i].bits);
        (void)tb_event(&c, RLN__POP, 0, i * 100 + 10);
    }
}

static void payloads_that_are_no_numbers_spoil_nothing(void **state)
{
    rln_reader *reader;
    struct rln__sums *sums = sums_of(build_no_numbers, RLN__SUM_PAYLOADS, &reader);
    const struct rln__payload_row *row = rln__sums_payload(sums, 0);

    (void)state;
    assert_memory_equal(row->message.bytes, "load", 4);
    assert_int_equal(row->n_ranges, 2);
    assert_int_equal(row->total_ns, 20);
    assert_true(fabs(row->total - 2) < 1e-12);
    assert_null(rln__sums_payload(sums, 1));
    close_sums(sums, reader);
}

/* One as it begins, and another of the same schema as it ends. */
static void build_two_of_a_schema(struct tb *tb)
{
    static const struct pb_entry entries[] = {{0, RLN__TYPE_UINT32, "bytes", 0, 0}};
    static const struct pb_schema schema = {1, "buffer", PS_NOBODY, 1, 0, 4, 0, 0};
    static const uint32_t in = 100, out = 7;
    struct tb_chunk c;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    c = tb_names(tb, 1);
    pb_schema(&c, schema, entries, 1);
    c = tb_events(tb, 1, 1, 100);
    (void)pb_event(&c, RLN__PUSH, 3, 0, NULL, PS_NOBODY, &in, sizeof(in));
    (void)pb_event(&c, RLN__POP, 1, 50, NULL, PS_NOBODY, &out, sizeof(out));
}

static void two_payloads_of_a_schema_are_two_rows(void **state)
{
    static const char *const fields[] = {"buffer[0].bytes", "buffer[1].bytes"};
    static const double totals[] = {100, 7};
    rln_reader *reader;
    struct rln__sums *sums = sums_of(build_two_of_a_schema, RLN__SUM_PAYLOADS, &reader);

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const struct rln__payload_row *row = rln__sums_payload(sums, i);

        assert_non_null(row);
        assert_int_equal(row->field.length, strlen(fields[i]));
        assert_memory_equal(row->field.bytes, fields[i], row->field.length);
        assert_int_equal(row->n_ranges, 1);
        assert_int_equal(row->total_ns, 50);
        assert_true(fabs(row->total - totals[i]) < 1e-12);
    }
    assert_null(rln__sums_payload(sums, 2));
    close_sums(sums, reader);
}

static void check_share(const struct rln__sums *sums, size_t row, size_t rank,
                        uint64_t n, uint64_t total_ns)
{
    const struct rln__rank_share share = rln__sums_rank_share(sums, row, rank);

    assert_int_equal(share.n_ranges, n);
    assert_int_equal(share.total_ns, total_ns);
}

static void ranks_are_those_of_the_job(void **state)
{
    static const uint32_t numbers[] = {0, 1, 2, 10};
    rln_reader *reader;
    struct rln__sums *sums = sums_of(sc_ranks, RLN__SUM_RANKS, &reader);
    const struct rln__rank_row *row = rln__sums_rank_row(sums, 0);

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(rln__sums_rank(sums, i)->number, numbers[i]);
        assert_int_equal(rln__sums_rank(sums, i)->kind, RLN__RANK_OF_JOB);
    }
    assert_null(rln__sums_rank(sums, 4));
    assert_memory_equal(row->message.bytes, "step", 4);
    assert_int_equal(row->n_ranks, 4);
    assert_int_equal(row->n_ranges, 5);
    assert_int_equal(row->total_ns, 480);
    assert_int_equal(row->min_ns, 100);
    assert_int_equal(row->max_ns, 160);
    assert_int_equal(row->least, 0);
    assert_int_equal(row->most, 2);
    assert_true(fabs(row->mean_ns - 120) < 1e-9);
    assert_true(fabs(row->imbalance - 1.0 / 3) < 1e-9);
    check_share(sums, 0, 3, 2, 120);
    row = rln__sums_rank_row(sums, 1);
    assert_int_equal(row->n_ranks, 1);
    assert_int_equal(row->min_ns, 0);
    assert_int_equal(row->least, 1);
    assert_true(fabs(row->imbalance - 3) < 1e-9);
    check_share(sums, 1, 0, 1, 50);
    check_share(sums, 1, 1, 0, 0);
    check_share(sums, 2, 0, 0, 0);
    check_share(sums, 0, 4, 0, 0);
    assert_null(rln__sums_rank_row(sums, 2));
    close_sums(sums, reader);
}

/* A process with a rank, its child, and its grandchild. */
static void build_family(struct tb *tb)
{
    (void)tb_part(tb, 1);
    for (uint32_t process = 1; process <= 3; process++) {
        struct tb_chunk c = tb_names(tb, process);

        (void)tb_process(&c, process, process - 1, 100 + process);
        if (process == 1)
            tb_note(&c, "RANK", "5");
    }
}

static void descendants_are_of_the_rank_of_their_ancestor(void **state)
{
    rln_reader *reader = open_scenario(build_family);

    (void)state;
    for (uint32_t process = 0; process < 3; process++)
        assert_int_equal(rln__rank_of(reader, process), 5);
    rln_reader_close(reader);
}

/* Without declared ranks, each of several parts is a rank, or each process. */
static void else_they_are_traces_or_processes(void **state)
{
    rln_reader *reader;
    struct rln__sums *sums = sums_of(sc_parts, RLN__SUM_RANKS, &reader);

    (void)state;
    assert_int_equal(rln__sums_rank(sums, 0)->kind, RLN__RANK_OF_TRACE);
    assert_int_equal(rln__sums_rank(sums, 0)->number, 0);
    assert_int_equal(rln__sums_rank(sums, 1)->number, 1);
    close_sums(sums, reader);
    sums = sums_of(sc_fork, RLN__SUM_RANKS, &reader);
    assert_int_equal(rln__sums_rank(sums, 0)->kind, RLN__RANK_OF_PROCESS);
    assert_int_equal(rln__sums_rank(sums, 0)->number, 100);
    close_sums(sums, reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_have_a_rate_over_all_threads),
        cmocka_unit_test(marks_without_a_place_in_time_are_left_out),
        cmocka_unit_test(categories_have_a_number_and_a_name),
        cmocka_unit_test(payloads_are_set_against_durations),
        cmocka_unit_test(payloads_that_are_no_numbers_spoil_nothing),
        cmocka_unit_test(two_payloads_of_a_schema_are_two_rows),
        cmocka_unit_test(ranks_are_those_of_the_job),
        cmocka_unit_test(descendants_are_of_the_rank_of_their_ancestor),
        cmocka_unit_test(else_they_are_traces_or_processes),
        cmocka_unit_test(an_object_says_who_waited_and_who_had_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
