/* SPDX-License-Identifier: Apache-2.0 */
/* test_sort_numbers.c - numbers of all sizes are sorted, with memory and without. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "statistics/sort_numbers.h"

/* Few are sorted in another way than many. */
static const size_t counts[] = {0, 1, 2, 3, 100, 512, 513, 5000, 70001};
#define N_COUNTS (sizeof(counts) / sizeof(*counts))
#define MOST 70001

static uint64_t numbers[MOST], expected[MOST];
static double values[MOST], expected_values[MOST];

static uint64_t next_random(void)
{
    static uint64_t state = 0x9e3779b97f4a7c15u;

    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Numbers that have only these bits, and others that all of them have. */
static void check_lengths(size_t n, uint64_t bits, uint64_t common)
{
    for (size_t i = 0; i < n; i++)
        numbers[i] = expected[i] = (next_random() & bits) | common;
    qsort(expected, n, sizeof(*expected), by_size);
    rln__sort_lengths(numbers, n);
    assert_memory_equal(numbers, expected, n * sizeof(*numbers));
}

static void lengths_are_sorted(void **state)
{
    static const uint64_t bits[] = {
        0,        1,           0x7ff,      0x800,      0xffff,
        0x3fffff, 0xffffffffu, UINT64_MAX, 1ull << 63, 0x8000000000000001u};

    (void)state;
    for (size_t c = 0; c < N_COUNTS; c++) {
        for (size_t b = 0; b < sizeof(bits) / sizeof(*bits); b++) {
            check_lengths(counts[c], bits[b], 0);
            check_lengths(counts[c], bits[b], 0x123456789abcdef0u);
        }
    }
}

static void lengths_are_sorted_without_memory(void **state)
{
    (void)state;
    rln__alloc_fail_from(1);
    check_lengths(5000, UINT64_MAX, 0);
    rln__alloc_fail_from(0);
}

static double next_double(size_t i)
{
    static const double special[] = {-INFINITY, INFINITY, 0, 1e-310, -1e-310, 1e300};
    const uint64_t random = next_random();

    if (i % 50 == 0)
        return special[random % (sizeof(special) / sizeof(*special))];
    return ((double)(random % 2000001) - 1000000) / 7;
}

static void check_doubles(size_t n)
{
    for (size_t i = 0; i < n; i++)
        values[i] = expected_values[i] = next_double(i);
    qsort(expected_values, n, sizeof(*expected_values), by_value);
    rln__sort_doubles(values, n);
    assert_memory_equal(values, expected_values, n * sizeof(*values));
}

static void doubles_are_sorted(void **state)
{
    (void)state;
    for (size_t c = 0; c < N_COUNTS; c++)
        check_doubles(counts[c]);
}

static void doubles_are_sorted_without_memory(void **state)
{
    (void)state;
    for (unsigned fails = 1; fails <= 2; fails++) {
        rln__alloc_fail_from(fails);
        check_doubles(5000);
        rln__alloc_fail_from(0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_are_sorted),
        cmocka_unit_test(lengths_are_sorted_without_memory),
        cmocka_unit_test(doubles_are_sorted),
        cmocka_unit_test(doubles_are_sorted_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
