/* SPDX-License-Identifier: Apache-2.0 */
/* test_maker_election.c - of many threads that find an object exhausted, few make a
 * replacement. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "collect/event/maker_election.h"

enum { CROWD = 64 };

static struct rln__maker_election making;
static void *place; /* atomic */
static char used_up, next;
static uint32_t n_made; /* atomic */
static pthread_barrier_t all_here;

static void sleep_ms(long ms)
{
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000};

    (void)nanosleep(&time, NULL);
}

/* Making takes a while: the disk is busy, or other threads have the processors. */
static void *find_it_used_up(void *unused)
{
    (void)pthread_barrier_wait(&all_here);
    if (rln__maker_election_begin(&making, &place, &used_up)) {
        __atomic_fetch_add(&n_made, 1, __ATOMIC_RELAXED);
        sleep_ms(450);
        __atomic_store_n(&place, &next, __ATOMIC_RELEASE);
        rln__maker_election_end(&making);
    }
    return unused;
}

static uint32_t made_by_a_crowd(void)
{
    pthread_t crowd[CROWD];

    __atomic_store_n(&place, &used_up, __ATOMIC_RELEASE);
    n_made = 0;
    assert_int_equal(pthread_barrier_init(&all_here, NULL, CROWD), 0);
    for (int i = 0; i < CROWD; i++)
        assert_int_equal(pthread_create(&crowd[i], NULL, find_it_used_up, NULL), 0);
    for (int i = 0; i < CROWD; i++)
        assert_int_equal(pthread_join(crowd[i], NULL), 0);
    pthread_barrier_destroy(&all_here);
    return n_made;
}

/* At most two, however long it takes: if the machine stalls for seconds, the first one
 * is overtaken. */
static void a_crowd_makes_one(void **state)
{
    (void)state;
    assert_in_range(made_by_a_crowd(), 1, 2);
}

/* A child of vfork began, and was replaced by another program. */
static void a_maker_that_never_ends_is_overtaken_once(void **state)
{
    (void)state;
    making.maker = 1;
    assert_in_range(made_by_a_crowd(), 1, 2);
    assert_int_equal(making.maker, 0);
}

/* Its end does not end the work of the thread that took over. */
static void an_overtaken_maker_ends_nothing(void **state)
{
    const uint32_t another = 1;

    (void)state;
    __atomic_store_n(&place, &used_up, __ATOMIC_RELEASE);
    assert_int_equal(rln__maker_election_begin(&making, &place, &used_up), 1);
    making.maker = another;
    rln__maker_election_end(&making);
    assert_int_equal(making.maker, another);
    making.maker = 0;
}

static void a_replacement_is_made_only_once(void **state)
{
    (void)state;
    __atomic_store_n(&place, &next, __ATOMIC_RELEASE);
    assert_int_equal(rln__maker_election_begin(&making, &place, &used_up), 0);
    assert_int_equal(making.maker, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crowd_makes_one),
        cmocka_unit_test(a_maker_that_never_ends_is_overtaken_once),
        cmocka_unit_test(an_overtaken_maker_ends_nothing),
        cmocka_unit_test(a_replacement_is_made_only_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
