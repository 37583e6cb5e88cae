/* SPDX-License-Identifier: Apache-2.0 */
/* test_exact_spread.c - medians and deviations equal those of a sorted copy, whether
 * values are counted or kept; selection; the standard deviation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/wide_int.h"
#include "statistics/deviation.h"
#include "statistics/exact_spread.h"
#include "statistics/select.h"

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

/* Values of one kind, in turns with those of another. */
struct mix {
    uint64_t range, factor; /* how many different ones, and how far apart */
    uint64_t other_range, other_factor;
};

/* In which of three parts a value is: the first has few, the last of other sizes. */
static unsigned part_of(size_t i, size_t n)
{
    return i < n / 9 ? 0 : i < n / 2 ? 1 : 2;
}

/* Of all values added to one, or to three that are merged. */
static void check_spread(size_t n, const struct mix *mix, int is_merged)
{
    struct rln__samples parts[3] = {0}, *samples = &parts[0];
    struct rln__spread spread;
    uint64_t *sorted = malloc(n * sizeof(*sorted));
    uint64_t random = n, total = 0;
    rln__u128 squares = 0;
    double median;

    for (size_t i = 0; i < n; i++) {
        const int is_other = mix->other_range && i % 3 == 0;

        sorted[i] = next_random(&random) % (is_other ? mix->other_range : mix->range) *
                    (is_other ? mix->other_factor : mix->factor);
        total += sorted[i];
        squares += (rln__u128)sorted[i] * sorted[i];
        assert_int_equal(
            rln__samples_add(&parts[is_merged ? part_of(i, n) : 0], sorted[i]), 0);
    }
    for (size_t i = 1; i < 3 && is_merged; i++)
        assert_int_equal(rln__samples_merge(samples, &parts[i]), 0);
    qsort(sorted, n, sizeof(*sorted), by_value);
    median = n % 2 ? (double)sorted[n / 2]
                   : ((double)sorted[n / 2 - 1] + (double)sorted[n / 2]) / 2;
    assert_int_equal(samples->n, n);
    assert_int_equal(rln__samples_spread(samples, total, &spread), 0);
    assert_true(spread.median == median);
    assert_true(spread.average == (double)total / (double)n);
    assert_true(spread.stddev == rln__stddev(n, total, squares));
    rln__samples_clear(samples);
    free(sorted);
}

static void spreads_are_exact_for_any_number_and_size(void **state)
{
    static const size_t numbers[] = {1,      2,      3,      4,      5,
                                     16,     17,     1000,   65537,  70000,
                                     131072, 131073, 131074, 200001, 300000};
    static const struct mix mixes[] = {
        {1, 0, 0, 0}, /* all 0 */
        {2, 1, 0, 0},
        {1000, 1, 0, 0},              /* all counted, once they are many */
        {65537, 1, 0, 0},             /* the last one is not */
        {70000, 5, 0, 0},             /* many counted, more in blocks */
        {1000, 100000, 0, 0},         /* all in blocks */
        {(uint64_t)1 << 31, 1, 0, 0}, /* likewise */
        {(uint64_t)1 << 31, 5, 0, 0}, /* over 32 bits: most of them large */
        {1000, 3, 5, 1000000000},     /* few in blocks or large among counted ones */
        {9, 1000000000, 1000, 3},     /* more large ones than others */
        {100000, 3, 9, 1000000000},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        for (size_t k = 0; k < sizeof(mixes) / sizeof(mixes[0]); k++)
            check_spread(numbers[i], &mixes[k], (int)((i + k) % 2));
    }
}

/* What is copied later is never counted: copies are in the order of adding, those over
 * 4.29 s last. */
static void samples_that_keep_their_order_are_copied_in_it(void **state)
{
    const size_t n = 300000;
    struct rln__samples samples = {.keeps_order = 1};
    uint64_t *copied = malloc(n * sizeof(*copied));
    uint64_t random = 1;
    size_t at = 0;

    (void)state;
    for (size_t i = 0; i < n; i++) {
        const uint64_t value =
            i % 1000 == 7 ? (uint64_t)1 << 40 : next_random(&random) % 99;

        assert_int_equal(rln__samples_add(&samples, value), 0);
    }
    rln__samples_copy(&samples, copied);
    random = 1;
    for (size_t i = 0; i < n; i++) {
        if (i % 1000 != 7)
            assert_int_equal(copied[at++], next_random(&random) % 99);
    }
    assert_int_equal(n - at, samples.n_large);
    for (; at < n; at++)
        assert_true(copied[at] == (uint64_t)1 << 40);
    rln__samples_clear(&samples);
    free(copied);
}

/* A twentieth of the memory that four bytes each would take. */
static void many_short_ones_take_little_memory(void **state)
{
    struct rln__samples samples = {0};
    uint64_t n_counted = 0;

    (void)state;
    for (size_t i = 0; i < 1000000; i++)
        assert_int_equal(rln__samples_add(&samples, i % RLN__N_COUNTS), 0);
    assert_null(samples.block);
    for (size_t i = 0; i < RLN__N_COUNTS; i++)
        n_counted += samples.counts[i];
    assert_int_equal(n_counted, 1000000);
    rln__samples_clear(&samples);
    assert_null(samples.counts);
}

/* A failing allocation is reported, also in the middle of counting; a sanitizer sees
 * leaks. */
static void samples_without_memory_are_freed(void **state)
{
    size_t n_failing = 0;
    int failed = 1;

    (void)state;
    while (failed) {
        struct rln__samples samples = {0};
        struct rln__spread spread;

        failed = 0;
        rln__alloc_fail_from(++n_failing);
        for (size_t i = 0; i < 200000 && !failed; i++)
            failed = rln__samples_add(&samples, i % 2 ? 5 : i * 1000000);
        failed = failed || rln__samples_spread(&samples, 1, &spread);
        assert_int_equal(failed != 0, rln__alloc_failures() != 0);
        rln__alloc_fail_from(0);
        rln__samples_clear(&samples);
    }
    assert_true(n_failing > 20);
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
        cmocka_unit_test(spreads_are_exact_for_any_number_and_size),
        cmocka_unit_test(samples_that_keep_their_order_are_copied_in_it),
        cmocka_unit_test(many_short_ones_take_little_memory),
        cmocka_unit_test(samples_without_memory_are_freed),
        cmocka_unit_test(deviations_are_exact_far_from_zero),
        cmocka_unit_test(selection_is_quick_on_sorted_input),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
