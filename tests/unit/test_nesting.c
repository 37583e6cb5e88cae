/* SPDX-License-Identifier: Apache-2.0 */
/* test_nesting.c - reports of single push/pop ranges have the right parents, gaps,
 * overlaps and pace. */
#include <math.h>

#include "base/alloc.h"
#include "rangeline/nesting.h"
#include "ranges/event_filter.h"
#include "reports/gaps.h"
#include "reports/outliers.h"
#include "reports/pace.h"
#include "temp_trace.h"

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
    rln_nesting *nesting;
    rln_nesting_row r;

    assert_int_equal(rln_nesting_new(reader, &nesting, NULL), RLN_OK);
    assert_int_equal(rln_nesting_count(nesting), n);
    for (size_t i = 0; i < n; i++) {
        const struct expected *e = &rows[i];

        assert_int_equal(rln_nesting_get(nesting, i, &r), 1);
        assert_int_equal(r.start_ns, e->start_ns);
        assert_int_equal(r.end_ns, e->end_ns);
        assert_int_equal(r.children_ns, e->children_ns);
        assert_int_equal(r.parent, e->parent);
        assert_int_equal(r.level, e->level);
        assert_int_equal(r.n_children, e->n_children);
        assert_int_equal(r.flags, e->flags);
        assert_int_equal(r.message.length, strlen(e->message));
        assert_memory_equal(r.message.bytes, e->message, strlen(e->message));
        assert_true(r.name < rln_nesting_count_names(nesting));
    }
    assert_int_equal(rln_nesting_get(nesting, n, &r), 0);
    rln_nesting_free(nesting);
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

static void a_gap_is_what_no_domain_has_a_range_in(void **state)
{
    rln_reader *reader = open_scenario(build_overlaps);
    struct rln__gaps gaps;
    rln_nesting *nesting;

    (void)state;
    assert_int_equal(rln_nesting_new(reader, &nesting, NULL), RLN_OK);
    assert_int_equal(rln__gaps_find(nesting, &gaps, NULL), RLN_OK);
    assert_int_equal(gaps.n, 2); /* [540, 600] and [400, 440] */
    assert_int_equal(gaps.rows[0].ns.total, 60);
    assert_memory_equal(gaps.rows[0].after.message.bytes, "step", 4);
    assert_int_equal(gaps.rows[1].ns.total, 40);
    assert_int_equal(gaps.rows[1].after.domain_name.length, 2); /* io */
    rln__gaps_clear(&gaps);
    rln_nesting_free(nesting);
    rln_reader_close(reader);
}

/* step [0, 100] us contains load [10, 50] us, which a filter leaves out. */
static void a_filter_excludes_children_but_not_their_time(void **state)
{
    rln_reader *reader = open_scenario(sc_nested);
    rln_filter *filter;
    rln_nesting *nesting;
    rln_nesting_row r;

    (void)state;
    assert_int_equal(rln_filter_new(&filter, NULL), RLN_OK);
    assert_int_equal(rln_filter_add(filter, RLN_FILTER_NAME, "step", NULL), RLN_OK);
    rln_reader_set_filter(reader, filter);
    assert_int_equal(rln_nesting_new(reader, &nesting, NULL), RLN_OK);
    assert_int_equal(rln_nesting_count(nesting), 1);
    assert_int_equal(rln_nesting_get(nesting, 0, &r), 1);
    assert_int_equal(r.n_children, 0);
    assert_int_equal(r.children_ns, 0);
    assert_int_equal(r.self_ns, 60000);
    rln_nesting_free(nesting);
    rln_reader_close(reader);
    rln_filter_free(filter);
}

static void deferred_ranges_nest_among_each_other(void **state)
{
    rln_reader *reader = open_scenario(sc_deferred);
    rln_nesting *nesting;
    rln_nesting_row r, parent;
    size_t n_deferred = 0, n_inside = 0;

    (void)state;
    assert_int_equal(rln_nesting_new(reader, &nesting, NULL), RLN_OK);
    for (size_t i = 0; rln_nesting_get(nesting, i, &r); i++) {
        n_deferred += (r.flags & RLN_FLAG_DEFERRED) != 0;
        if (!rln_nesting_get(nesting, r.parent, &parent))
            continue;
        n_inside++;
        assert_memory_equal(r.message.bytes, "inner", 5);
        assert_memory_equal(parent.message.bytes, "outer", 5);
    }
    assert_int_equal(n_deferred, 5); /* late, outer, inner, cross and moment */
    assert_int_equal(n_inside, 1);
    rln_nesting_free(nesting);
    rln_reader_close(reader);
}

static void ranges_that_were_open_before_their_window_are_marked(void **state)
{
    rln_reader *reader = open_scenario(sc_windows);
    rln_nesting *nesting;
    size_t n_resumed = 0;
    rln_nesting_row r;

    (void)state;
    assert_int_equal(rln_nesting_new(reader, &nesting, NULL), RLN_OK);
    for (size_t i = 0; rln_nesting_get(nesting, i, &r); i++)
        n_resumed += (r.flags & RLN_FLAG_RESUMED) != 0;
    assert_int_equal(n_resumed, 3);
    rln_nesting_free(nesting);
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
    struct rln__gaps gaps;
    rln_nesting *nesting;

    (void)state;
    assert_int_equal(rln_nesting_new(reader, &nesting, NULL), RLN_OK);
    assert_int_equal(rln__gaps_find(nesting, &gaps, NULL), RLN_OK);
    assert_int_equal(gaps.n, 2);
    assert_memory_equal(gaps.rows[0].after.message.bytes, "step", 4);
    assert_memory_equal(gaps.rows[0].before.message.bytes, "step", 4);
    assert_int_equal(gaps.rows[0].ns.n, 11);
    assert_int_equal(gaps.rows[0].ns.total, 10 * 90 + 140);
    assert_int_equal(gaps.rows[0].ns.min, 90);
    assert_int_equal(gaps.rows[0].ns.max, 140);
    assert_true(fabs(gaps.rows[0].ns.spread.median - 90) < 1e-9);
    assert_memory_equal(gaps.rows[1].after.message.bytes, "load", 4);
    assert_int_equal(gaps.rows[1].ns.total, 30);
    rln__gaps_clear(&gaps);
    rln_nesting_free(nesting);
    rln_reader_close(reader);
}

static void an_outlier_names_the_child_that_took_longest(void **state)
{
    rln_reader *reader = open_scenario(build_steps);
    struct rln__outliers outliers;
    rln_nesting *nesting;
    rln_nesting_row r;

    (void)state;
    assert_int_equal(rln_nesting_new(reader, &nesting, NULL), RLN_OK);
    assert_int_equal(rln__outliers_find(nesting, 5, &outliers, NULL), RLN_OK);
    assert_int_equal(outliers.n, 1);
    assert_true(fabs(outliers.rows[0].median_ns - 10) < 1e-9);
    assert_true(fabs(outliers.rows[0].excess_ns - 80) < 1e-9);
    assert_int_equal(rln_nesting_get(nesting, outliers.rows[0].range, &r), 1);
    assert_int_equal(r.start_ns, 1150);
    assert_int_equal(rln_nesting_get(nesting, outliers.rows[0].longest_child, &r), 1);
    assert_int_equal(r.start_ns, 1160);
    assert_memory_equal(r.domain_name.bytes, "io", 2);
    rln__outliers_clear(&outliers);
    rln_nesting_free(nesting);
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
    struct rln__outliers outliers;
    rln_nesting *nesting;

    (void)state;
    assert_int_equal(rln_nesting_new(reader, &nesting, NULL), RLN_OK);
    assert_int_equal(rln__outliers_find(nesting, 4, &outliers, NULL), RLN_OK);
    assert_int_equal(outliers.n, 4);
    assert_int_equal(outliers.n_found, 34);
    /* i * 37 % 100 of multiples of three: 99 at 27, 96 at 48, 93 at 69, 91 at 3 ... */
    for (size_t i = 1; i < 4; i++)
        assert_true(outliers.rows[i - 1].excess_ns >= outliers.rows[i].excess_ns);
    assert_true(fabs(outliers.rows[0].excess_ns - (199 - 10)) < 1e-9);
    rln__outliers_clear(&outliers);
    rln_nesting_free(nesting);
    rln_reader_close(reader);
}

static void pace_is_that_of_each_thread(void **state)
{
    rln_reader *reader = open_scenario(build_steps);
    struct rln__pace pace;

    (void)state;
    assert_int_equal(rln__pace_find(reader, "step", &pace, NULL), RLN_OK);
    assert_int_equal(pace.n, 13);
    assert_int_equal(pace.rows[0].is_first, 1);
    assert_int_equal(pace.rows[1].start_ns, 45); /* the other thread's */
    assert_int_equal(pace.rows[1].is_first, 1);
    assert_int_equal(pace.rows[2].gap_ns, 90);
    assert_int_equal(pace.rows[2].period_ns, 100);
    assert_int_equal(pace.rows[2].drift_ns, 0);
    assert_int_equal(pace.rows[12].gap_ns, 140);
    assert_int_equal(pace.rows[12].drift_ns, 50);
    rln__pace_clear(&pace);
    assert_int_equal(rln_reader_select_time(reader, 105, 1200, NULL), RLN_OK);
    assert_int_equal(rln__pace_find(reader, "step", &pace, NULL), RLN_OK);
    assert_int_equal(pace.n, 11);
    assert_int_equal(pace.rows[0].start_ns, 105); /* began at 100, is cut */
    assert_int_equal(pace.rows[0].end_ns, 110);
    assert_int_equal(pace.rows[10].start_ns, 1150);
    assert_int_equal(pace.rows[10].end_ns, 1200);
    rln__pace_clear(&pace);
    assert_int_equal(rln_reader_select_window(reader, RLN_ALL_WINDOWS, NULL), RLN_OK);
    assert_int_equal(rln__pace_find(reader, "io:load", &pace, NULL), RLN_OK);
    assert_int_equal(pace.n, 1);
    rln__pace_clear(&pace);
    assert_int_equal(rln__pace_find(reader, ":load", &pace, NULL), RLN_OK);
    assert_int_equal(pace.n, 2);
    rln__pace_clear(&pace);
    assert_int_equal(rln__pace_find(reader, "load", &pace, NULL), RLN_OK);
    assert_int_equal(pace.n, 3);
    rln__pace_clear(&pace);
    assert_int_equal(rln__pace_find(reader, "other", &pace, NULL), RLN_OK);
    assert_int_equal(pace.n, 0);
    rln__pace_clear(&pace);
    rln_reader_close(reader);
}

static rln_status all_of(rln_reader *reader)
{
    struct rln__outliers outliers = {0};
    struct rln__gaps gaps = {0};
    struct rln__pace pace = {0};
    rln_nesting *nesting;
    rln_status status = rln_nesting_new(reader, &nesting, NULL);

    if (!status)
        status = rln__gaps_find(nesting, &gaps, NULL);
    if (!status)
        status = rln__outliers_find(nesting, 3, &outliers, NULL);
    if (!status)
        status = rln__pace_find(reader, "step", &pace, NULL);
    rln__gaps_clear(&gaps);
    rln__outliers_clear(&outliers);
    rln__pace_clear(&pace);
    rln_nesting_free(nesting);
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
        cmocka_unit_test(ranges_that_were_open_before_their_window_are_marked),
        cmocka_unit_test(gaps_are_between_outermost_ranges_of_a_thread),
        cmocka_unit_test(an_outlier_names_the_child_that_took_longest),
        cmocka_unit_test(the_largest_outliers_are_kept),
        cmocka_unit_test(pace_is_that_of_each_thread),
        cmocka_unit_test(every_failed_allocation_is_reported_and_nothing_leaks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
