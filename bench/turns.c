/* SPDX-License-Identifier: Apache-2.0 */
/* turns.c - programs on one processor, for bench/switches.
 *
 *   turns pipe N WORK      two threads hand a byte back and forth; with N of 0, one works
 *   turns threads N WORK   N threads are created and joined, one after the other
 *   turns forks N WORK     the same of processes
 *   turns steps N WORK     N ranges "step"
 *
 * WORK is the number of rounds of work each time. Prints how many nanoseconds of
 * processor time it used. */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nvtx3/nvToolsExt.h>

static long n, n_rounds;
static volatile double sink = 1;
static int to[2], back[2];

static void work(void)
{
    double x = sink;

    for (long i = 0; i < n_rounds; i++) {
        x = x * 1.0000001 + 1e-9;
        __asm__ volatile("" : "+x"(x));
    }
    sink = x;
}

static void *nothing(void *context)
{
    work();
    return context;
}

static void *echo(void *context)
{
    char byte;

    for (long i = 0; i < n; i++) {
        if (read(to[0], &byte, 1) != 1)
            abort();
        work();
        if (write(back[1], &byte, 1) != 1)
            abort();
    }
    return context;
}

static void take_turns(void)
{
    pthread_t thread;
    char byte = 0;

    if (n == 0)
        work();
    if (pipe(to) || pipe(back) || pthread_create(&thread, NULL, echo, NULL))
        abort();
    for (long i = 0; i < n; i++) {
        work();
        if (write(to[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
            abort();
    }
    (void)pthread_join(thread, NULL);
}

static void create_threads(void)
{
    pthread_t thread;

    for (long i = 0; i < n; i++)
        if (pthread_create(&thread, NULL, nothing, NULL) || pthread_join(thread, NULL))
            abort();
}

static void create_processes(void)
{
    for (long i = 0; i < n; i++) {
        if (fork() == 0) {
            work();
            _exit(0);
        }
        (void)wait(NULL);
    }
}

static void take_steps(void)
{
    for (long i = 0; i < n; i++) {
        nvtxRangePushA("step");
        work();
        nvtxRangePop();
    }
}

static void stay_on_last_processor(void)
{
    cpu_set_t all, one;

    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof(all), &all) < 0)
        abort();
    for (size_t i = CPU_SETSIZE; i-- > 0 && !CPU_COUNT(&one);)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &one);
    if (sched_setaffinity(0, sizeof(one), &one) < 0)
        abort();
}

static uint64_t used_ns(int who)
{
    struct rusage used;

    (void)getrusage(who, &used);
    return (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000u +
           (uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000u;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } kinds[] = {{"pipe", take_turns},
                 {"threads", create_threads},
                 {"forks", create_processes},
                 {"steps", take_steps}};

    if (argc != 4)
        return 2;
    n = atol(argv[2]);
    n_rounds = atol(argv[3]);
    stay_on_last_processor();
    nvtxMarkA("begins");
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strcmp(argv[1], kinds[i].name) == 0)
            kinds[i].run();
    (void)printf("%llu\n",
                 (unsigned long long)(used_ns(RUSAGE_SELF) + used_ns(RUSAGE_CHILDREN)));
    return 0;
}
