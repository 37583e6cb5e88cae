/* SPDX-License-Identifier: Apache-2.0 */
/* test_worker.c - a worker does one task after the other, up to the first that fails. */
#include "base/worker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct tasks {
    unsigned n_done, fails_at; /* 0: none fails */
};

static rln_status do_one(void *context, rln_error *err)
{
    struct tasks *const tasks = context;

    if (++tasks->n_done != tasks->fails_at)
        return RLN_OK;
    err->code = RLN_ERR_IO;
    (void)strcpy(err->message, "the disk is full");
    return RLN_ERR_IO;
}

static void give_three(struct rln__worker *worker, struct tasks *tasks)
{
    for (unsigned i = 0; i < 3; i++) {
        (void)rln__worker_wait(worker, NULL);
        rln__worker_give(worker, do_one, tasks);
    }
}

static void all_tasks_are_done_by_the_time_that_a_worker_stops(void **state)
{
    struct rln__worker worker;
    struct tasks tasks = {0};

    (void)state;
    rln__worker_start(&worker);
    give_three(&worker, &tasks);
    rln__worker_stop(&worker);
    assert_int_equal(tasks.n_done, 3);
    assert_int_equal(rln__worker_wait(&worker, NULL), RLN_OK);
    memset(&worker, 0, sizeof(worker));
    rln__worker_stop(&worker); /* one that was never started */
}

static void check_failure(struct rln__worker *worker)
{
    struct tasks tasks = {.fails_at = 2};
    rln_error err = {0};

    give_three(worker, &tasks);
    assert_int_equal(rln__worker_wait(worker, &err), RLN_ERR_IO);
    assert_string_equal(err.message, "the disk is full");
    assert_int_equal(tasks.n_done, 2);
    assert_int_equal(rln__worker_wait(worker, NULL), RLN_ERR_IO);
}

static void after_a_failure_no_task_is_done(void **state)
{
    struct rln__worker worker;

    (void)state;
    rln__worker_start(&worker);
    check_failure(&worker);
    rln__worker_stop(&worker);
}

static void without_a_thread_the_caller_does_the_tasks(void **state)
{
    struct rln__worker worker = {.has_thread = 0};

    (void)state;
    check_failure(&worker);
    rln__worker_stop(&worker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_tasks_are_done_by_the_time_that_a_worker_stops),
        cmocka_unit_test(after_a_failure_no_task_is_done),
        cmocka_unit_test(without_a_thread_the_caller_does_the_tasks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
