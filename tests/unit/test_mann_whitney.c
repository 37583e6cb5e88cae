/* SPDX-License-Identifier: Apache-2.0 */
/* test_mann_whitney.c - the rank test agrees with reference results. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "statistics/mann_whitney.h"

#define N(array) (sizeof(array) / sizeof((array)[0]))

static void assert_near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-9 * fabs(expected)))
        fail_msg("found %.17g, expected %.17g", found, expected);
}

/* Expected: scipy.stats.mannwhitneyu(b, a, method="exact"), statistic and pvalue. */
static void few_values_are_tested_exactly(void **state)
{
    static const uint64_t a[] = {1, 4, 6, 9, 11, 15, 20}, b[] = {3, 7, 12, 14, 22, 30};
    struct rln__mann_whitney found;

    (void)state;
    assert_int_equal(rln__mann_whitney(a, N(a), b, N(b), &found), 0);
    assert_near(found.superiority, 28.0 / 42);
    assert_near(found.p, 0.36596736596736595);
}

/* Expected: the same with method="asymptotic". */
static void equal_values_take_from_the_variance(void **state)
{
    static const uint64_t a[] = {5, 5, 5, 6, 7, 7, 8, 9, 10, 10};
    static const uint64_t b[] = {5, 7, 8, 8, 8, 9, 11, 12, 12, 13, 14};
    struct rln__mann_whitney found;

    (void)state;
    assert_int_equal(rln__mann_whitney(a, N(a), b, N(b), &found), 0);
    assert_near(found.superiority, 83.5 / 110);
    assert_near(found.p, 0.04667740501395502);
}

static void many_values_are_tested_by_the_normal_approximation(void **state)
{
    struct rln__mann_whitney found;
    uint64_t a[100], b[93];

    (void)state;
    for (size_t i = 0; i < N(a); i++)
        a[i] = 100 + 3 * i;
    for (size_t i = 0; i < N(b); i++)
        b[i] = 130 + 4 * i;
    assert_int_equal(rln__mann_whitney(a, N(a), b, N(b), &found), 0);
    assert_near(found.superiority, 6251.5 / 9300);
    assert_near(found.p, 3.6436095447293205e-05);
}

/* Of the 252 orders of five and five, two are this extreme. */
static void the_most_different_sets_have_the_least_p(void **state)
{
    static const uint64_t a[] = {1, 2, 3, 4, 5}, b[] = {6, 7, 8, 9, 10};
    struct rln__mann_whitney found;

    (void)state;
    assert_int_equal(rln__mann_whitney(a, N(a), b, N(b), &found), 0);
    assert_near(found.p, 2.0 / 252);
    assert_near(found.least_p, 2.0 / 252);
    assert_near(found.superiority, 1);
    assert_int_equal(rln__mann_whitney(b, N(b), a, N(a), &found), 0);
    assert_near(found.p, 2.0 / 252);
    assert_true(found.superiority < 1e-12);
}

static void nothing_and_always_the_same_show_no_difference(void **state)
{
    static const uint64_t same[] = {7, 7, 7, 7};
    struct rln__mann_whitney found;

    (void)state;
    assert_int_equal(rln__mann_whitney(same, 4, same, 4, &found), 0);
    assert_near(found.p, 1);
    assert_near(found.superiority, 0.5);
    assert_int_equal(rln__mann_whitney(same, 0, same, 4, &found), 0);
    assert_near(found.p, 1);
    assert_near(found.least_p, 1);
}

static void a_lack_of_memory_is_reported(void **state)
{
    static const uint64_t a[] = {1, 3}, b[] = {2, 4};
    struct rln__mann_whitney found;

    (void)state;
    rln__alloc_fail_from(1);
    assert_int_equal(rln__mann_whitney(a, N(a), b, N(b), &found), -1);
    rln__alloc_fail_from(0);
}

/* Of 200 values, 10 are above the 95th percentile; of the others, 30. By hand: common
 * share 40/400, error sqrt(.1 * .9 * 2/200) = .03, difference .1, z = 3.333. */
static void a_longer_tail_is_seen_where_the_rest_is_the_same(void **state)
{
    struct rln__tail_test found;
    uint64_t a[200], b[200];

    (void)state;
    for (size_t i = 0; i < 200; i++) {
        a[i] = i < 190 ? 100 + i / 2 : 500 + i;
        b[i] = i < 170 ? 100 + i / 2 : 500 + i;
    }
    assert_int_equal(rln__percentile_95(a, 200), 194);
    rln__tail_test(a, 200, b, 200, &found);
    assert_near(found.ratio, 3);
    assert_near(found.p, erfc(0.1 / 0.03 / sqrt(2)));
    rln__tail_test(a, 99, b, 99, &found); /* too few */
    assert_near(found.p, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_values_are_tested_exactly),
        cmocka_unit_test(equal_values_take_from_the_variance),
        cmocka_unit_test(many_values_are_tested_by_the_normal_approximation),
        cmocka_unit_test(the_most_different_sets_have_the_least_p),
        cmocka_unit_test(nothing_and_always_the_same_show_no_difference),
        cmocka_unit_test(a_lack_of_memory_is_reported),
        cmocka_unit_test(a_longer_tail_is_seen_where_the_rest_is_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
