/* SPDX-License-Identifier: Apache-2.0 */
/* waits.c - ranges that are on a processor, preempted and blocked. Prints for each name
 * the processor time of its ranges, by the clock of their thread: "spins 30012345". */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <nvtx3/nvToolsExt.h>

#define MS 1000000u

static uint64_t cpu_ns(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void work(uint64_t ns)
{
    const uint64_t begin = cpu_ns();

    while (cpu_ns() - begin < ns) {
    }
}

/* One write for each, so that lines of several processes stay whole. */
static void print(const char *name, uint64_t ns)
{
    char line[64];
    const int n =
        snprintf(line, sizeof(line), "%s %llu\n", name, (unsigned long long)ns);

    if (write(STDOUT_FILENO, line, (size_t)n) != n)
        abort();
}

/* --- Beside another program on one processor --------------------------------------- */

static void pin(void)
{
    cpu_set_t all, one;

    if (sched_getaffinity(0, sizeof(all), &all) < 0)
        abort();
    CPU_ZERO(&one);
    for (size_t i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &one);
    if (sched_setaffinity(0, sizeof(one), &one) < 0)
        abort();
}

static void spins(void)
{
    uint64_t ns = 0;
    pid_t hog;

    pin();
    hog = fork();
    if (hog == 0)
        for (;;) {
        }
    for (int i = 0; i < 4; i++) {
        uint64_t begin;

        nvtxRangePushA("spins");
        begin = cpu_ns();
        work(20 * MS);
        ns += cpu_ns() - begin;
        nvtxRangePop();
    }
    (void)kill(hog, SIGKILL);
    (void)waitpid(hog, NULL, 0);
    print("spins", ns);
}

/* --- Waiting ----------------------------------------------------------------------- */

static void sleeps(const char *name)
{
    uint64_t ns = 0;

    for (int i = 0; i < 10; i++) {
        uint64_t begin;

        nvtxRangePushA(name);
        begin = cpu_ns();
        (void)usleep(2000);
        work(2 * MS);
        ns += cpu_ns() - begin;
        nvtxRangePop();
    }
    print(name, ns);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *locks(void *name)
{
    uint64_t begin, ns;

    nvtxRangePushA(name);
    begin = cpu_ns();
    (void)pthread_mutex_lock(&lock);
    work(20 * MS);
    (void)pthread_mutex_unlock(&lock);
    ns = cpu_ns() - begin;
    nvtxRangePop();
    print(name, ns);
    return NULL;
}

static void waits_for_a_lock(void)
{
    char name[] = "locks";
    pthread_t thread;

    (void)pthread_mutex_lock(&lock);
    if (pthread_create(&thread, NULL, locks, name))
        abort();
    (void)usleep(100000);
    (void)pthread_mutex_unlock(&lock);
    (void)pthread_join(thread, NULL);
}

/* --- So many threads that some share a chunk --------------------------------------- */

static void *is_brief(void *name)
{
    nvtxRangePushA(name);
    nvtxRangePop();
    return NULL;
}

static void start_many(void)
{
    char name[] = "brief";
    pthread_t threads[200];

    for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++)
        if (pthread_create(&threads[i], NULL, is_brief, name))
            abort();
    for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++)
        (void)pthread_join(threads[i], NULL);
}

/* --- Another thread than the first one executes ------------------------------------- */

static void *executes(void *program)
{
    nvtxRangePushA("leaves");
    work(20 * MS);
    (void)execl(program, program, "again", (char *)0);
    _exit(1);
}

static void execute(char *program)
{
    pthread_t thread;

    if (!pthread_create(&thread, NULL, executes, program))
        (void)pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    if (argc > 1) { /* after exec */
        sleeps("executed");
        return 0;
    }
    if (fork() == 0) {
        sleeps("forked");
        execute(argv[0]);
        _exit(1);
    }
    (void)wait(NULL);
    sleeps("sleeps");
    waits_for_a_lock();
    spins();
    start_many();
    return 0;
}
