/* SPDX-License-Identifier: Apache-2.0 */
/* test_stats.c - statistics by name, and the call tree, have the right numbers. */
#include <math.h>

#include "reports/summary/stats.h"
#include "reports/summary/tree.h"
#include "temp_trace.h"

static void build_spread(struct tb *tb)
{
    static const uint64_t durations[] = {10, 40, 20, 30};
    struct tb_chunk c;
    uint64_t t = 100;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    for (size_t i = 0; i < 4; i++, t += 100) {
        (void)tb_event(&c, RLN__PUSH, 1, t);
        (void)tb_event(&c, RLN__POP, 0, t + durations[i]);
    }
}

static void numbers_of_a_name_are_exact(void **state)
{
    rln_reader *reader = open_scenario(build_spread);
    struct rln__stats *stats;
    const struct rln__stats_row *row;

    (void)state;
    assert_int_equal(rln__stats_new(reader, &stats, NULL), RLN_OK);
    assert_int_equal(rln__stats_count(stats), 1);
    row = rln__stats_at(stats, 0);
    assert_int_equal(row->n_ranges, 4);
    assert_int_equal(row->total_ns, 100);
    assert_int_equal(row->min_ns, 10);
    assert_int_equal(row->max_ns, 40);
    assert_true(fabs(row->average_ns - 25) < 1e-9);
    assert_true(fabs(row->median_ns - 25) < 1e-9);
    assert_true(fabs(row->stddev_ns - 12.909944487) < 1e-6);
    assert_null(rln__stats_at(stats, 1));
    rln__stats_free(stats);
    rln_reader_close(reader);
}

static void open_lost_unmatched_and_inherited_ranges_are_distinguished(void **state)
{
    static const struct {
        void (*build)(struct tb *tb);
        uint64_t n_ranges, n_open, n_unmatched, n_inherited, n_lost_ranges;
    } cases[] = {
        {sc_nested, 3, 1, 1, 0, 0},   {sc_fork, 4, 0, 1, 1, 0},
        {sc_gap, 1, 0, 1, 0, 1},      {sc_inversion, 2, 0, 0, 0, 0},
        {sc_startend, 3, 1, 2, 0, 0}, {sc_threads, 151, 0, 0, 0, 0},
        {sc_parts, 4, 1, 1, 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        rln_reader *reader = open_scenario(cases[i].build);
        struct rln__stats *stats;
        const struct rln__stats_totals *t;

        assert_int_equal(rln__stats_new(reader, &stats, NULL), RLN_OK);
        t = rln__stats_get_totals(stats);
        assert_int_equal(t->n_ranges, cases[i].n_ranges);
        assert_int_equal(t->n_open, cases[i].n_open);
        assert_int_equal(t->n_unmatched, cases[i].n_unmatched);
        assert_int_equal(t->n_inherited, cases[i].n_inherited);
        assert_int_equal(t->n_lost_ranges, cases[i].n_lost_ranges);
        rln__stats_free(stats);
        rln_reader_close(reader);
    }
}

static void an_open_range_counts_up_to_the_last_event(void **state)
{
    rln_reader *reader = open_scenario(sc_startend);
    struct rln__stats *stats;
    const struct rln__stats_row *row;

    (void)state;
    assert_int_equal(rln__stats_new(reader, &stats, NULL), RLN_OK);
    row = rln__stats_at(stats, 0); /* load: from 30 to 160 */
    assert_int_equal(row->style, RLN_RANGE_START_END);
    assert_int_equal(row->total_ns, 130);
    assert_int_equal(row->n_open, 1);
    rln__stats_free(stats);
    rln_reader_close(reader);
}

/* The second trace was recorded an hour later. */
static void of_several_traces_it_counts_up_to_the_last_event_of_its_own(void **state)
{
    rln_reader *reader = open_scenario(sc_parts);
    struct rln__stats *stats;
    const struct rln__stats_row *row;
    rln_ranges *ranges;
    const rln_range *range, *open = NULL;

    (void)state;
    assert_int_equal(rln__stats_new(reader, &stats, NULL), RLN_OK);
    row = rln__stats_at(stats, 0); /* not the open one, ahead with nearly all time */
    assert_int_equal(row->total_ns, 100000);
    assert_int_equal(row->n_open, 0);
    rln__stats_free(stats);
    assert_int_equal(rln_ranges_open(reader, &ranges, NULL), RLN_OK);
    while (rln_ranges_next(ranges, &range, NULL) == RLN_OK)
        open = range->flags & RLN_FLAG_OPEN ? range : open;
    assert_non_null(open);
    assert_int_equal(open->end_ns, 120000); /* where it began */
    rln_ranges_close(ranges);
    rln_reader_close(reader);
}

/* step 0-100 around load 10-40 (load inside load), crossed by io 90-120. */
static void build_tree(struct tb *tb)
{
    struct tb_chunk c;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    c = tb_events(tb, 1, 1, 100);
    (void)tb_event(&c, RLN__PUSH, 1, 0);
    (void)tb_event(&c, RLN__PUSH, 2, 10);
    (void)tb_event(&c, RLN__PUSH, 2, 20);
    (void)tb_event(&c, RLN__POP, 0, 30);
    (void)tb_event(&c, RLN__POP, 0, 40);
    (void)tb_event(&c, RLN__PUSH, 3, 90);
    (void)tb_event(&c, RLN__POP, 0, 100);
    (void)tb_event(&c, RLN__POP, 1, 120);
}

static void self_time_is_without_what_is_inside_even_where_domains_cross(void **state)
{
    static const struct {
        const char *message;
        uint32_t level;
        uint64_t total, self;
    } expected[] = {{"step", 0, 100, 60},
                    {"load", 1, 30, 20},
                    {"load", 2, 10, 10},
                    {"load", 1, 30, 30}};
    rln_reader *reader = open_scenario(build_tree);
    struct rln__tree *tree;

    (void)state;
    assert_int_equal(rln__tree_new(reader, &tree, NULL), RLN_OK);
    assert_int_equal(rln__tree_count(tree), 4);
    for (size_t i = 0; i < 4; i++) {
        const struct rln__tree_node *node = rln__tree_at(tree, i);

        assert_memory_equal(node->message.bytes, expected[i].message, 4);
        assert_int_equal(node->level, expected[i].level);
        assert_int_equal(node->total_ns, expected[i].total);
        assert_int_equal(node->self_ns, expected[i].self);
    }
    assert_false(rln__tree_at(tree, 3)->is_default_domain);
    rln__tree_free(tree);
    rln_reader_close(reader);
}

/* Both threads: step 0-100; the second one, which ran longer: load 200-300 around step.
 */
static void build_threads(struct tb *tb)
{
    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    for (unsigned i = 0; i < 2; i++) {
        struct tb_chunk c = tb_events(tb, 1, 1 + i, 100 + i);

        tb_thread(&c, 1 + i, 100 + i, 0, "worker");
        (void)tb_event(&c, RLN__PUSH, 1, 0);
        (void)tb_event(&c, RLN__POP, 0, 100);
        if (!i)
            continue;
        (void)tb_event(&c, RLN__PUSH, 2, 200);
        (void)tb_event(&c, RLN__PUSH, 1, 210);
        (void)tb_event(&c, RLN__POP, 0, 230);
        (void)tb_event(&c, RLN__POP, 0, 300);
    }
}

static void a_tree_may_be_of_each_thread(void **state)
{
    static const struct {
        const char *message;
        size_t parent;
        uint32_t level, tid;
        uint64_t n_calls, total, self;
    } expected[] = {
        {"", SIZE_MAX, 0, 101, 0, 200, 0}, {"load", 0, 1, 101, 1, 100, 80},
        {"step", 1, 2, 101, 1, 20, 20},    {"step", 0, 1, 101, 1, 100, 100},
        {"", SIZE_MAX, 0, 100, 0, 100, 0}, {"step", 4, 1, 100, 1, 100, 100}};
    rln_reader *reader = open_scenario(build_threads);
    struct rln__tree *tree;
    rln_info *info;

    (void)state;
    assert_int_equal(rln_info_open(reader, &info, NULL), RLN_OK);
    assert_int_equal(rln__tree_new_by_thread(reader, &tree, NULL), RLN_OK);
    assert_int_equal(rln__tree_count(tree), 6);
    for (size_t i = 0; i < 6; i++) {
        const struct rln__tree_node *node = rln__tree_at(tree, i);

        assert_int_equal(node->message.length, strlen(expected[i].message));
        assert_memory_equal(node->message.bytes ? node->message.bytes : "",
                            expected[i].message, node->message.length);
        assert_int_equal(node->parent, expected[i].parent);
        assert_int_equal(node->level, expected[i].level);
        assert_int_equal(rln_info_thread(info, node->thread)->tid, expected[i].tid);
        assert_int_equal(node->n_calls, expected[i].n_calls);
        assert_int_equal(node->total_ns, expected[i].total);
        assert_int_equal(node->self_ns, expected[i].self);
    }
    rln__tree_free(tree);
    assert_int_equal(rln__tree_new(reader, &tree, NULL), RLN_OK);
    assert_int_equal(rln__tree_count(tree), 3);
    assert_int_equal(rln__tree_at(tree, 0)->thread, UINT32_MAX);
    rln__tree_free(tree);
    rln_info_close(info);
    rln_reader_close(reader);
}

/* The thread that ends the range is read first, so its end is read before its start. */
static void build_early_rename(struct tb *tb)
{
    static const struct ps_reply done = {"served", 0, 0};
    struct tb_chunk names, a, b;
    uint64_t id;

    (void)tb_part(tb, 1);
    sc_names(tb, 1, 100);
    names = tb_names(tb, 1);
    ps_register(&names);
    a = tb_events(tb, 1, 1, 100);
    b = tb_events(tb, 1, 2, 101);
    tb_thread(&b, 2, 101, 5, "later");
    id = tb_event(&b, RLN__START, 1, 100);
    tb_thread(&a, 1, 100, 0, "sooner");
    (void)pb_event(&a, RLN__END, 1, 300, &id, PS_REPLY, &done, sizeof(done));
}

static void an_end_renames_its_range_whichever_is_read_first(void **state)
{
    rln_reader *reader = open_scenario(build_early_rename);
    struct rln__stats *stats;
    const struct rln__stats_row *row;

    (void)state;
    assert_int_equal(rln__stats_new(reader, &stats, NULL), RLN_OK);
    assert_int_equal(rln__stats_count(stats), 1);
    row = rln__stats_at(stats, 0);
    assert_int_equal(row->message.length, 6);
    assert_memory_equal(row->message.bytes, "served", 6);
    assert_int_equal(row->total_ns, 200);
    rln__stats_free(stats);
    rln_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_a_name_are_exact),
        cmocka_unit_test(open_lost_unmatched_and_inherited_ranges_are_distinguished),
        cmocka_unit_test(an_open_range_counts_up_to_the_last_event),
        cmocka_unit_test(of_several_traces_it_counts_up_to_the_last_event_of_its_own),
        cmocka_unit_test(self_time_is_without_what_is_inside_even_where_domains_cross),
        cmocka_unit_test(a_tree_may_be_of_each_thread),
        cmocka_unit_test(an_end_renames_its_range_whichever_is_read_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
