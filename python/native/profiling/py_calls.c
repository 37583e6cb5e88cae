/* SPDX-License-Identifier: Apache-2.0 */
/* py_calls.c - makes and reuses the stacks of calls of threads. */
#include "profiling/py_calls.h"

#include <pthread.h>
#include <unistd.h>

_Thread_local struct rln_py_calls *rln_py_own_calls;

/* All stacks. New ones are added at the head by compare-and-swap; none is removed. */
static struct rln_py_calls *all_calls;

static void (*on_room)(struct rln_py_calls *calls); /* atomic */

static pthread_key_t end_of_thread;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool has_key;

/* Release: orders the thread's use of the stack before the next owner's; pairs with
 * claim(). */
static void give_back(void *argument)
{
    struct rln_py_calls *const calls = argument;

    calls->n = calls->base = 0;
    calls->followed_to = 0;
    __atomic_store_n(&calls->limit, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&calls->n_open, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&calls->is_used, false, __ATOMIC_RELEASE);
}

static void make_key(void)
{
    has_key = pthread_key_create(&end_of_thread, give_back) == 0;
}

/* Claims the stack of a thread that has ended; NULL if there is none. */
static struct rln_py_calls *claim(void)
{
    struct rln_py_calls *calls = __atomic_load_n(&all_calls, __ATOMIC_ACQUIRE);

    for (; calls; calls = calls->next) {
        bool is_used = false;

        if (__atomic_compare_exchange_n(&calls->is_used, &is_used, true, false,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return calls;
    }
    return NULL;
}

static struct rln_py_calls *make(void)
{
    struct rln_py_calls *const calls = calloc(1, sizeof(*calls));

    if (!calls)
        return NULL;
    calls->is_used = true;
    calls->next = __atomic_load_n(&all_calls, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&all_calls, &calls->next, calls, true,
                                        __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        ;
    return calls;
}

struct rln_py_calls *rln_py_take_calls(void)
{
    struct rln_py_calls *calls;

    (void)pthread_once(&once, make_key);
    if (!has_key)
        return NULL;
    calls = claim();
    if (!calls)
        calls = make();
    if (!calls)
        return NULL;
    calls->process = (int)getpid();
    (void)pthread_setspecific(end_of_thread, calls);
    rln_py_own_calls = calls;
    return calls;
}

static bool grow(struct rln_py_calls *calls)
{
    const size_t room = calls->room ? 2 * calls->room : 256;
    struct rln_py_call *const grown = realloc(calls->items, room * sizeof(*grown));

    if (!grown)
        return false;
    calls->items = grown;
    calls->room = room;
    return true;
}

/* The limit is set before on_room is read, and rln_py_calls_on_room() does it in the
 * other order, all sequentially consistent: either its 0 stays, or the function is
 * called here. */
bool rln_py_calls_make_room(struct rln_py_calls *calls)
{
    void (*function)(struct rln_py_calls *);

    if (calls->n == calls->room && !grow(calls))
        return false;
    __atomic_store_n(&calls->limit, calls->room, __ATOMIC_SEQ_CST);
    function = __atomic_load_n(&on_room, __ATOMIC_SEQ_CST);
    if (function)
        function(calls);
    return true;
}

void rln_py_calls_on_room(void (*function)(struct rln_py_calls *calls))
{
    struct rln_py_calls *calls;

    __atomic_store_n(&on_room, function, __ATOMIC_SEQ_CST);
    calls = __atomic_load_n(&all_calls, __ATOMIC_ACQUIRE);
    for (; calls; calls = calls->next)
        __atomic_store_n(&calls->limit, 0, __ATOMIC_SEQ_CST);
}

bool rln_py_calls_are_open(void)
{
    const struct rln_py_calls *calls = __atomic_load_n(&all_calls, __ATOMIC_ACQUIRE);
    const int process = (int)getpid();

    for (; calls; calls = calls->next) {
        if (__atomic_load_n(&calls->n_open, __ATOMIC_RELAXED) &&
            (calls->process == process || calls == rln_py_own_calls))
            return true;
    }
    return false;
}
