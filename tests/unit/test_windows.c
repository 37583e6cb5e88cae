/* SPDX-License-Identifier: Apache-2.0 */
/* test_windows.c - changes of a run's gate open and close windows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "format/windows.h"

static struct rln__superblock *new_superblock(uint32_t bits)
{
    struct rln__superblock *super = calloc(1, RLN__SUPERBLOCK_BYTES);

    assert_non_null(super);
    rln__gate_begin(super, bits);
    return super;
}

static const struct rln__window *window(const struct rln__superblock *super, size_t i)
{
    return (const struct rln__window *)(const void *)((const char *)super +
                                                      RLN__WINDOWS_OFFSET) +
           i;
}

static uint32_t n_windows(const struct rln__superblock *super)
{
    return (uint32_t)(super->control.gate >> 32);
}

static void check_window(const struct rln__superblock *super, size_t i, uint64_t opened,
                         uint32_t opened_by, uint64_t closed, uint32_t closed_by)
{
    const struct rln__window *w = window(super, i);

    assert_int_equal(w->opened, opened);
    assert_int_equal(w->opened_by, opened_by);
    assert_int_equal(w->closed, closed);
    assert_int_equal(w->closed_by, closed_by);
}

static void a_window_is_open_while_there_is_no_reason_against_it(void **state)
{
    struct rln__superblock *super =
        new_superblock(RLN__GATE_CAPTURE | RLN__GATE_WATCHED | RLN__GATE_DELAY);

    (void)state;
    (void)rln__gate_change(super, 0, RLN__GATE_DELAY, RLN__WINDOW_BY_TIME, 100);
    assert_int_equal(n_windows(super), 0); /* one reason to stay closed remains */
    (void)rln__gate_change(super, 0, RLN__GATE_CAPTURE, RLN__WINDOW_BY_CAPTURE, 200);
    assert_int_equal(n_windows(super), 1);
    check_window(super, 0, 200, RLN__WINDOW_BY_CAPTURE, 0, 0);
    (void)rln__gate_change(super, RLN__GATE_COMMAND, 0, RLN__WINDOW_BY_COMMAND, 300);
    (void)rln__gate_change(super, RLN__GATE_OVER, 0, RLN__WINDOW_BY_RUN, 400);
    assert_int_equal(n_windows(super), 1);
    check_window(super, 0, 200, RLN__WINDOW_BY_CAPTURE, 300, RLN__WINDOW_BY_COMMAND);
    assert_int_equal(rln__gate_of(super),
                     RLN__GATE_COMMAND | RLN__GATE_OVER | RLN__GATE_WATCHED);
    free(super);
}

static void a_run_that_began_open_has_a_window_without_an_opener(void **state)
{
    struct rln__superblock *super = new_superblock(0);

    (void)state;
    assert_int_equal(n_windows(super), 0);
    assert_int_equal(
        rln__gate_change(super, RLN__GATE_PROGRAM, 0, RLN__WINDOW_BY_PROGRAM, 50), 0);
    (void)rln__gate_change(super, 0, RLN__GATE_PROGRAM, RLN__WINDOW_BY_PROGRAM, 60);
    assert_int_equal(n_windows(super), 2);
    check_window(super, 0, 0, RLN__WINDOW_BY_RUN, 50, RLN__WINDOW_BY_PROGRAM);
    check_window(super, 1, 60, RLN__WINDOW_BY_PROGRAM, 0, 0);
    free(super);
}

static void a_bit_that_is_no_reason_opens_and_closes_nothing(void **state)
{
    struct rln__superblock *super = new_superblock(RLN__GATE_WATCHED);

    (void)state;
    assert_int_equal(
        rln__gate_change(super, RLN__GATE_SHUTDOWN, RLN__GATE_WATCHED, 0, 50),
        RLN__GATE_WATCHED);
    assert_int_equal(rln__gate_of(super), RLN__GATE_SHUTDOWN);
    assert_int_equal(n_windows(super), 0);
    free(super);
}

static void windows_beyond_the_list_are_counted_only(void **state)
{
    struct rln__superblock *super = new_superblock(RLN__GATE_COMMAND);
    const uint64_t n = RLN__MAX_WINDOWS + 3;

    (void)state;
    for (uint64_t i = 1; i <= n; i++) {
        (void)rln__gate_change(super, 0, RLN__GATE_COMMAND, RLN__WINDOW_BY_COMMAND,
                               i * 10);
        (void)rln__gate_change(super, RLN__GATE_COMMAND, 0, RLN__WINDOW_BY_COMMAND,
                               i * 10 + 5);
    }
    assert_int_equal(n_windows(super), n);
    check_window(super, RLN__MAX_WINDOWS - 1, RLN__MAX_WINDOWS * 10,
                 RLN__WINDOW_BY_COMMAND, RLN__MAX_WINDOWS * 10 + 5,
                 RLN__WINDOW_BY_COMMAND);
    assert_int_equal(RLN__WINDOWS_OFFSET +
                         RLN__MAX_WINDOWS * sizeof(struct rln__window),
                     RLN__SUPERBLOCK_BYTES); /* the list ends with the superblock */
    free(super);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_is_open_while_there_is_no_reason_against_it),
        cmocka_unit_test(a_run_that_began_open_has_a_window_without_an_opener),
        cmocka_unit_test(a_bit_that_is_no_reason_opens_and_closes_nothing),
        cmocka_unit_test(windows_beyond_the_list_are_counted_only),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
