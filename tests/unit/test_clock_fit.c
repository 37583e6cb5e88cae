/* SPDX-License-Identifier: Apache-2.0 */
/* test_clock_fit.c - ticks become nanoseconds, whatever fit points the trace has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "trace/open/clock_fit.h"

#define SECOND 1000000000u

static void check(const struct rln__clock_tuple *tuples, size_t n, uint64_t ticks_per_s,
                  uint64_t ticks, int64_t ns)
{
    struct rln__clock_tuple copy[16];
    struct rln__clock_fit fit = {0};

    memcpy(copy, tuples, n * sizeof(*tuples));
    assert_int_equal(rln__clock_fit_build(&fit, copy, n, ticks_per_s, 0), 0);
    assert_int_equal(rln__clock_fit_ns(&fit, ticks), ns);
    assert_int_equal(rln__clock_fit_ns(&fit, ticks), ns);
    rln__clock_fit_clear(&fit);
}

static void time_is_linear_between_and_outside_fit_points(void **state)
{
    const struct rln__clock_tuple two[] = {{1000, SECOND, 0, 1},
                                           {1000 + 2 * SECOND, 2 * SECOND, 0, 1}};

    (void)state;
    check(two, 2, 0, 1000, SECOND);
    check(two, 2, 0, 1000 + SECOND, SECOND + SECOND / 2);
    check(two, 2, 0, 1000 + 4u * SECOND, 3u * (int64_t)SECOND);
    check(two, 2, 0, 0, SECOND - 500);
}

static void one_tuple_and_the_machines_rate_are_enough(void **state)
{
    const struct rln__clock_tuple one = {5000, SECOND, 0, 1};

    (void)state;
    check(&one, 1, 500000000, 5100, SECOND + 200);
    check(&one, 1, 0, 5100, SECOND + 100); /* unknown rate: a tick is a ns */
    check(&one, 0, 0, 77, 77);
}

/* Read 40 ms late, with a window that shows it; and one put anywhere by damage. */
static void tuples_that_were_read_late_bend_nothing(void **state)
{
    const struct rln__clock_tuple late[] = {
        {1, SECOND, 0, 10},
        {1 + SECOND, 2 * SECOND, 0, 10},
        {3 + SECOND, 2 * SECOND + 40000000, 0, 9999},
        {1 + 2 * SECOND, 3u * SECOND, 0, 10}};
    const struct rln__clock_tuple damaged[] = {{1, SECOND, 0, 10},
                                               {1 + SECOND, 2 * SECOND, 0, 10},
                                               {1 + 2 * SECOND, 3u * SECOND, 0, 10},
                                               {9, (uint64_t)1 << 60, 0, 0},
                                               {(uint64_t)1 << 62, 5, 0, 0}};

    (void)state;
    check(late, 4, 0, 1 + SECOND + 1000, 2 * (int64_t)SECOND + 1000);
    check(damaged, 5, 0, 1 + SECOND + 1000, 2 * (int64_t)SECOND + 1000);
    check(damaged, 5, SECOND, 1 + SECOND + 1000, 2 * (int64_t)SECOND + 1000);
}

static void a_drifting_clock_is_fitted_in_segments(void **state)
{
    const struct rln__clock_tuple drift[] = {{SECOND, SECOND, 0, 1},
                                             {2 * SECOND, 2 * SECOND + 1000, 0, 1},
                                             {3u * SECOND, 3u * SECOND, 0, 1}};

    (void)state;
    check(drift, 3, 0, SECOND + SECOND / 2, SECOND + SECOND / 2 + 499);
    check(drift, 3, 0, 2 * SECOND, 2 * (int64_t)SECOND + 1000);
}

static void absurd_ticks_stay_within_a_century(void **state)
{
    const struct rln__clock_tuple two[] = {{1, SECOND, 0, 1},
                                           {1 + SECOND, 2 * SECOND, 0, 1}};

    (void)state;
    check(two, 2, 0, UINT64_MAX, INT64_MAX / 2);
}

/* Fit points, and times so near to one that they are not checked separately. */
static void absurd_offsets_leave_room_for_differences(void **state)
{
    static const int64_t offsets[] = {INT64_MAX, INT64_MIN};
    const uint64_t latest = (uint64_t)INT64_MAX / 8; /* the largest in a tuple */

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct rln__clock_tuple one = {1000, latest, 0, 1};
        struct rln__clock_fit fit = {0};
        int64_t ns;

        assert_int_equal(rln__clock_fit_build(&fit, &one, 1, 1, offsets[i]), 0);
        for (unsigned k = 0; k < 2; k++) {
            ns = rln__clock_fit_ns(&fit, 1000 + ((k + 1ull) << 47) - 1);
            assert_true(ns <= INT64_MAX / 2 && ns >= INT64_MIN / 2);
        }
        rln__clock_fit_clear(&fit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_is_linear_between_and_outside_fit_points),
        cmocka_unit_test(one_tuple_and_the_machines_rate_are_enough),
        cmocka_unit_test(tuples_that_were_read_late_bend_nothing),
        cmocka_unit_test(a_drifting_clock_is_fitted_in_segments),
        cmocka_unit_test(absurd_ticks_stay_within_a_century),
        cmocka_unit_test(absurd_offsets_leave_room_for_differences),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
