/* SPDX-License-Identifier: Apache-2.0 */
/* test_quantile.c - medians equal those of a sorted copy; standard deviations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "reports/summary/quantile.h"

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* `range` is how many different values there are. */
static void check_median(size_t n, uint64_t range, uint64_t factor)
{
    struct rln__samples samples = {0};
    struct rln__spread spread;
    uint64_t *sorted = malloc(n * sizeof(*sorted));
    uint64_t random = n, total = 0;
    double median;

    for (size_t i = 0; i < n; i++) {
        sorted[i] = next_random(&random) % range * factor;
        total += sorted[i];
        assert_int_equal(rln__samples_add(&samples, sorted[i]), 0);
    }
    qsort(sorted, n, sizeof(*sorted), by_value);
    median = n % 2 ? (double)sorted[n / 2]
                   : ((double)sorted[n / 2 - 1] + (double)sorted[n / 2]) / 2;
    assert_int_equal(rln__samples_spread(&samples, total, &spread), 0);
    assert_true(fabs(spread.median - median) < 1e-6);
    assert_true(fabs(spread.average - (double)total / (double)n) < 1e-6);
    rln__samples_clear(&samples);
    free(sorted);
}

static void medians_are_exact_for_any_number_and_size(void **state)
{
    static const size_t counts[] = {1, 2, 3, 4, 5, 16, 17, 1000, 65537, 70000, 200001};
    static const uint64_t ranges[] = {1, 2, 3, 1000, 1u << 31};

    (void)state;
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        for (size_t k = 0; k < sizeof(ranges) / sizeof(ranges[0]); k++) {
            check_median(counts[i], ranges[k], 1);
            check_median(counts[i], ranges[k], 5); /* some over 32 bits */
        }
    }
}

static void selection_is_quick_on_sorted_input(void **state)
{
    const size_t n = 1000000;
    uint64_t *values = malloc(n * sizeof(*values));

    (void)state;
    for (size_t i = 0; i < n; i++)
        values[i] = i;
    assert_int_equal(rln__select(values, n, n / 2), n / 2);
    for (size_t i = 0; i < n; i++)
        values[i] = n - i;
    assert_int_equal(rln__select(values, n, 0), 1);
    free(values);
}

/* `offset` and 0, 1, 2: the mean is offset + 1, the squares of the distances add to 2.
 */
static void deviations_are_exact_far_from_zero(void **state)
{
    static const uint64_t offsets[] = {0, 1, 1000000, 1u << 31, (uint64_t)1 << 60};

    (void)state;
    for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
        const uint64_t values[] = {offsets[i] + 2, offsets[i], offsets[i] + 1};
        uint64_t total = 0;
        rln__u128 squares = 0;

        for (size_t k = 0; k < 3; k++) {
            total += values[k];
            squares += (rln__u128)values[k] * values[k];
        }
        assert_true(rln__stddev(3, total, squares) == 1);
    }
    assert_true(rln__stddev(2, 5, 13) == sqrt(0.5)); /* 2 and 3 */
    assert_true(rln__stddev(4, 28, 196) == 0);
    assert_true(rln__stddev(1, 5, 25) == 0);
    assert_true(rln__stddev(0, 0, 0) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians_are_exact_for_any_number_and_size),
        cmocka_unit_test(deviations_are_exact_far_from_zero),
        cmocka_unit_test(selection_is_quick_on_sorted_input),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
