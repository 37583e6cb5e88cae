/* SPDX-License-Identifier: Apache-2.0 */
/* test_reduced_diff.c - comparing sums finds what comparing their traces does, by durations
 * and by the time on a processor. */
#include "job_files.h"
#include "reduce/reduced.h"
#include "reports/diff/diff_traces.h"

#include <math.h>

#define N_RUNS 12

static void add_sums(struct rln__diff *diff, int side, const char *path)
{
    struct rln__reduced *sums;

    assert_int_equal(rln__reduced_new(NULL, &sums, NULL), RLN_OK);
    assert_int_equal(rln__reduced_add_trace(sums, path, NULL), RLN_OK);
    assert_int_equal(rln__diff_add_sums(diff, side, sums, NULL), RLN_OK);
    rln__reduced_free(sums);
}

/* Each run is a trace; of sums one file each. */
static struct rln__diff *compare(const uint32_t runs[2][N_RUNS], int of_sums)
{
    struct rln__diff *diff;

    assert_int_equal(rln__diff_new(&diff, NULL), RLN_OK);
    for (int side = 0; side < 2; side++) {
        const char *paths[N_RUNS];
        rln_reader *reader;

        for (size_t i = 0; i < N_RUNS; i++) {
            paths[i] = job.paths[runs[side][i]];
            if (of_sums)
                add_sums(diff, side, paths[i]);
        }
        if (of_sums)
            continue;
        assert_int_equal(rln_reader_open(paths, N_RUNS, &reader, NULL), RLN_OK);
        assert_int_equal(rln__diff_add_traces(diff, side, reader, NULL), RLN_OK);
        rln_reader_close(reader);
    }
    assert_int_equal(rln__diff_compare(diff, NULL), RLN_OK);
    return diff;
}

static int is_same_path(const struct rln__diff *a, const struct rln__diff_row *x,
                        const struct rln__diff *b, const struct rln__diff_row *y)
{
    if (!x || !y)
        return x == y;
    return x->style == y->style && rln__compare_text(x->message, y->message) == 0 &&
           rln__compare_text(x->domain_name, y->domain_name) == 0 &&
           is_same_path(a, rln__diff_at(a, x->parent), b, rln__diff_at(b, y->parent));
}

static const struct rln__diff_row *find(const struct rln__diff *in,
                                        const struct rln__diff *of,
                                        const struct rln__diff_row *row)
{
    const struct rln__diff_row *found;

    for (size_t i = 0; (found = rln__diff_at(in, i)); i++)
        if (is_same_path(in, found, of, row))
            return found;
    fail_msg("no row %.*s", (int)row->message.length, row->message.bytes);
    return NULL;
}

static void compare_sides(const struct rln__diff_side *a,
                          const struct rln__diff_side *b)
{
    assert_int_equal(a->n_ranges, b->n_ranges);
    assert_int_equal(a->n_open, b->n_open);
    assert_int_equal(a->total_ns, b->total_ns);
    assert_true(a->median_ns == b->median_ns);
    assert_true(a->p95_ns == b->p95_ns);
}

/* Returns how many rows both have. */
static size_t compare_rows(const struct rln__diff *a, const struct rln__diff *b)
{
    const struct rln__diff_row *x;
    size_t n = 0;

    for (; (x = rln__diff_at(a, n)); n++) {
        const struct rln__diff_row *y = find(b, a, x);

        compare_sides(&x->before, &y->before);
        compare_sides(&x->after, &y->after);
        assert_int_equal(x->changes, y->changes);
        assert_true(x->p_middle == y->p_middle);
        assert_true(fabs(x->p_runs - y->p_runs) < 1e-9); /* runs are in another order */
    }
    assert_null(rln__diff_at(b, n));
    return n;
}

static void sums_compare_as_their_traces(void **state)
{
    /* Without trace 4, whose medians are rough, and those of two parts, which are two
     * runs; some of each side have no switches. */
    static const uint32_t runs[2][N_RUNS] = {
        {0, 1, 2, 6, 9, 10, 11, 15, 18, 19, 20, 24},
        {3, 7, 12, 13, 16, 21, 22, 25, 27, 28, 29, 33}};
    struct rln__diff *of_traces = compare(runs, 0), *of_sums = compare(runs, 1);
    const struct rln__diff *x = rln__diff_on_processor(of_traces),
                           *y = rln__diff_on_processor(of_sums);
    size_t n_with_times = 0;

    (void)state;
    assert_true(compare_rows(of_traces, of_sums) >= 5);
    assert_non_null(x);
    assert_non_null(y);
    assert_true(compare_rows(x, y) >= 5);
    for (size_t i = 0; rln__diff_at(x, i); i++)
        n_with_times += rln__diff_at(x, i)->before.total_ns > 0 &&
                        rln__diff_at(x, i)->after.total_ns > 0;
    assert_true(n_with_times >= 3);
    for (int side = 0; side < 2; side++) {
        assert_int_equal(rln__diff_count_runs(x, side), rln__diff_count_runs(y, side));
        assert_true(rln__diff_count_runs(x, side) < N_RUNS);
        assert_int_equal(rln__diff_count_traces(x, side),
                         rln__diff_count_traces(y, side));
    }
    rln__diff_free(of_traces);
    rln__diff_free(of_sums);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_compare_as_their_traces),
    };

    return cmocka_run_group_tests(tests, make_job, remove_job);
}
