/* SPDX-License-Identifier: Apache-2.0 */
/* helper.c - runs a thread that makes the next block before it is needed.
 *
 * Reserving, mapping and populating 4 MiB takes a millisecond; in this thread, it does
 * not delay threads that record. The helper exists while the program records more than
 * 4 MiB per second. It ends after it was idle for one second, or for 50 ms if the main
 * thread has called pthread_exit(), because the process would wait for the helper.
 *
 * It is an ordinary thread of libc, not a bare clone: setuid() has to reach it, or a
 * program that drops its privileges would keep a privileged thread. Creating it is the
 * only place where the collector calls a function that may allocate; the caller's own
 * work is complete by then, so an annotated malloc() may reenter the collector. It is
 * not created in a signal handler, which may have interrupted malloc() and hold its
 * lock, nor by a child of vfork, whose threads end with it.
 */
#include "collect/event/helper.h"

#include "collect/event/block.h"
#include "collect/process/process.h"

#include <pthread.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

/* Idle steps before the helper ends; one is enough if the main thread has ended. */
enum { IDLE_STEPS = 20 };

/* Of the stack, where address space is limited: the usual 8 MiB belong to the program,
 * but its exit handlers may run on this thread. */
enum { STACK_IF_LIMITED_BYTES = 1 << 20 };

static const uint64_t step_ns = 50000000u;

static void populate(struct rln__block *b)
{
    if (rln__sys_madvise((void *)b->address, b->size, MADV_POPULATE_WRITE) < 0) {
        /* No other thread has the block yet. 4 KiB: at least once per page. */
        for (uint64_t at = 0; at < b->size; at += 4096)
            *(volatile uint64_t *)(b->address + at) = 0;
    }
    b->is_populated = 1;
}

static void make_spare(struct rln__process_context *p)
{
    struct rln__block *none = NULL;
    struct rln__block *b;

    if (__atomic_load_n(&p->spare, __ATOMIC_RELAXED))
        return;
    b = rln__block_new(p, 0);
    if (!b)
        return;
    populate(b);
    if (!__atomic_compare_exchange_n(&p->spare, &none, b, 0, __ATOMIC_RELEASE,
                                     __ATOMIC_RELAXED)) {
        /* A thread that lost a race has left its own block as the spare: this one is
         * not needed. */
        b->n_reserved = b->size;
        rln__block_leave(p, b, b->size);
    }
}

static int main_thread_has_ended(const struct rln__process_context *p)
{
    char byte;
    const struct iovec to = {&byte, 1}, from = {&byte, 1};

    return rln__sys_copy_of(p->pid, &to, 1, &from, 1) == -ESRCH;
}

static void *helper_main(void *creators_mask)
{
    struct rln__process_context *p = rln__collector.process;
    const rln__sigmask mask = (rln__sigmask)(uintptr_t)creators_mask;
    unsigned n_idle = 0;

    /* The creator may have a real-time priority or a processor of its own, where the
     * helper must not interfere. The main thread's scheduling is what the program was
     * started with. */
    rln__sys_schedule_like(p->pid);
    for (;;) {
        const uint32_t calls = __atomic_load_n(&p->helper_calls, __ATOMIC_ACQUIRE);

        make_spare(p);
        rln__blocks_retire(p);
        n_idle = rln__sys_futex_wait(&p->helper_calls, calls, step_ns) == -ETIMEDOUT
                     ? n_idle + 1
                     : 0;
        if (n_idle == IDLE_STEPS || (n_idle && main_thread_has_ended(p)))
            break;
    }
    __atomic_store_n(&p->helper_state, RLN__HELPER_NONE, __ATOMIC_RELEASE);
    /* If this was the last thread, libc now runs the program's exit handlers on it:
     * with every signal blocked, nothing could end them. */
    rln__restore_signals(mask);
    return NULL;
}

/* Whether the caller may be a signal handler: a handler runs on a signal stack, or with
 * its own signal blocked, except with SA_NODEFER. An ordinary thread that blocks a
 * signal with a handler is mistaken for one; then another thread starts the helper. */
static int may_be_handler(rln__sigmask mask)
{
    if (rln__sys_is_on_signal_stack())
        return 1;
    for (int number = 1; number <= 64; number++) {
        if (mask >> (number - 1) & 1 && rln__sys_is_handled(number))
            return 1;
    }
    return 0;
}

void rln__helper_start(struct rln__process_context *p, rln__sigmask mask)
{
    const int saved_errno = errno;
    uint32_t requested = RLN__HELPER_REQUESTED;
    pthread_attr_t attributes;
    pthread_t thread;
    int result;

    if (__atomic_load_n(&p->helper_state, __ATOMIC_RELAXED) != requested ||
        may_be_handler(mask) || rln__is_vfork_child(p) ||
        !__atomic_compare_exchange_n(&p->helper_state, &requested, RLN__HELPER_RUNS, 0,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return;
    result = pthread_attr_init(&attributes);
    if (result == 0) {
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        if (!rln__sys_has_any_address())
            pthread_attr_setstacksize(&attributes, STACK_IF_LIMITED_BYTES);
        result =
            pthread_create(&thread, &attributes, helper_main, (void *)(uintptr_t)mask);
        pthread_attr_destroy(&attributes);
    }
    if (result != 0)
        __atomic_store_n(&p->helper_state, RLN__HELPER_NONE, __ATOMIC_RELEASE);
    errno = saved_errno;
}
