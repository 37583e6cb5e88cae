/* SPDX-License-Identifier: Apache-2.0 */
/* test_gpu_open.c - the open ranges of a thread are found as by looking at all of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "reports/gpu/gpu_open.h"

enum { N_RANGES = 3000, LONGEST = 60 };

static struct rln__gpu_range all[N_RANGES];
static uint8_t is_open[N_RANGES];

/* The shortest that ends at `end_ns` or later, the last of several; SIZE_MAX: none. */
static size_t find_around(size_t n, int64_t end_ns)
{
    size_t found = SIZE_MAX;

    for (size_t i = 0; i < n; i++) {
        const int64_t ns = all[i].end_ns - all[i].start_ns;

        if (is_open[i] && all[i].end_ns >= end_ns &&
            (found == SIZE_MAX || ns <= all[found].end_ns - all[found].start_ns))
            found = i;
    }
    return found;
}

static void take_until(struct rln__gpu_open *open, int64_t t_ns, size_t n)
{
    const struct rln__gpu_range *range;
    int64_t last_ns = INT64_MIN;

    while ((range = rln__gpu_open_take(open, t_ns))) {
        assert_true(is_open[range->number]);
        assert_true(range->end_ns >= last_ns && range->end_ns < t_ns);
        last_ns = range->end_ns;
        is_open[range->number] = 0;
    }
    for (size_t i = 0; i < n; i++)
        assert_true(!is_open[i] || all[i].end_ns >= t_ns);
}

static void expect_list(const struct rln__gpu_open *open, size_t n)
{
    uint32_t at = open->first;

    for (size_t i = 0; i < n; i++) {
        if (!is_open[i])
            continue;
        assert_int_not_equal(at, 0);
        assert_int_equal(open->items[at - 1].range.number, i);
        at = open->items[at - 1].after;
    }
    assert_int_equal(at, 0);
}

static void parents_and_ends_are_those_of_a_search(void **state)
{
    static const unsigned lengths[] = {1, 5, LONGEST, 1000};

    (void)state;
    for (size_t l = 0; l < sizeof(lengths) / sizeof(*lengths); l++) {
        struct rln__gpu_open open = {0};
        int64_t t_ns = 0;

        memset(is_open, 0, sizeof(is_open));
        for (uint32_t i = 0; i < N_RANGES; i++) {
            const uint64_t random = rln__mix(((uint64_t)l << 32) + i + 1);
            const struct rln__gpu_range *parent;
            size_t expected;

            t_ns += (int64_t)(random % 3);
            all[i] = (struct rln__gpu_range){
                .start_ns = t_ns,
                .end_ns = t_ns + (int64_t)((random >> 8) % lengths[l]),
                .number = i};
            take_until(&open, t_ns, i);
            parent = rln__gpu_open_around(&open, all[i].end_ns);
            expected = find_around(i, all[i].end_ns);
            assert_int_equal(parent ? parent->number : SIZE_MAX, expected);
            assert_int_equal(rln__gpu_open_add(&open, &all[i]), 0);
            is_open[i] = 1;
            if (i % 100 == 0)
                expect_list(&open, i + 1);
        }
        take_until(&open, INT64_MAX, N_RANGES);
        expect_list(&open, N_RANGES);
        rln__gpu_open_clear(&open);
    }
}

/* What was never closed ends with the trace, so each of them is the parent of the next,
 * and none but the last is kept as a possible one. */
static void ranges_that_stay_open_leave_one_possible_parent(void **state)
{
    struct rln__gpu_open open = {0};

    (void)state;
    for (uint32_t i = 0; i < N_RANGES; i++) {
        const struct rln__gpu_range range = {
            .start_ns = i, .end_ns = N_RANGES, .number = i};
        const struct rln__gpu_range *parent = rln__gpu_open_around(&open, N_RANGES);

        assert_int_equal(parent ? parent->number + 1 : 0, i);
        assert_int_equal(rln__gpu_open_add(&open, &range), 0);
        assert_int_equal(open.n_shortest, 1);
    }
    rln__gpu_open_clear(&open);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parents_and_ends_are_those_of_a_search),
        cmocka_unit_test(ranges_that_stay_open_leave_one_possible_parent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
