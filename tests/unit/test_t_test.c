/* SPDX-License-Identifier: Apache-2.0 */
/* test_t_test.c - Student's t-test over runs agrees with published tables. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/diff/t_test.h"

static void assert_one_percent(double p)
{
    if (!(fabs(p - 0.01) < 1e-7))
        fail_msg("p is %.9g", p);
}

/* t for 1 % at 1, 2, 3, 4 and 18 degrees of freedom. */
static void one_percent_is_where_tables_have_it(void **state)
{
    const double two[] = {-1, 1}, three[] = {-1, 0, 1};
    const double one[] = {63.656741162871526 * sqrt(2 * 1.5)};
    const double of_two[] = {9.924843200918291 * sqrt(2) - 1,
                             9.924843200918291 * sqrt(2) + 1};
    const double apart = 5.840909309732662 * sqrt(4.0 / 3 * (1.0 / 2 + 1.0 / 3));
    const double unlike[] = {apart - 1, apart + 1};
    const double far = 4.604094871349991 * sqrt(2.0 / 3);
    const double of_three[] = {far - 1, far, far + 1};
    double many[10], others[10];

    (void)state;
    assert_one_percent(rln__t_test(two, 2, one, 1, 0));
    assert_one_percent(rln__t_test(one, 1, two, 2, 0));
    assert_one_percent(rln__t_test(two, 2, of_two, 2, 0));
    assert_one_percent(rln__t_test(three, 3, unlike, 2, 0));
    assert_one_percent(rln__t_test(three, 3, of_three, 3, 0));
    for (int i = 0; i < 10; i++) {
        many[i] = i % 2;
        others[i] = many[i] + 2.878440472738608 * sqrt(5.0 / 18 * 2);
    }
    assert_one_percent(rln__stretch_test(many, 10, others, 10));
    assert_true(rln__t_test(many, 10, others, 10, 0) < 1e-6);
}

/* A difference that has a chance of 1 % is where a bound of 1 % is no difference. */
static void bounds_of_one_percent_agree_with_the_test(void **state)
{
    const double two[] = {0, 1};
    const double other[] = {9.925, 10.925}; /* a table's t for two degrees of freedom */
    double least, most;

    (void)state;
    rln__t_bounds(two, 2, other, 2, 0, 0.01, &least, &most);
    assert_true(fabs(most + least - 2 * 9.925) < 1e-9);
    assert_true(fabs(least - (9.925 - 9.92484 * sqrt(0.5))) < 1e-3);
    rln__t_bounds(other, 2, two, 2, 0, 0.01, &least, &most);
    assert_true(fabs(most + (9.925 - 9.92484 * sqrt(0.5))) < 1e-3);
    rln__t_bounds(two, 1, other, 1, 0, 0.01, &least, &most);
    assert_true(isnan(least) && isnan(most));
}

static void without_a_spread_any_difference_is_one(void **state)
{
    const double same[] = {5, 5}, other[] = {6};

    (void)state;
    assert_true(rln__t_test(same, 2, other, 1, 0) == 0);
    assert_true(rln__t_test(same, 2, same, 2, 0) == 1);
}

/* As values that are as far apart. */
static void rounded_values_have_a_spread(void **state)
{
    const double same[] = {1, 1}, other[] = {2}, apart[] = {0.9, 1.1};
    double least, most, lower, upper;

    (void)state;
    rln__t_bounds(same, 2, other, 1, 0.1 * sqrt(2), 0.01, &least, &most);
    rln__t_bounds(apart, 2, other, 1, 0, 0.01, &lower, &upper);
    assert_true(fabs(rln__t_test(same, 2, other, 1, 0.1 * sqrt(2)) -
                     rln__t_test(apart, 2, other, 1, 0)) < 1e-9);
    assert_true(fabs(least - lower) < 1e-9 && fabs(most - upper) < 1e-9);
    assert_true(fabs(rln__t_test(apart, 2, other, 1, 0.1) -
                     rln__t_test(apart, 2, other, 1, 0)) < 1e-9);
}

static void too_few_runs_give_no_result(void **state)
{
    const double a[] = {5}, b[] = {500};

    (void)state;
    assert_true(rln__t_test(a, 1, b, 1, 0) == 1);
    assert_true(rln__stretch_test(a, 1, b, 1) == 1);
    assert_true(rln__t_test(a, 0, b, 1, 0) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_percent_is_where_tables_have_it),
        cmocka_unit_test(bounds_of_one_percent_agree_with_the_test),
        cmocka_unit_test(without_a_spread_any_difference_is_one),
        cmocka_unit_test(rounded_values_have_a_spread),
        cmocka_unit_test(too_few_runs_give_no_result),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
