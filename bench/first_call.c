/* SPDX-License-Identifier: Apache-2.0 */
/* first_call.c - how long does the first call of a process take, which loads the
 * collector, joins or creates the trace, and records? And how long does the first call
 * of each thread take if a thousand threads start at once?
 */
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>

#include "bench.h"

enum { THREADS = 1000 };

static pthread_barrier_t all_are_there;

static void *mark_first(void *took_us)
{
    double begin;

    pthread_barrier_wait(&all_are_there);
    begin = bench_now_ns(CLOCK_MONOTONIC);
    nvtxMarkA("first of a thread");
    *(double *)took_us = (bench_now_ns(CLOCK_MONOTONIC) - begin) / 1e3;
    return NULL;
}

static void time_threads(void)
{
    static pthread_t threads[THREADS];
    static double took_us[THREADS];
    pthread_attr_t small;
    double slowest_us = 0;

    pthread_barrier_init(&all_are_there, NULL, THREADS);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    for (int i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], &small, mark_first, &took_us[i]) != 0)
            exit(1);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        slowest_us = took_us[i] > slowest_us ? took_us[i] : slowest_us;
    }
    bench_sample("slowest first call of 1,000 threads at once", slowest_us);
}

int main(void)
{
    double begin, end;

    begin = bench_now_ns(CLOCK_MONOTONIC);
    nvtxMarkA("first");
    end = bench_now_ns(CLOCK_MONOTONIC);
    bench_declare("first call of a process", "us", NULL, 100);
    bench_sample("first call of a process", (end - begin) / 1e3);
    bench_declare("slowest first call of 1,000 threads at once", "us", NULL, 0);
    time_threads();
    return 0;
}
