/* SPDX-License-Identifier: Apache-2.0 */
/* test_window_list.c - readers list the windows of a trace, and read one of them. */
#include <inttypes.h>

#include "reports/check/info.h"
#include "reports/summary/stats.h"
#include "reports/summary/tree.h"
#include "reports/sums.h"
#include "temp_trace.h"
#include "trace/open/load.h"
#include "trace/open/window_list.h"

/* "part opened-closed by-by events", "open" for one that was not closed. */
static void describe(const struct rln__window_info *w, char *out, size_t size)
{
    (void)snprintf(out, size, "%u %" PRId64 "-%" PRId64 " %u-%u%s %" PRIu64, w->part,
                   w->opened_ns, w->closed_ns, (unsigned)w->opened_by,
                   (unsigned)w->closed_by, w->is_open ? " open" : "", w->n_events);
}

static void check_windows(void (*build)(struct tb *tb), const char *const *expected)
{
    rln_reader *reader = open_scenario(build);
    rln_info *info;
    char line[128];
    size_t n = 0;

    assert_int_equal(rln_info_open(reader, &info, NULL), RLN_OK);
    for (; expected[n]; n++) {
        assert_non_null(rln__info_window(info, n));
        describe(rln__info_window(info, n), line, sizeof(line));
        assert_string_equal(line, expected[n]);
    }
    assert_int_equal(rln__reader_count_windows(reader), n);
    assert_null(rln__info_window(info, n));
    rln_info_close(info);
    rln_reader_close(reader);
}

#define CHECK_WINDOWS(build, ...)                                                      \
    do {                                                                               \
        static const char *const expected[] = {__VA_ARGS__, NULL};                     \
        check_windows(build, expected);                                                \
    } while (0)

static void windows_come_with_what_opened_and_closed_them(void **state)
{
    (void)state;
    CHECK_WINDOWS(sc_windows, "0 1000-2000 1-1 7", "0 5000-6000 3-3 4",
                  "0 8000-8200 2-0 open 3");
}

static void events_are_counted_together_if_they_are_of_one_window(void **state)
{
    rln_reader *reader = open_scenario(sc_windows); /* at 1000, 5000 and 8000 */
    struct rln__window_counts counts;

    (void)state;
    assert_int_equal(rln__window_counts_begin(&counts, &reader->windows, NULL), RLN_OK);
    assert_int_equal(rln__window_counts_add_all(&counts, 0, 3, 1000, 4999), 1);
    assert_int_equal(rln__window_counts_add_all(&counts, 0, 2, 4000, 5000), 0);
    assert_int_equal(rln__window_counts_add_all(&counts, 0, 2, 10, 900), 0);
    assert_int_equal(rln__window_counts_add_all(&counts, 0, 1, 10, 10), 1);
    assert_int_equal(rln__window_counts_add_all(&counts, 0, 4, 8000, 8100), 1);
    assert_int_equal(counts.items[0].n_events, 3);
    assert_int_equal(counts.items[1].n_events, 0);
    assert_int_equal(counts.items[2].n_events, 4);
    rln__window_counts_clear(&counts);
    rln_reader_close(reader);
}

static void a_part_that_was_recorded_as_a_whole_has_one(void **state)
{
    (void)state;
    CHECK_WINDOWS(sc_nested, "0 0-120000 0-0 open 7");
    CHECK_WINDOWS(sc_parts, "0 0-120000 0-0 open 7",
                  "1 3600000000000-3600000000030 0-0 open 2");
}

static void begin_mark(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    (void)tb_event(&c, RLN__MARK, 1, 100);
    (void)tb_event(&c, RLN__MARK, 1, 300);
}

static void build_began_open(struct tb *tb)
{
    begin_mark(tb);
    tb_window(tb, 0, RLN__WINDOW_BY_RUN, 200, RLN__WINDOW_BY_PROGRAM);
    tb_window(tb, 300, RLN__WINDOW_BY_PROGRAM, 0, 0);
}

static void build_never_opened(struct tb *tb)
{
    begin_mark(tb);
    ((struct rln__superblock *)tb_at(tb, tb->part))->control.gate =
        RLN__GATE_CAPTURE | RLN__GATE_WATCHED;
}

/* Killed between counting a window and writing its entry. */
static void build_counted_only(struct tb *tb)
{
    begin_mark(tb);
    tb_window(tb, 50, RLN__WINDOW_BY_CAPTURE, 200, RLN__WINDOW_BY_CAPTURE);
    tb_window(tb, 0, 0, 0, 0);
}

/* The times of the second and the third are older than what was before them; the last
 * one's cause is of a newer version. */
static void build_crossed(struct tb *tb)
{
    begin_mark(tb);
    tb_window(tb, 50, RLN__WINDOW_BY_CAPTURE, 200, RLN__WINDOW_BY_CAPTURE);
    tb_window(tb, 40, RLN__WINDOW_BY_COMMAND, 30, RLN__WINDOW_BY_COMMAND);
    tb_window(tb, 60, 99, 400, 99);
}

static void a_run_that_began_open_has_a_first_window(void **state)
{
    (void)state;
    CHECK_WINDOWS(build_began_open, "0 0-200 0-2 1", "0 300-300 2-0 open 1");
}

static void a_run_that_never_opened_has_no_window(void **state)
{
    rln_reader *reader = open_scenario(build_never_opened);
    rln_info *info;

    (void)state;
    assert_int_equal(rln__reader_count_windows(reader), 0);
    assert_int_equal(rln_info_open(reader, &info, NULL), RLN_OK);
    assert_int_equal(rln_info_part(info, 0)->closed, RLN_CLOSED_CAPTURE);
    rln_info_close(info);
    rln_reader_close(reader);
}

static void what_processes_raced_for_or_left_undone_is_put_in_order(void **state)
{
    (void)state;
    CHECK_WINDOWS(build_counted_only, "0 50-200 1-1 2");
    CHECK_WINDOWS(build_crossed, "0 50-200 1-1 0", "0 50-50 3-3 0", "0 60-400 0-0 2");
}

/* 2,000 windows of 5 ns, 10 apart, with a mark in each. */
static void build_more_than_listed(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    for (uint64_t i = 1; i <= 2000; i++)
        (void)tb_event(&c, RLN__MARK, 1, i * 10 + 2);
    for (uint64_t i = 1; i <= RLN__MAX_WINDOWS; i++)
        tb_window(tb, i * 10, RLN__WINDOW_BY_PROGRAM, i * 10 + 5,
                  RLN__WINDOW_BY_PROGRAM);
    ((struct rln__superblock *)tb_at(tb, tb->part))->control.gate = 2000ull << 32;
}

static void
the_last_window_that_is_listed_has_nothing_of_those_that_are_not(void **state)
{
    rln_reader *reader = open_scenario(build_more_than_listed);
    struct rln__stats *stats;
    rln_info *info;

    (void)state;
    assert_int_equal(rln__reader_count_windows(reader), RLN__MAX_WINDOWS);
    assert_int_equal(rln_info_open(reader, &info, NULL), RLN_OK);
    assert_int_equal(rln__info_window(info, RLN__MAX_WINDOWS - 1)->n_events, 1);
    assert_int_equal(rln_info_part(info, 0)->n_windows, 2000);
    rln_info_close(info);
    assert_int_equal(rln_reader_select_window(reader, RLN__MAX_WINDOWS - 1, NULL),
                     RLN_OK);
    assert_int_equal(rln__stats_new(reader, &stats, NULL), RLN_OK);
    assert_int_equal(rln__stats_get_totals(stats)->n_events, 1);
    rln__stats_free(stats);
    rln_reader_close(reader);
}

/* More than 256 ranges were open while no window was: they are recorded immediately. */
static void build_told_between(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    tb_window(tb, 100, RLN__WINDOW_BY_PROGRAM, 200, RLN__WINDOW_BY_PROGRAM);
    tb_window(tb, 500, RLN__WINDOW_BY_PROGRAM, 600, RLN__WINDOW_BY_PROGRAM);
    c = tb_events(tb, 1, 1, 100);
    sc_resumed(&c, 300, 0, 2);
    (void)tb_event(&c, RLN__POP, 0, 400);
    sc_resumed(&c, 510, 0, 2);
    (void)tb_event(&c, RLN__POP, 0, 550);
}

static void ranges_named_between_windows_were_not_open_in_one(void **state)
{
    rln_reader *reader = open_scenario(build_told_between);
    rln_ranges *ranges;
    const rln_range *r;

    (void)state;
    assert_int_equal(rln_ranges_open(reader, &ranges, NULL), RLN_OK);
    assert_int_equal(rln_ranges_next(ranges, &r, NULL), RLN_OK);
    assert_int_equal(r->start_ns, 300);
    assert_int_equal(rln_ranges_next(ranges, &r, NULL), RLN_OK);
    assert_int_equal(r->start_ns, 500);
    rln_ranges_close(ranges);
    rln_reader_close(reader);
}

static void only_windows_that_exist_can_be_selected(void **state)
{
    rln_reader *reader = open_scenario(sc_windows);
    rln_error err = {0};

    (void)state;
    assert_int_equal(rln_reader_select_window(reader, 3, &err), RLN_ERR_ARGUMENT);
    assert_string_equal(err.message, "cannot select window: window=3: there are 3");
    assert_int_equal(rln_reader_select_window(reader, 2, &err), RLN_OK);
    assert_int_equal(rln_reader_select_window(reader, RLN_ALL_WINDOWS, &err), RLN_OK);
    rln_reader_close(reader);
}

static void what_a_trace_grows_by_is_not_in_an_older_description(void **state)
{
    struct tb tb = {0};
    rln_reader *reader;
    rln_info *info;
    const char *path;

    (void)state;
    build_began_open(&tb);
    path = temp_file(tb.bytes, tb.size);
    assert_int_equal(rln_reader_open(&path, 1, &reader, NULL), RLN_OK);
    assert_int_equal(rln_info_open(reader, &info, NULL), RLN_OK);
    assert_int_equal(rln_reader_select_window(reader, 1, NULL), RLN_OK);
    tb_window(&tb, 400, RLN__WINDOW_BY_COMMAND, 0, 0);
    tb_write(&tb, path);
    assert_int_equal(rln__reader_refresh(reader, NULL), RLN_OK);
    assert_int_equal(rln__reader_count_windows(reader), 3);
    assert_null(rln__info_window(info, 2));
    assert_int_equal(rln_reader_select_window(reader, 2, NULL), RLN_OK);
    rln_info_close(info);
    rln_reader_close(reader);
    tb_clear(&tb);
}

/* --- Ranges ----------------------------------------------------------------------- */

static void check_ranges(size_t window, const char *const *expected)
{
    rln_reader *reader = open_scenario(sc_windows);
    rln_ranges *ranges;
    const rln_range *r;
    char line[128];

    assert_int_equal(rln_reader_select_window(reader, window, NULL), RLN_OK);
    assert_int_equal(rln_ranges_open(reader, &ranges, NULL), RLN_OK);
    for (size_t i = 0; expected[i]; i++) {
        assert_int_equal(rln_ranges_next(ranges, &r, NULL), RLN_OK);
        (void)snprintf(line, sizeof(line), "%" PRId64 "-%" PRId64 " %.*s%s%s",
                       r->start_ns, r->end_ns, (int)r->attributes.message.length,
                       r->attributes.message.bytes,
                       r->flags & RLN_FLAG_RESUMED ? " resumed" : "",
                       r->flags & RLN_FLAG_OPEN ? " open" : "");
        assert_string_equal(line, expected[i]);
    }
    assert_int_equal(rln_ranges_next(ranges, &r, NULL), RLN_END);
    rln_ranges_close(ranges);
    rln_reader_close(reader);
}

#define CHECK_RANGES(window, ...)                                                      \
    do {                                                                               \
        static const char *const expected[] = {__VA_ARGS__, NULL};                     \
        check_ranges(window, expected);                                                \
    } while (0)

static void a_window_has_what_began_in_it_and_what_was_open_as_it_opened(void **state)
{
    (void)state;
    CHECK_RANGES(RLN_ALL_WINDOWS, "1010-1050 load", "1900-2500 load",
                 "1000-3000 step resumed", "5020-5080 step", "5000-5200 load resumed",
                 "1600-5500 load", "5000-8200 load resumed", "8100-8200 step open");
    CHECK_RANGES(0, "1010-1050 load", "1900-2500 load", "1000-3000 step resumed",
                 "1600-5500 load");
    CHECK_RANGES(1, "5020-5080 step", "5000-5200 load resumed", "1600-5500 load",
                 "5000-8200 load resumed");
    CHECK_RANGES(2, "5000-8200 load resumed", "8100-8200 step open");
}

/* --- Sums ------------------------------------------------------------------------- */

static uint64_t total_of_stats(rln_reader *reader)
{
    struct rln__stats *stats;
    uint64_t total = 0;

    assert_int_equal(rln__stats_new(reader, &stats, NULL), RLN_OK);
    for (size_t i = 0; i < rln__stats_count(stats); i++)
        total += rln__stats_at(stats, i)->total_ns;
    rln__stats_free(stats);
    return total;
}

/* "level name calls total self", one after the other. */
static void describe_tree(rln_reader *reader, char *out, size_t size)
{
    struct rln__tree *tree;
    int n = 0;

    assert_int_equal(rln__tree_new(reader, &tree, NULL), RLN_OK);
    for (size_t i = 0; i < rln__tree_count(tree); i++) {
        const struct rln__tree_node *node = rln__tree_at(tree, i);

        n += snprintf(out + n, size - (size_t)n,
                      "%s%u %.*s %" PRIu64 " %" PRIu64 " %" PRIu64, i ? ", " : "",
                      node->level, (int)node->message.length, node->message.bytes,
                      node->n_calls, node->total_ns, node->self_ns);
    }
    rln__tree_free(tree);
}

static void sums_of_a_window_count_the_time_inside_of_it(void **state)
{
    static const struct {
        size_t window;
        uint64_t total_ns, n_events, n_marks, n_ranges, n_open, n_resumed;
        const char *tree;
    } cases[] = {
        {0, 40 + 100 + 1000 + 400, 7, 1, 4, 0, 1,
         "0 step 1 1000 860, 1 load 2 140 140"},
        {1, 60 + 200 + 500 + 1000, 4, 0, 4, 0, 2,
         "0 load 1 1000 800, 1 load 1 200 140, 2 step 1 60 60"},
        {2, 200 + 100, 3, 1, 2, 1, 1, "0 load 1 200 100, 1 step 1 100 100"},
    };
    rln_reader *reader = open_scenario(sc_windows);

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char tree[256] = "";
        struct rln__stats *stats;
        const struct rln__stats_totals *t;

        assert_int_equal(rln_reader_select_window(reader, cases[i].window, NULL),
                         RLN_OK);
        assert_int_equal(total_of_stats(reader), cases[i].total_ns);
        describe_tree(reader, tree, sizeof(tree));
        assert_string_equal(tree, cases[i].tree);
        assert_int_equal(rln__stats_new(reader, &stats, NULL), RLN_OK);
        t = rln__stats_get_totals(stats);
        assert_int_equal(t->n_events, cases[i].n_events);
        assert_int_equal(t->n_marks, cases[i].n_marks);
        assert_int_equal(t->n_ranges, cases[i].n_ranges);
        assert_int_equal(t->n_open, cases[i].n_open);
        assert_int_equal(t->n_resumed, cases[i].n_resumed);
        rln__stats_free(stats);
    }
    rln_reader_close(reader);
}

static void sums_by_category_are_clipped_as_well(void **state)
{
    rln_reader *reader = open_scenario(sc_windows);
    struct rln__sums *sums;

    (void)state;
    assert_int_equal(rln_reader_select_window(reader, 1, NULL), RLN_OK);
    assert_int_equal(rln__sums_new(reader, RLN__SUM_CATEGORIES, &sums, NULL), RLN_OK);
    assert_int_equal(rln__sums_category(sums, 0)->total_ns, 1000);
    assert_null(rln__sums_category(sums, 1));
    rln__sums_free(sums);
    rln_reader_close(reader);
}

static void windows_of_one_part_leave_the_others_out(void **state)
{
    rln_reader *reader = open_scenario(sc_parts);

    (void)state;
    assert_int_equal(rln_reader_select_window(reader, 1, NULL), RLN_OK);
    assert_int_equal(total_of_stats(reader), 20);
    assert_int_equal(rln_reader_select_window(reader, 0, NULL), RLN_OK);
    assert_int_equal(total_of_stats(reader),
                     100000 + 40000); /* "io:load" is open when it begins */
    rln_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_come_with_what_opened_and_closed_them),
        cmocka_unit_test(events_are_counted_together_if_they_are_of_one_window),
        cmocka_unit_test(a_part_that_was_recorded_as_a_whole_has_one),
        cmocka_unit_test(a_run_that_began_open_has_a_first_window),
        cmocka_unit_test(a_run_that_never_opened_has_no_window),
        cmocka_unit_test(what_processes_raced_for_or_left_undone_is_put_in_order),
        cmocka_unit_test(
            the_last_window_that_is_listed_has_nothing_of_those_that_are_not),
        cmocka_unit_test(ranges_named_between_windows_were_not_open_in_one),
        cmocka_unit_test(only_windows_that_exist_can_be_selected),
        cmocka_unit_test(what_a_trace_grows_by_is_not_in_an_older_description),
        cmocka_unit_test(a_window_has_what_began_in_it_and_what_was_open_as_it_opened),
        cmocka_unit_test(sums_of_a_window_count_the_time_inside_of_it),
        cmocka_unit_test(sums_by_category_are_clipped_as_well),
        cmocka_unit_test(windows_of_one_part_leave_the_others_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
