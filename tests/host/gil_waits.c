/* SPDX-License-Identifier: Apache-2.0 */
/* gil_waits.c - waits on condition variables, in the ways that a program can notice, and
 * prints what comes of them. gil_waits.sh runs it recorded and not. With HAS_RUNTIME it
 * has the objects of CPython by which the recorder knows the GIL, and waits for that,
 * too. */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef HAS_RUNTIME
#define HAS_RUNTIME 0
#endif

/* As in CPython: a lock, and what protects and announces it. */
struct gil {
    unsigned long interval;
    void *last_holder;
    int locked;
    unsigned long switch_number;
    pthread_cond_t condition;
    pthread_mutex_t mutex;
    int n_timed_out; /* ours */
    bool is_waiting;
};
#define GIL_INITIAL                                                                    \
    {                                                                                  \
        .condition = PTHREAD_COND_INITIALIZER, .mutex = PTHREAD_MUTEX_INITIALIZER      \
    }

static struct gil other = GIL_INITIAL;

#if HAS_RUNTIME
struct runtime {
    char before[64];
    struct gil gil;
};
extern struct runtime _PyRuntime;
extern const unsigned long Py_Version;
struct runtime _PyRuntime = {.gil = GIL_INITIAL};
const unsigned long Py_Version = HAS_RUNTIME;
static struct gil *const gil = &_PyRuntime.gil;
#else
static struct gil *const gil = &other;
#endif

static int wait_ms(struct gil *g, long ms)
{
    struct timespec until;

    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += ms * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    return pthread_cond_timedwait(&g->condition, &g->mutex, &until);
}

/* As CPython takes its lock. */
static void take(struct gil *g)
{
    (void)pthread_mutex_lock(&g->mutex);
    while (g->locked)
        g->n_timed_out += wait_ms(g, 5) == ETIMEDOUT;
    g->locked = 1;
    (void)pthread_mutex_unlock(&g->mutex);
}

static void drop(struct gil *g)
{
    (void)pthread_mutex_lock(&g->mutex);
    g->locked = 0;
    (void)pthread_cond_signal(&g->condition);
    (void)pthread_mutex_unlock(&g->mutex);
}

static void *take_and_drop(void *lock)
{
    take(lock);
    drop(lock);
    return lock;
}

static int count_timed_out(struct gil *g)
{
    int n;

    (void)pthread_mutex_lock(&g->mutex);
    n = g->n_timed_out;
    (void)pthread_mutex_unlock(&g->mutex);
    return n;
}

/* The lock is held for 20 of the thread's time-outs. */
static void let_wait(struct gil *g)
{
    pthread_t thread;
    void *result;

    take(g);
    g->n_timed_out = 0;
    (void)pthread_create(&thread, NULL, take_and_drop, g);
    while (count_timed_out(g) < 20)
        (void)usleep(1000);
    drop(g);
    (void)pthread_join(thread, &result);
    printf("taken: %d\n", result == g);
}

static void unlock(void *mutex)
{
    printf("cancelled, mutex held: %d\n", pthread_mutex_trylock(mutex) == EBUSY);
    (void)pthread_mutex_unlock(mutex);
}

static void *wait_long(void *lock)
{
    struct gil *g = lock;

    (void)pthread_mutex_lock(&g->mutex);
    pthread_cleanup_push(unlock, &g->mutex);
    g->is_waiting = true;
    for (;;)
        (void)wait_ms(g, 60000);
    pthread_cleanup_pop(1);
    return NULL;
}

static void cancel(struct gil *g)
{
    pthread_t thread;
    bool is_waiting = false;
    void *result;

    (void)pthread_create(&thread, NULL, wait_long, g);
    while (!is_waiting) { /* with the mutex given back */
        (void)pthread_mutex_lock(&g->mutex);
        is_waiting = g->is_waiting;
        (void)pthread_mutex_unlock(&g->mutex);
    }
    (void)pthread_cancel(thread);
    (void)pthread_join(thread, &result);
    printf("cancelled: %d\n", result == PTHREAD_CANCELED);
}

static void results_of(struct gil *g)
{
    const struct timespec wrong = {.tv_nsec = -1};

    (void)pthread_mutex_lock(&g->mutex);
    errno = 77;
    printf("timed out: %d, errno %d\n", wait_ms(g, 1) == ETIMEDOUT, errno);
    printf("wrong time: %d, errno %d\n",
           pthread_cond_timedwait(&g->condition, &g->mutex, &wrong) == EINVAL, errno);
    (void)pthread_mutex_unlock(&g->mutex);
}

int main(void)
{
    struct gil *const all[] = {&other, gil};
    int status = 0;

    for (int i = 0; i < 2; i++) {
        results_of(all[i]);
        let_wait(all[i]);
        cancel(all[i]);
    }
    (void)fflush(stdout);
    if (fork() == 0) {
        let_wait(gil);
        return 3;
    }
    (void)wait(&status);
    printf("child: %d\n", WEXITSTATUS(status));
    return 5;
}
