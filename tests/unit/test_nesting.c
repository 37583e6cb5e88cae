/* SPDX-License-Identifier: Apache-2.0 */
/* test_nesting.c - reports of single push/pop ranges have the right parents, gaps,
 * overlaps and pace. */
#include "base/alloc.h"
#include "export/exporter.h"
#include "rangeline/report.h"
#include "ranges/event_filter.h"
#include "ranges/nesting_order.h"
#include "reports/report_set.h"
#include "temp_trace.h"
#include "trace/open/load.h"

struct expected {
    int64_t start_ns, end_ns;
    uint64_t children_ns;
    size_t parent;
    uint32_t level, n_children, flags;
    const char *message;
};

#define NO_PARENT SIZE_MAX

static void expect(void (*build)(struct tb *tb), const struct expected *rows, size_t n)
{
    rln_reader *reader = open_scenario(build);
    struct rln__nesting *nesting;
    struct rln__nesting_row r;

    assert_int_equal(rln__nesting_new(reader, &nesting, NULL), RLN_OK);
    assert_int_equal(rln__nesting_count(nesting), n);
    for (size_t i = 0; i < n; i++) {
        const struct expected *e = &rows[i];

        r = rln__nesting_at(nesting, i);
        assert_int_equal(r.start_ns, e->start_ns);
        assert_int_equal(r.end_ns, e->end_ns);
        assert_int_equal(r.children_ns, e->children_ns);
        assert_int_equal(r.parent, e->parent);
        assert_int_equal(r.level, e->level);
        assert_int_equal(r.n_children, e->n_children);
        assert_int_equal(r.flags, e->flags);
        assert_int_equal(r.message.length, strlen(e->message));
        assert_memory_equal(r.message.bytes, e->message, strlen(e->message));
        assert_true(r.name < rln__nesting_count_names(nesting));
    }
    assert_int_equal(rln__nesting_get(nesting, n, &r), 0);
    rln__nesting_free(nesting);
    rln_reader_close(reader);
}

#define EXPECT(build, ...)                                                             \
    expect(build, (const struct expected[]){__VA_ARGS__},                              \
           sizeof((const struct expected[]){__VA_ARGS__}) / sizeof(struct expected))

static void ranges_have_parents_and_time_inside(void **state)
{
    (void)state;
    EXPECT(sc_nested, {0, 100000, 40000, NO_PARENT, 0, 1, 0, "step"},
           {10000, 50000, 0, 0, 1, 0, 0, "load"},
           {120000, 120000, 0, NO_PARENT, 0, 0, RLN_FLAG_OPEN, "load"});
}

static void what_may_have_ended_unseen_is_left_out(void **state)
{
    (void)state;
    EXPECT(sc_gap, {110, 120, 0, NO_PARENT, 0, 0, 0, "load"});
}

/* step [100, 300] ends before the range of the domain io [200, 400] that began inside.
 */
static void build_crossed(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    (void)tb_event(&c, RLN__PUSH, 1, 100);
    (void)tb_event(&c, RLN__PUSH, 3, 200);
    (void)tb_event(&c, RLN__POP, 0, 300);
    (void)tb_event(&c, RLN__PUSH, 2, 350); /* inside the one still open */
    (void)tb_event(&c, RLN__POP, 0, 360);
    (void)tb_event(&c, RLN__POP, 1, 400);
}

static void a_parent_encloses_its_children_where_domains_cross(void **state)
{
    (void)state;
    EXPECT(build_crossed, {100, 300, 0, NO_PARENT, 0, 0, 0, "step"},
           {200, 400, 10, NO_PARENT, 0, 1, 0, "load"},
           {350, 360, 0, 1, 1, 0, 0, "load"});
}

/* After these, another two that cross, and a separate one. */
static void build_overlaps(struct tb *tb)
{
    struct tb_chunk c;

    build_crossed(tb);
    c = tb_events(tb, 1, 1, 100);
    (void)tb_event(&c, RLN__PUSH, 3, 440); /* io [440, 520] around load [450, 460] */
    (void)tb_event(&c, RLN__PUSH, 2, 450);
    (void)tb_event(&c, RLN__POP, 0, 460);
    (void)tb_event(&c, RLN__PUSH, 1, 510); /* crosses the end of io */
    (void)tb_event(&c, RLN__POP, 1, 520);
    (void)tb_event(&c, RLN__POP, 0, 540);
    (void)tb_event(&c, RLN__PUSH, 2, 600);
    (void)tb_event(&c, RLN__POP, 0, 610);
}

static rln_report *report_of(rln_reader *reader, const char *name, const char *argument)
{
    const rln_report_request request = {.name = name, .argument = argument};
    struct rln__reports *reports;
    rln_report *report;

    assert_int_equal(rln__reports_new(reader, &request, 1, &reports, NULL), RLN_OK);
    assert_int_equal(rln__reports_build(reports, 0, &report, NULL), RLN_OK);
    rln__reports_free(reports);
    return report;
}

static void expect_ns(const rln_report *report, size_t row, size_t column, int64_t ns)
{
    assert_int_equal((int64_t)rln_report_cell(report, row, column).number, ns);
}

static void expect_text(const rln_report *report, size_t row, size_t column,
                        const char *text)
{
    const rln_text found = rln_report_cell(report, row, column).text;

    assert_int_equal(found.length, strlen(text));
    assert_memory_equal(found.bytes, text, strlen(text));
}

enum { GAPS_TOTAL = 1, GAPS_N, GAPS_MED = 4, GAPS_MIN, GAPS_MAX, AFTER, BEFORE };

static void a_gap_is_what_no_domain_has_a_range_in(void **state)
{
    rln_reader *reader = open_scenario(build_overlaps);
    rln_report *gaps = report_of(reader, "gaps", NULL);

    (void)state;
    assert_int_equal(rln_report_count_rows(gaps), 2); /* [540, 600] and [400, 440] */
    expect_ns(gaps, 0, GAPS_TOTAL, 60);
    expect_text(gaps, 0, AFTER, ":step");
    expect_ns(gaps, 1, GAPS_TOTAL, 40);
    expect_text(gaps, 1, AFTER, "io:load");
    rln_report_free(gaps);
    rln_reader_close(reader);
}

/* step [0, 100] us contains load [10, 50] us, which a filter leaves out. */
static void a_filter_excludes_children_but_not_their_time(void **state)
{
    rln_reader *reader = open_scenario(sc_nested);
    rln_filter *filter;
    struct rln__nesting *nesting;
    struct rln__nesting_row r;

    (void)state;
    assert_int_equal(rln_filter_new(&filter, NULL), RLN_OK);
    assert_int_equal(rln_filter_add(filter, RLN_FILTER_NAME, "step", NULL), RLN_OK);
    rln_reader_set_filter(reader, filter);
    assert_int_equal(rln__nesting_new(reader, &nesting, NULL), RLN_OK);
    assert_int_equal(rln__nesting_count(nesting), 1);
    assert_int_equal(rln__nesting_get(nesting, 0, &r), 1);
    assert_int_equal(r.n_children, 0);
    assert_int_equal(r.children_ns, 0);
    assert_int_equal(r.self_ns, 60000);
    rln__nesting_free(nesting);
    rln_reader_close(reader);
    rln_filter_free(filter);
}

static void deferred_ranges_nest_among_each_other(void **state)
{
    rln_reader *reader = open_scenario(sc_deferred);
    struct rln__nesting *nesting;
    struct rln__nesting_row r, parent;
    size_t n_deferred = 0, n_inside = 0;

    (void)state;
    assert_int_equal(rln__nesting_new(reader, &nesting, NULL), RLN_OK);
    for (size_t i = 0; rln__nesting_get(nesting, i, &r); i++) {
        n_deferred += (r.flags & RLN_FLAG_DEFERRED) != 0;
        if (!rln__nesting_get(nesting, r.parent, &parent))
            continue;
        n_inside++;
        assert_memory_equal(r.message.bytes, "inner", 5);
        assert_memory_equal(parent.message.bytes, "outer", 5);
    }
    assert_int_equal(n_deferred, 5); /* late, outer, inner, cross and moment */
    assert_int_equal(n_inside, 1);
    rln__nesting_free(nesting);
    rln_reader_close(reader);
}

/* Whether a row comes before another: by time, then deferred ones first, then as made. */
static int is_first(const struct rln__nested *rows, size_t first_deferred, size_t a,
                    size_t b)
{
    const int a_is_deferred = a >= first_deferred, b_is_deferred = b >= first_deferred;

    if (rows[a].order_ns != rows[b].order_ns)
        return rows[a].order_ns < rows[b].order_ns;
    return a_is_deferred != b_is_deferred ? a_is_deferred : a < b;
}

static void rows_of_all_threads_are_put_in_the_order_of_time(void **state)
{
    unsigned random = 1;

    (void)state;
    for (size_t n = 0; n < 400; n++) {
        struct rln__spill spill = {0};
        struct rln__nesting_order order;
        struct rln__nested *rows;
        size_t before = 0, at, n_given = 0, first_deferred;
        int64_t t_ns = 0;

        assert_int_equal(rln__spill_room(&spill, n + 1, sizeof(*rows), NULL), RLN_OK);
        rows = spill.items;
        for (size_t i = 0; i < n; i++) {
            random = random * 1664525 + 1013904223;
            t_ns =
                random >> 28 ? t_ns + (random >> 20) % 4 : (int64_t)((random >> 8) % n);
            rows[i].order_ns = t_ns;
        }
        first_deferred = n ? (random >> 8) % (n + 1) : 0;
        assert_int_equal(
            rln__nesting_order_init(&order, &spill, n, first_deferred, NULL), RLN_OK);
        for (; rln__nesting_order_next(&order, &spill, &at); n_given++, before = at)
            assert_true(!n_given || is_first(rows, first_deferred, before, at));
        assert_int_equal(n_given, n);
        rln__nesting_order_clear(&order);
        rln__spill_clear(&spill);
    }
}

static void ranges_that_were_open_before_their_window_are_marked(void **state)
{
    rln_reader *reader = open_scenario(sc_windows);
    struct rln__nesting *nesting;
    size_t n_resumed = 0;
    struct rln__nesting_row r;

    (void)state;
    assert_int_equal(rln__nesting_new(reader, &nesting, NULL), RLN_OK);
    for (size_t i = 0; rln__nesting_get(nesting, i, &r); i++)
        n_resumed += (r.flags & RLN_FLAG_RESUMED) != 0;
    assert_int_equal(n_resumed, 3);
    rln__nesting_free(nesting);
    rln_reader_close(reader);
}

/* Steps of 10 ns per thread, their starts 100 ns apart; the last one comes late and
 * takes 90 ns, most of them inside "load". A second thread runs in between. */
static void build_steps(struct tb *tb)
{
    struct tb_chunk c, other;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    other = tb_events(tb, 1, 2, 101);
    for (uint64_t i = 0; i < 11; i++) {
        (void)tb_event(&c, RLN__PUSH, 1, i * 100);
        (void)tb_event(&c, RLN__POP, 0, i * 100 + 10);
    }
    (void)tb_event(&c, RLN__PUSH, 1, 1150);
    (void)tb_event(&c, RLN__PUSH, 2, 1155);
    (void)tb_event(&c, RLN__POP, 0, 1160);
    (void)tb_event(&c, RLN__PUSH, 3, 1160);
    (void)tb_event(&c, RLN__POP, 1, 1230);
    (void)tb_event(&c, RLN__POP, 0, 1240);
    (void)tb_event(&other, RLN__PUSH, 2, 5);
    (void)tb_event(&other, RLN__POP, 0, 15);
    (void)tb_event(&other, RLN__PUSH, 1, 45);
    (void)tb_event(&other, RLN__POP, 0, 55);
}

static void gaps_are_between_outermost_ranges_of_a_thread(void **state)
{
    rln_reader *reader = open_scenario(build_steps);
    rln_report *gaps = report_of(reader, "gaps", NULL);

    (void)state;
    assert_int_equal(rln_report_count_rows(gaps), 2);
    expect_text(gaps, 0, AFTER, ":step");
    expect_text(gaps, 0, BEFORE, ":step");
    expect_ns(gaps, 0, GAPS_N, 11);
    expect_ns(gaps, 0, GAPS_TOTAL, 10 * 90 + 140);
    expect_ns(gaps, 0, GAPS_MIN, 90);
    expect_ns(gaps, 0, GAPS_MAX, 140);
    expect_ns(gaps, 0, GAPS_MED, 90);
    expect_text(gaps, 1, AFTER, ":load");
    expect_ns(gaps, 1, GAPS_TOTAL, 30);
    rln_report_free(gaps);
    rln_reader_close(reader);
}

enum { EXCESS, MEDIAN = 2, START = 4, CHILD = 9, CHILD_NS };

static void an_outlier_names_the_child_that_took_longest(void **state)
{
    rln_reader *reader = open_scenario(build_steps);
    rln_report *outliers = report_of(reader, "outliers", NULL);

    (void)state;
    assert_int_equal(rln_report_count_rows(outliers), 1);
    expect_ns(outliers, 0, MEDIAN, 10);
    expect_ns(outliers, 0, EXCESS, 80);
    expect_ns(outliers, 0, START, 1150);
    expect_text(outliers, 0, CHILD, "io:load");
    expect_ns(outliers, 0, CHILD_NS, 1230 - 1160);
    rln_report_free(outliers);
    rln_reader_close(reader);
}

/* More outliers than are kept; the largest are kept. */
static void build_outliers(struct tb *tb)
{
    struct tb_chunk c;
    uint64_t t = 0;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    for (uint64_t i = 0; i < 100; i++) {
        (void)tb_event(&c, RLN__PUSH, 1, t);
        (void)tb_event(&c, RLN__POP, 0, t += i % 3 == 0 ? 100 + i * 37 % 100 : 10);
    }
}

static void the_largest_outliers_are_kept(void **state)
{
    rln_reader *reader = open_scenario(build_outliers);
    rln_report *outliers = report_of(reader, "outliers", NULL);

    (void)state;
    assert_int_equal(rln_report_count_rows(outliers), 20); /* of 34 */
    /* i * 37 % 100 of multiples of three: 99 at 27, 96 at 48, 93 at 69, 91 at 3 ... */
    for (size_t i = 1; i < 20; i++)
        assert_true(rln_report_cell(outliers, i - 1, EXCESS).number >=
                    rln_report_cell(outliers, i, EXCESS).number);
    expect_ns(outliers, 0, EXCESS, 199 - 10);
    rln_report_free(outliers);
    rln_reader_close(reader);
}

enum { PACE_START = 1, DURATION, GAP, PERIOD, DRIFT };

static void pace_is_that_of_each_thread(void **state)
{
    static const struct {
        const char *name;
        size_t n;
    } names[] = {{"io:load", 1}, {":load", 2}, {"load", 3}, {"other", 0}};
    rln_reader *reader = open_scenario(build_steps);
    rln_report *pace = report_of(reader, "pace", "step");

    (void)state;
    assert_int_equal(rln_report_count_rows(pace), 13);
    assert_int_equal(rln_report_cell(pace, 0, GAP).kind, RLN_CELL_EMPTY);
    expect_ns(pace, 1, PACE_START, 45); /* the other thread's */
    assert_int_equal(rln_report_cell(pace, 1, GAP).kind, RLN_CELL_EMPTY);
    expect_ns(pace, 2, GAP, 90);
    expect_ns(pace, 2, PERIOD, 100);
    expect_ns(pace, 2, DRIFT, 0);
    expect_ns(pace, 12, GAP, 140);
    expect_ns(pace, 12, DRIFT, 50);
    rln_report_free(pace);
    assert_int_equal(rln_reader_select_time(reader, 105, 1200, NULL), RLN_OK);
    pace = report_of(reader, "pace", "step");
    assert_int_equal(rln_report_count_rows(pace), 11);
    expect_ns(pace, 0, PACE_START, 105); /* began at 100, is cut */
    expect_ns(pace, 0, DURATION, 5);
    expect_ns(pace, 10, PACE_START, 1150);
    expect_ns(pace, 10, DURATION, 50);
    rln_report_free(pace);
    assert_int_equal(rln_reader_select_window(reader, RLN_ALL_WINDOWS, NULL), RLN_OK);
    for (size_t i = 0; i < 4; i++) {
        pace = report_of(reader, "pace", names[i].name);
        assert_int_equal(rln_report_count_rows(pace), names[i].n);
        rln_report_free(pace);
    }
    rln_reader_close(reader);
}

static rln_status all_of(rln_reader *reader)
{
    static const rln_report_request requests[] = {
        {.name = "gaps"}, {.name = "outliers"}, {.name = "pace", .argument = "step"}};
    struct rln__reports *reports;
    rln_report *report;
    rln_status status = rln__reports_new(reader, requests, 3, &reports, NULL);

    for (size_t i = 0; i < 3 && !status; i++) {
        status = rln__reports_build(reports, i, &report, NULL);
        rln_report_free(report);
    }
    rln__reports_free(reports);
    return status;
}

static void every_failed_allocation_is_reported_and_nothing_leaks(void **state)
{
    rln_reader *reader = open_scenario(build_steps);
    rln_status status = RLN_ERR_NOMEM;

    (void)state;
    for (size_t n = 1; status == RLN_ERR_NOMEM; n++) {
        assert_true(n < 10000);
        rln__alloc_fail_from(n);
        status = all_of(reader);
        rln__alloc_fail_from(0);
    }
    assert_int_equal(status, RLN_OK);
    rln_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_have_parents_and_time_inside),
        cmocka_unit_test(what_may_have_ended_unseen_is_left_out),
        cmocka_unit_test(a_parent_encloses_its_children_where_domains_cross),
        cmocka_unit_test(a_gap_is_what_no_domain_has_a_range_in),
        cmocka_unit_test(a_filter_excludes_children_but_not_their_time),
        cmocka_unit_test(deferred_ranges_nest_among_each_other),
        cmocka_unit_test(rows_of_all_threads_are_put_in_the_order_of_time),
        cmocka_unit_test(ranges_that_were_open_before_their_window_are_marked),
        cmocka_unit_test(gaps_are_between_outermost_ranges_of_a_thread),
        cmocka_unit_test(an_outlier_names_the_child_that_took_longest),
        cmocka_unit_test(the_largest_outliers_are_kept),
        cmocka_unit_test(pace_is_that_of_each_thread),
        cmocka_unit_test(every_failed_allocation_is_reported_and_nothing_leaks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
