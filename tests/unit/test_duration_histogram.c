/* SPDX-License-Identifier: Apache-2.0 */
/* test_duration_histogram.c - lengths that a histogram gives back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "statistics/duration_histogram.h"

/* 10,000 ns and each after it, in a mixed order. */
static struct rln__duration_histogram lengths_of(size_t n)
{
    struct rln__duration_histogram histogram = {0};

    for (size_t i = 0; i < n; i++)
        assert_int_equal(rln__duration_histogram_add(&histogram, 10000 + i * 7919 % n),
                         0);
    return histogram;
}

static void few_lengths_are_those_that_were_added(void **state)
{
    struct rln__duration_histogram histogram =
        lengths_of(RLN__DURATION_HISTOGRAM_EXACT);
    size_t n;
    uint64_t *lengths = rln__duration_histogram_lengths(&histogram, SIZE_MAX, &n);

    (void)state;
    assert_non_null(lengths);
    assert_int_equal(n, RLN__DURATION_HISTOGRAM_EXACT);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(lengths[i], 10000 + i);
    rln__free(lengths);
    rln__duration_histogram_clear(&histogram);
}

/* Each of a chosen share has the rank that it should have, to within the width of a
 * step, and those of a step are not all one. */
static void assert_chosen(size_t n_added, size_t most, size_t n_expected)
{
    struct rln__duration_histogram histogram = lengths_of(n_added);
    size_t n, n_same = 0;
    uint64_t *lengths = rln__duration_histogram_lengths(&histogram, most, &n);

    assert_non_null(lengths);
    assert_int_equal(n, n_expected);
    for (size_t i = 0; i < n; i++) {
        const double expected = 10000 + (double)i * (double)n_added / (double)n;

        assert_true(labs((long)lengths[i] - (long)expected) <= (long)(expected / 128));
        assert_true(i == 0 || lengths[i] >= lengths[i - 1]);
        n_same += i > 0 && lengths[i] == lengths[i - 1];
    }
    assert_true(n_same < n / 10);
    rln__free(lengths);
    rln__duration_histogram_clear(&histogram);
}

static void many_lengths_are_spread_over_their_steps(void **state)
{
    (void)state;
    assert_chosen(10007, SIZE_MAX, 10007);
    assert_chosen(100003, 5000, 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_lengths_are_those_that_were_added),
        cmocka_unit_test(many_lengths_are_spread_over_their_steps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
