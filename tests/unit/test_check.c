/* SPDX-License-Identifier: Apache-2.0 */
/* test_check.c - a check finds each problem, and blames no innocent call. */
#include "base/alloc.h"
#include "export/exporter.h"
#include "rangeline/finding.h"
#include "reports/check/check_all.h"
#include "reports/check/check_findings.h"
#include "temp_trace.h"
#include "trace/open/load.h"

struct expected {
    rln_finding_kind kind;
    uint64_t n;
    int64_t first_ns; /* -1: without a time */
    uint32_t tid;
    const char *message;
};

static void expect(void (*build)(struct tb *tb), const struct expected *expected,
                   size_t n)
{
    rln_reader *reader = open_scenario(build);
    rln_check *check;

    assert_int_equal(rln_check_new(reader, &check, NULL), RLN_OK);
    for (size_t i = 0; i < n; i++) {
        const rln_finding *f = rln_check_at(check, i);
        const char *message = expected[i].message;

        assert_non_null(f);
        assert_string_equal(f->name, rln__check_finding_name(expected[i].kind));
        assert_non_null(f->advice);
        assert_int_equal(f->n, expected[i].n);
        if (f->thread != UINT32_MAX)
            assert_int_equal(rln_info_thread(rln__check_info(check), f->thread)->tid,
                             f->tid);
        assert_int_equal(f->has_time ? f->first_ns : -1, expected[i].first_ns);
        assert_int_equal(f->tid, expected[i].tid);
        assert_int_equal(f->message.length, strlen(message));
        assert_memory_equal(f->message.bytes ? f->message.bytes : "", message,
                            strlen(message));
    }
    assert_null(rln_check_at(check, n));
    rln_check_free(check);
    rln_reader_close(reader);
}

#define EXPECT(build, ...)                                                             \
    expect(build, (const struct expected[]){__VA_ARGS__},                              \
           sizeof((const struct expected[]){__VA_ARGS__}) / sizeof(struct expected))

static void a_pop_without_a_push_and_a_push_without_a_pop(void **state)
{
    (void)state;
    EXPECT(sc_nested, {RLN_FINDING_UNMATCHED_POP, 1, 110000, 100, ""},
           {RLN_FINDING_NEVER_CLOSED, 1, 120000, 100, "load"});
}

static void pops_of_the_parents_ranges_are_right(void **state)
{
    (void)state;
    EXPECT(sc_fork, {RLN_FINDING_UNMATCHED_POP, 1, 160, 200, ""});
}

static void lost_events_are_not_blamed_on_the_program(void **state)
{
    (void)state;
    EXPECT(sc_gap, {RLN_FINDING_UNMATCHED_POP, 1, 150, 100, ""},
           {RLN_FINDING_LOST, 42, -1, 100, ""},
           {RLN_FINDING_UNUSED_DOMAIN, 1, -1, 0, ""});
}

static void every_kind_of_loss_is_found(void **state)
{
    (void)state;
    EXPECT(sc_losses, {RLN_FINDING_LOST, 40, -1, 100, ""},
           {RLN_FINDING_LOST, 5, -1, 0, ""}, /* without an event after them */
           {RLN_FINDING_LOST, 2, -1, 101, ""}, {RLN_FINDING_REFUSED, 1200, -1, 0, ""},
           {RLN_FINDING_REFUSED, 3, -1, 0, ""}, {RLN_FINDING_REFUSED, 2, -1, 0, ""},
           {RLN_FINDING_REFUSED, 1, -1, 0, ""}, {RLN_FINDING_REFUSED, 1, -1, 0, ""});
}

static void unmatched_and_second_ends_are_distinguished(void **state)
{
    (void)state;
    EXPECT(sc_startend, {RLN_FINDING_UNKNOWN_END, 1, 160, 100, ""},
           {RLN_FINDING_ENDED_TWICE, 1, 120, 200, "step"},
           {RLN_FINDING_NEVER_CLOSED, 1, 30, 100, "load"},
           {RLN_FINDING_ENDED_ELSEWHERE, 1, 10, 100, "step"});
}

/* --- The only thing that is wrong, so that only it asks for the order of time --------
 */

static struct tb_chunk begin_two_threads(struct tb *tb, struct tb_chunk *other)
{
    struct tb_chunk c;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    *other = tb_events(tb, 1, 2, 101);
    return c;
}

static void build_ended_elsewhere(struct tb *tb)
{
    struct tb_chunk other, c = begin_two_threads(tb, &other);
    const uint64_t id = tb_event(&c, RLN__START, 1, 10);

    (void)tb_value(&other, RLN__END, 0, 20, id);
}

/* On the thread that is read first, so that its range is not there yet. */
static void build_ended_before_it_is_read(struct tb *tb)
{
    struct tb_chunk other, c = begin_two_threads(tb, &other);
    const uint64_t id = tb_event(&other, RLN__START, 1, 10);

    (void)tb_value(&c, RLN__END, 0, 20, id);
}

static void build_unknown_end(struct tb *tb)
{
    struct tb_chunk other, c = begin_two_threads(tb, &other);

    (void)tb_event(&other, RLN__MARK, 1, 5);
    (void)tb_value(&c, RLN__END, 0, 20, 77);
}

static void build_ended_twice(struct tb *tb)
{
    struct tb_chunk other, c = begin_two_threads(tb, &other);
    const uint64_t id = tb_event(&c, RLN__START, 1, 10);

    (void)tb_event(&other, RLN__MARK, 1, 5);
    (void)tb_value(&c, RLN__END, 0, 20, id);
    (void)tb_value(&c, RLN__END, 0, 30, id);
}

/* Both ends are read before the start. */
static void build_ended_twice_elsewhere(struct tb *tb)
{
    struct tb_chunk other, c = begin_two_threads(tb, &other);
    const uint64_t id = tb_event(&other, RLN__START, 1, 10);

    (void)tb_value(&c, RLN__END, 0, 20, id);
    (void)tb_value(&c, RLN__END, 0, 30, id);
}

static void build_crossing(struct tb *tb)
{
    struct tb_chunk other, c = begin_two_threads(tb, &other);

    (void)tb_event(&other, RLN__MARK, 1, 5);
    (void)tb_event(&c, RLN__PUSH, 1, 10);
    (void)tb_event(&c, RLN__PUSH, 3, 20);
    (void)tb_event(&c, RLN__POP, 0, 30);
    (void)tb_event(&c, RLN__POP, 1, 40);
}

/* Open where events were lost; and one that is begun later. */
static void build_lost(struct tb *tb)
{
    struct tb_chunk other, c = begin_two_threads(tb, &other);

    (void)tb_event(&other, RLN__MARK, 1, 5);
    (void)tb_event(&c, RLN__PUSH, 1, 10);
    tb_depths(&c, RLN__SUB_GAP, 100, 42, 0, 1);
    (void)tb_event(&c, RLN__PUSH, 2, 110);
}

#define UNUSED_IO                                                                      \
    {                                                                                  \
        RLN_FINDING_UNUSED_DOMAIN, 1, -1, 0, ""                                        \
    }

static void a_single_oddity_is_found(void **state)
{
    (void)state;
    EXPECT(build_ended_elsewhere, {RLN_FINDING_ENDED_ELSEWHERE, 1, 10, 100, "step"},
           UNUSED_IO);
    EXPECT(build_ended_before_it_is_read,
           {RLN_FINDING_ENDED_ELSEWHERE, 1, 10, 101, "step"}, UNUSED_IO);
    EXPECT(build_unknown_end, {RLN_FINDING_UNKNOWN_END, 1, 20, 100, ""}, UNUSED_IO);
    EXPECT(build_ended_twice, {RLN_FINDING_ENDED_TWICE, 1, 30, 100, "step"}, UNUSED_IO);
    EXPECT(build_ended_twice_elsewhere, {RLN_FINDING_ENDED_TWICE, 1, 30, 100, "step"},
           {RLN_FINDING_ENDED_ELSEWHERE, 1, 10, 101, "step"}, UNUSED_IO);
    EXPECT(build_crossing, {RLN_FINDING_CROSSED, 1, 20, 100, "load"});
    EXPECT(build_lost, {RLN_FINDING_LOST, 42, -1, 100, ""},
           {RLN_FINDING_NEVER_CLOSED, 1, 110, 100, "load"}, UNUSED_IO);
}

static void only_pops_are_counted_as_unmatched_pops(void **state)
{
    rln_reader *reader = open_scenario(build_ended_twice_elsewhere);
    rln_info *info;

    (void)state;
    assert_int_equal(rln_info_open(reader, &info, NULL), RLN_OK);
    assert_int_equal(rln_info_totals(info)->n_unmatched, 0);
    rln_info_close(info);
    rln_reader_close(reader);
}

/* The same error three times; and a pop on one thread of another thread's push. */
static void build_threads(struct tb *tb)
{
    struct tb_chunk a, b;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    a = tb_events(tb, 1, 1, 100);
    b = tb_events(tb, 1, 2, 101);
    (void)tb_event(&a, RLN__PUSH, 1, 100);
    (void)tb_event(&b, RLN__POP, 0, 110);
    (void)tb_event(&b, RLN__POP, 0, 120);
    (void)tb_event(&b, RLN__POP, 0, 130);
    (void)tb_event(&b, RLN__POP, 1, 140); /* that domain has no push */
}

static void a_pop_on_the_wrong_thread_names_the_right_one(void **state)
{
    rln_reader *reader = open_scenario(build_threads);
    const rln_finding *f;
    rln_check *check;

    (void)state;
    EXPECT(build_threads, {RLN_FINDING_UNMATCHED_POP, 2, 120, 101, ""},
           {RLN_FINDING_UNMATCHED_POP, 1, 140, 101, ""},
           {RLN_FINDING_WRONG_THREAD, 1, 110, 101, "step"},
           {RLN_FINDING_NEVER_CLOSED, 1, 100, 100, "step"});
    assert_int_equal(rln_check_new(reader, &check, NULL), RLN_OK);
    f = rln_check_at(check, 2);
    assert_int_equal(f->other_tid, 100);
    rln_check_free(check);
    rln_reader_close(reader);
}

/* The pop comes before the push that is never closed. */
static void build_later(struct tb *tb)
{
    struct tb_chunk a, b;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    a = tb_events(tb, 1, 1, 100);
    b = tb_events(tb, 1, 2, 101);
    (void)tb_event(&b, RLN__POP, 0, 90);
    (void)tb_event(&a, RLN__PUSH, 1, 100);
}

static void a_pop_is_not_that_of_a_later_range(void **state)
{
    (void)state;
    EXPECT(build_later, {RLN_FINDING_UNMATCHED_POP, 1, 90, 101, ""},
           {RLN_FINDING_NEVER_CLOSED, 1, 100, 100, "step"},
           {RLN_FINDING_UNUSED_DOMAIN, 1, -1, 0, ""});
}

/* One pop too many on a thread, while other threads have open ranges that it was not
 * meant for. */
static void build_ambiguous(struct tb *tb)
{
    struct tb_chunk a, b, c;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    a = tb_events(tb, 1, 1, 100);
    b = tb_events(tb, 1, 2, 101);
    c = tb_events(tb, 1, 3, 102);
    (void)tb_event(&a, RLN__PUSH, 1, 100); /* never closed */
    (void)tb_event(&a, RLN__PUSH, 1, 110);
    (void)tb_event(&b, RLN__POP, 0, 120); /* an inner range was open */
    (void)tb_event(&a, RLN__POP, 0, 130);
    (void)tb_event(&c, RLN__PUSH, 1, 140);
    (void)tb_event(&b, RLN__POP, 0, 150); /* two threads had one open */
    (void)tb_event(&c, RLN__POP, 0, 160);
}

static void a_pop_too_many_is_not_blamed_on_a_bystander(void **state)
{
    (void)state;
    EXPECT(build_ambiguous, {RLN_FINDING_UNMATCHED_POP, 2, 120, 101, ""},
           {RLN_FINDING_NEVER_CLOSED, 1, 100, 100, "step"},
           {RLN_FINDING_UNUSED_DOMAIN, 1, -1, 0, ""});
}

/* A thread that closes its own ranges, and then pops once too often, while a bystander
 * has a range open to the end. */
static void build_own_pops(struct tb *tb)
{
    struct tb_chunk a, b;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    a = tb_events(tb, 1, 1, 100);
    b = tb_events(tb, 1, 2, 101);
    (void)tb_event(&a, RLN__PUSH, 1, 100); /* never closed */
    (void)tb_event(&b, RLN__PUSH, 1, 110);
    (void)tb_event(&b, RLN__POP, 0, 120);
    (void)tb_event(&b, RLN__POP, 0, 130);
}

static void a_pop_too_many_is_its_own_threads(void **state)
{
    (void)state;
    EXPECT(build_own_pops, {RLN_FINDING_UNMATCHED_POP, 1, 130, 101, ""},
           {RLN_FINDING_NEVER_CLOSED, 1, 100, 100, "step"},
           {RLN_FINDING_UNUSED_DOMAIN, 1, -1, 0, ""});
}

/* The work of a check reads the trace from beginning to end, perhaps several times. */
static void note_share(void *context, double share)
{
    double *most = context;

    assert_true(share >= 0 && share < 1);
    if (share > *most)
        *most = share;
}

static void a_check_reports_its_progress(void **state)
{
    rln_reader *reader = open_scenario(build_ambiguous);
    rln_check *check;
    double most = -1;

    (void)state;
    rln__reader_set_progress(reader, note_share, &most);
    assert_int_equal(rln_check_new(reader, &check, NULL), RLN_OK);
    assert_true(most > 0.5);
    rln_check_free(check);
    rln_reader_close(reader);
}

/* step |--------|       the range of the domain io closes after the one around it
 *   io:load |------| */
static void build_crossed(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    (void)tb_event(&c, RLN__PUSH, 1, 100);
    (void)tb_event(&c, RLN__PUSH, 3, 200);
    (void)tb_event(&c, RLN__POP, 0, 300);
    (void)tb_event(&c, RLN__POP, 1, 400);
    (void)tb_event(&c, RLN__PUSH, 1, 500); /* and one that does not */
    (void)tb_event(&c, RLN__PUSH, 3, 600);
    (void)tb_event(&c, RLN__POP, 1, 700);
    (void)tb_event(&c, RLN__POP, 0, 800);
}

static void ranges_of_two_domains_that_cross(void **state)
{
    rln_reader *reader = open_scenario(build_crossed);
    const rln_finding *f;
    rln_check *check;

    (void)state;
    EXPECT(build_crossed, {RLN_FINDING_CROSSED, 1, 200, 100, "load"});
    assert_int_equal(rln_check_new(reader, &check, NULL), RLN_OK);
    f = rln_check_at(check, 0);
    assert_memory_equal(f->other.bytes, "step", 4);
    assert_null(f->other_domain_name.bytes);
    rln_check_free(check);
    rln_reader_close(reader);
}

#define MANY 1500u

/* In one domain, most names are used only once; in another, few names, each twice. The
 * first name is one of many used once, so it need not be the example. */
static void build_names(struct tb *tb)
{
    struct tb_chunk n, c;
    char text[16];

    (void)tb_part(tb, 1);
    n = tb_names(tb, 1);
    (void)tb_process(&n, 1, 0, 100);
    tb_string(&n, 1, "io");
    tb_domain(&n, 1, 1);
    for (uint32_t i = 2; i < MANY; i++) {
        if (i % 100 == 0)
            n = tb_names(tb, 1);
        (void)snprintf(text, sizeof(text), i == 2 ? "main" : "step %u", i);
        tb_string(&n, i, text);
        tb_attributes(&n, i, i % 10 == 0, i);
    }
    c = tb_events(tb, 1, 1, 100);
    for (uint32_t i = 2; i < MANY; i++)
        (void)tb_event(&c, RLN__MARK, i, i);
}

static void names_that_differ_at_each_call(void **state)
{
    (void)state;
    EXPECT(build_names, {RLN_FINDING_MANY_NAMES, 1349, -1, 0, "step 1138"});
}

/* One registered message, and a plain one, each used RLN_CHECK_HOT times. */
static void build_hot(struct tb *tb)
{
    struct tb_chunk c = {0};

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    for (uint32_t i = 0; i < RLN_CHECK_HOT; i++) {
        if (i % 1000 == 0)
            c = tb_events(tb, 1, 1, 100);
        (void)tb_event(&c, RLN__MARK, 1, i);
        (void)tb_event(&c, RLN__MARK, 3, i);
    }
}

static void plain_messages_that_are_used_very_often(void **state)
{
    (void)state;
    EXPECT(build_hot, {RLN_FINDING_HOT_STRING, RLN_CHECK_HOT, -1, 0, "step"});
}

/* A chunk a second; from the third on, the system's clock is behind. */
static void build_late(struct tb *tb, uint64_t late_ns)
{
    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    for (uint64_t i = 1; i < 6; i++) {
        const size_t at = tb->size;
        struct tb_chunk c =
            tb_chunk_at(tb, RLN__CHUNK_EVENTS, 1, 1, 100, i * 1000000000);
        struct rln__chunk_header *h = tb_at(tb, at);

        (void)tb_event(&c, RLN__MARK, 3, 1);
        if (i > 2)
            h->base_monotonic_ns -= late_ns;
    }
}

static void build_sleep(struct tb *tb)
{
    build_late(tb, 500000000);
}

static void build_slow(struct tb *tb)
{
    build_late(tb, 10000000);
}

static void build_busy(struct tb *tb)
{
    build_late(tb, 100000);
}

static void a_clock_that_jumps_or_ran_unsteadily(void **state)
{
    (void)state;
    EXPECT(build_sleep, {RLN_FINDING_CLOCK, 3, -1, 0, ""});
    EXPECT(build_slow, {RLN_FINDING_CLOCK, 1, 2000000000, 0, ""});
    expect(build_busy, NULL, 0);
}

/* A record that does not fit its chunk. */
static void build_damaged(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    (void)tb_event(&c, RLN__MARK, 1, 10);
    (void)tb_word(&c, rln__long_word(RLN__LONG, RLN__SUB_EVENT, 100000));
}

static void damage_is_found_with_its_file_and_offset(void **state)
{
    struct tb tb = {0};
    rln_reader *reader;
    rln_check *check;
    const rln_finding *f;
    const char *path;

    (void)state;
    build_damaged(&tb);
    path = temp_file(tb.bytes, tb.size);
    assert_int_equal(rln_reader_open(&path, 1, &reader, NULL), RLN_OK);
    assert_int_equal(rln_check_new(reader, &check, NULL), RLN_OK);
    f = rln_check_at(check, 0);
    assert_non_null(f);
    assert_int_equal(f->kind, RLN_FINDING_DAMAGED);
    assert_string_equal(f->message.bytes, path);
    assert_string_equal(f->other.bytes, "a record does not fit its chunk");
    assert_true(f->offset >= RLN__SUPERBLOCK_BYTES && f->offset < tb.size);
    rln_check_free(check);
    rln_reader_close(reader);
    (void)unlink(path);
    tb_clear(&tb);
}

/* Three samples with times of a clock that nothing ties to the tool's. */
static void build_unplaced(struct tb *tb)
{
    const int64_t values[] = {3, 4, 5}, times[] = {10, 20, 30};
    const uint64_t counter[] = {UINT64_C(1) << 32, 0};
    struct tb_chunk n, d;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    n = tb_names(tb, 1);
    d = tb_chunk_at(tb, RLN__CHUNK_DEFERRED, 1, 0, 0, 0);
    sd_time_semantics(&n, 1, 1000);
    sd_counter(&n, 0, 1, 0, SD_INT64, 1);
    sd_batch(&d, RLN__SUB_COUNTER_BATCH, 500, counter, 2, values, 24, times, 24);
}

static void events_of_a_clock_that_is_not_tied_are_found(void **state)
{
    (void)state;
    EXPECT(build_unplaced, {RLN_FINDING_UNPLACED, 3, -1, 0, ""});
}

/* Fails each allocation in turn. */
static void every_failed_allocation_is_reported_and_nothing_leaks(void **state)
{
    rln_reader *reader = open_scenario(sc_startend);
    rln_status status = RLN_ERR_NOMEM;

    (void)state;
    for (size_t n = 1; status == RLN_ERR_NOMEM; n++) {
        rln_check *check;

        assert_true(n < 10000);
        rln__alloc_fail_from(n);
        status = rln_check_new(reader, &check, NULL);
        rln__alloc_fail_from(0);
        rln_check_free(check);
    }
    assert_int_equal(status, RLN_OK);
    rln_reader_close(reader);
}

static void every_kind_has_a_name_and_says_what_to_do(void **state)
{
    (void)state;
    for (unsigned kind = 1; kind <= RLN_FINDING_GPU_LOST; kind++) {
        assert_non_null(rln__check_finding_name(kind));
    }
    assert_null(rln__check_finding_name(0));
    assert_null(rln__check_finding_name(RLN_FINDING_GPU_LOST + 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pop_without_a_push_and_a_push_without_a_pop),
        cmocka_unit_test(pops_of_the_parents_ranges_are_right),
        cmocka_unit_test(lost_events_are_not_blamed_on_the_program),
        cmocka_unit_test(every_kind_of_loss_is_found),
        cmocka_unit_test(unmatched_and_second_ends_are_distinguished),
        cmocka_unit_test(a_single_oddity_is_found),
        cmocka_unit_test(only_pops_are_counted_as_unmatched_pops),
        cmocka_unit_test(a_pop_on_the_wrong_thread_names_the_right_one),
        cmocka_unit_test(a_pop_too_many_is_not_blamed_on_a_bystander),
        cmocka_unit_test(a_pop_too_many_is_its_own_threads),
        cmocka_unit_test(a_check_reports_its_progress),
        cmocka_unit_test(a_pop_is_not_that_of_a_later_range),
        cmocka_unit_test(ranges_of_two_domains_that_cross),
        cmocka_unit_test(names_that_differ_at_each_call),
        cmocka_unit_test(plain_messages_that_are_used_very_often),
        cmocka_unit_test(a_clock_that_jumps_or_ran_unsteadily),
        cmocka_unit_test(damage_is_found_with_its_file_and_offset),
        cmocka_unit_test(events_of_a_clock_that_is_not_tied_are_found),
        cmocka_unit_test(every_failed_allocation_is_reported_and_nothing_leaks),
        cmocka_unit_test(every_kind_has_a_name_and_says_what_to_do),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
