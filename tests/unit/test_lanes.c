/* SPDX-License-Identifier: Apache-2.0 */
/* test_lanes.c - ranges whose end comes late stay in their lane, unless they cross. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "export/lanes.h"

enum { N_RANGES = 5000 };

static const struct rln__key key = {{1}};

static void keep_all(struct rln__lanes *lanes)
{
    memset(lanes, 0, sizeof(*lanes));
    for (uint64_t i = 1; i <= N_RANGES; i++)
        assert_int_equal(rln__lanes_keep(lanes, &key, (int64_t)i, i), 0);
}

static uint32_t end(struct rln__lanes *lanes, uint64_t number, int64_t end_ns)
{
    uint32_t group;

    return rln__lanes_assign_late(lanes, &key, number, (int64_t)number, end_ns, &group);
}

static void what_is_never_closed_stays(void **state)
{
    struct rln__lanes lanes;
    uint32_t group;

    (void)state;
    keep_all(&lanes);
    for (uint64_t i = 1; i <= N_RANGES; i++)
        assert_int_equal(end(&lanes, i, INT64_MAX), 0);
    assert_int_equal(
        rln__lanes_assign(&lanes, &key, N_RANGES + 1, N_RANGES + 2, &group), 0);
    rln__lanes_clear(&lanes);
}

static void what_nests_stays(void **state)
{
    struct rln__lanes lanes;
    uint32_t group;

    (void)state;
    keep_all(&lanes);
    for (uint64_t i = N_RANGES; i; i--)
        assert_int_equal(end(&lanes, i, 2 * N_RANGES - (int64_t)i), 0);
    assert_int_equal(
        rln__lanes_assign(&lanes, &key, 2 * N_RANGES, 3 * N_RANGES, &group), 0);
    assert_int_equal(lanes.groups[group].lanes[0].n, 1); /* the others are over */
    rln__lanes_clear(&lanes);
}

static void what_ends_before_one_that_began_in_it_moves(void **state)
{
    struct rln__lanes lanes;

    (void)state;
    memset(&lanes, 0, sizeof(lanes));
    for (uint64_t i = 1; i <= 4; i++)
        assert_int_equal(rln__lanes_keep(&lanes, &key, (int64_t)i, i), 0);
    assert_int_equal(end(&lanes, 2, 10), 1);
    assert_int_equal(lanes.groups[0].lanes[0].kept[1].number, 3);
    assert_int_equal(lanes.groups[0].lanes[0].kept[1].at, 1);
    assert_int_equal(lanes.groups[0].lanes[0].kept[2].at, 2);
    assert_int_equal(end(&lanes, 3, INT64_MAX), 0);
    assert_int_equal(end(&lanes, 1, 11), 2);
    assert_int_equal(end(&lanes, 4, 12), 0);
    assert_int_equal(lanes.groups[0].lanes[0].n, 2);
    assert_int_equal(lanes.groups[0].lanes[0].n_kept, 0);
    rln__lanes_clear(&lanes);
}

static void one_that_begins_where_another_ends_needs_no_lane(void **state)
{
    struct rln__lanes lanes = {0};
    uint32_t group;

    (void)state;
    assert_int_equal(rln__lanes_assign(&lanes, &key, 1, 5, &group), 0);
    assert_int_equal(rln__lanes_assign(&lanes, &key, 5, 9, &group), 0);
    assert_int_equal(rln__lanes_assign(&lanes, &key, 8, 10, &group), 1);
    assert_int_equal(rln__lanes_assign(&lanes, &key, 9, 10, &group), 0);
    rln__lanes_clear(&lanes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_never_closed_stays),
        cmocka_unit_test(what_nests_stays),
        cmocka_unit_test(one_that_begins_where_another_ends_needs_no_lane),
        cmocka_unit_test(what_ends_before_one_that_began_in_it_moves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
