/* SPDX-License-Identifier: Apache-2.0 */
/* test_lod_filter.c - the viewer's index of a reader with a filter has the same ranges
 * as the iteration over ranges, at any resolution. */
#include "lod_walk.h"
#include "ranges/event_filter.h"
#include "reports/summary/tree.h"
#include "timeline/lod_narrow.h"
#include "timeline/lod_sums.h"

static const struct {
    rln_filter_kind kind;
    const char *pattern; /* NULL: none */
    int64_t least_ns;
} filters[] = {
    {RLN_FILTER_DOMAIN, "default", 0}, {RLN_FILTER_NAME, "load", 0},
    {RLN_FILTER_DOMAIN, "io", 0},      {RLN_FILTER_THREAD, "101", 0},
    {RLN_FILTER_NAME, NULL, 60},       {RLN_FILTER_DOMAIN, "io", 5000},
    {RLN_FILTER_NAME, "nosuch", 0},
};

#define N_FILTERS (sizeof(filters) / sizeof(filters[0]))

/* A trace, read with the i-th filter. */
static rln_reader *open_filtered(void (*build_trace)(struct tb *tb),
                                 rln_filter **filter, size_t i)
{
    rln_reader *reader = open_scenario(build_trace);

    assert_int_equal(rln_filter_new(filter, NULL), RLN_OK);
    if (filters[i].pattern)
        assert_int_equal(
            rln_filter_add(*filter, filters[i].kind, filters[i].pattern, NULL), RLN_OK);
    rln_filter_set_min_duration(*filter, filters[i].least_ns);
    rln_reader_set_filter(reader, *filter);
    return reader;
}

static void count_ranges(rln_reader *reader, uint64_t *n, uint64_t *total_ns)
{
    const rln_range *range;
    rln_ranges *ranges;

    *n = *total_ns = 0;
    assert_int_equal(rln_ranges_open(reader, &ranges, NULL), RLN_OK);
    while (rln_ranges_next(ranges, &range, NULL) == RLN_OK) {
        if (range->flags & RLN_FLAG_UNMATCHED)
            continue;
        ++*n;
        *total_ns += (uint64_t)(range->end_ns - range->start_ns);
    }
    rln_ranges_close(ranges);
}

static void count_leaves(struct rln__lod *lod, uint64_t *n, uint64_t *total_ns)
{
    *n = *total_ns = 0;
    for (size_t i = 0; i < lod->n_rows; i++) {
        struct rln__lod_row *row = &lod->rows[i];
        const int is_of_ranges =
            row->kind == RLN__LOD_PUSHED || row->kind == RLN__LOD_STARTED;

        for (size_t k = 0; k < row->buckets.n && is_of_ranges; k++) {
            *n += row->buckets.items[k].n;
            *total_ns += rln__range_bucket_covered(&row->buckets.items[k]);
        }
    }
}

/* Returns the number of ranges that match the i-th filter. */
static uint64_t expect_the_iterations_ranges(void (*build_trace)(struct tb *tb),
                                             size_t i)
{
    rln_filter *filter;
    rln_reader *reader = open_filtered(build_trace, &filter, i);
    uint64_t n, total_ns, n_there, total_there_ns;

    count_ranges(reader, &n, &total_ns);
    for (uint64_t budget = SMALL; budget;
         budget = budget == SMALL ? SIZE_MAX / 16 : 0) {
        struct rln__lod lod;

        build(&lod, reader, budget);
        count_leaves(&lod, &n_there, &total_there_ns);
        assert_int_equal(n_there, n);
        assert_int_equal(total_there_ns, total_ns);
        rln__lod_clear(&lod);
    }
    rln_reader_close(reader);
    rln_filter_free(filter);
    return n;
}

static void an_index_has_what_the_iteration_over_ranges_has(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_FILTERS; i++)
        assert_int_equal(expect_the_iterations_ranges(sc_walk, i) == 0,
                         i == N_FILTERS - 1);
}

static void deferred_ranges_match_by_their_own_threads(void **state)
{
    static const uint64_t n[N_FILTERS] = {1, 0, 8, 2, 8, 1, 0};

    (void)state;
    for (size_t i = 0; i < N_FILTERS; i++)
        assert_int_equal(expect_the_iterations_ranges(sc_deferred, i), n[i]);
}

static void a_narrow_span_is_exact_with_a_filter(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_FILTERS; i++) {
        rln_filter *filter;
        rln_reader *reader = open_filtered(sc_walk, &filter, i);
        struct rln__lod whole, small;
        int64_t length;

        build(&whole, reader, UINT64_MAX / 16);
        build(&small, reader, SMALL);
        length = (whole.last_ns - whole.first_ns) / 37;
        for (int64_t from = whole.first_ns; from < whole.last_ns; from += length) {
            struct rln__lod *close = rln__lod_refine(&small, from, from + length, 0);

            for (size_t k = 0; k < whole.n_rows; k++) {
                if (rln__lod_is_close(&whole.rows[k]))
                    expect_same(&whole.rows[k], &close->rows[k], from, from + length,
                                small.resolution_ns);
            }
        }
        rln__lod_clear(&small);
        rln__lod_clear(&whole);
        rln_reader_close(reader);
        rln_filter_free(filter);
    }
}

/* Over all paths of the name. */
static uint64_t self_ns_in(const struct rln__tree *tree,
                           const struct rln__lod_name *name)
{
    uint64_t self_ns = 0;

    for (size_t i = 0; i < rln__tree_count(tree); i++) {
        const struct rln__tree_node *node = rln__tree_at(tree, i);

        if (rln__compare_text(node->message, name->message) == 0 &&
            rln__compare_text(node->domain_name, name->domain) == 0)
            self_ns += node->self_ns;
    }
    return self_ns;
}

/* Whether the ranges inside them match or not. */
static void self_times_are_those_of_the_tree(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_FILTERS; i++) {
        rln_filter *filter;
        rln_reader *reader = open_filtered(sc_walk, &filter, i);
        struct rln__lod lod;
        struct rln__lod_sums sums;
        struct rln__tree *tree;

        build(&lod, reader, SMALL);
        assert_int_equal(rln__tree_new(reader, &tree, NULL), RLN_OK);
        assert_int_equal(
            rln__lod_sum_up(&lod, lod.first_ns, lod.last_ns, NULL, 0, &sums), 0);
        assert_false(sums.are_names_rough);
        for (size_t k = 0; k < sums.n_names; k++)
            assert_int_equal(sums.names[k].self_ns,
                             self_ns_in(tree, &lod.names[sums.names[k].name]));
        rln__lod_sums_clear(&sums);
        assert_int_equal(
            rln__lod_sum_up(&lod, lod.first_ns, lod.last_ns / 2, NULL, 0, &sums), 0);
        assert_true(sums.are_names_rough);
        rln__lod_sums_clear(&sums);
        rln__tree_free(tree);
        rln__lod_clear(&lod);
        rln_reader_close(reader);
        rln_filter_free(filter);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_index_has_what_the_iteration_over_ranges_has),
        cmocka_unit_test(deferred_ranges_match_by_their_own_threads),
        cmocka_unit_test(a_narrow_span_is_exact_with_a_filter),
        cmocka_unit_test(self_times_are_those_of_the_tree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
