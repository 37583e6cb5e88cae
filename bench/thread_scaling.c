/* SPDX-License-Identifier: Apache-2.0 */
/* thread_scaling.c - do two threads that record at the same time slow each other down?
 *
 * Each records 1,000 pairs, then sleeps until the next millisecond: 1,000,000 pairs per
 * second. Processor time is measured, so that other programs and the collector's helper
 * may run on the same two processors.
 *
 * For threads that never sleep, elapsed time is measured: with as many threads as
 * processors, the collector's helper takes processor time from one of them.
 */
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>

#include "bench.h"

enum { BATCH_PAIRS = 1000, BATCHES = 300, ROUNDS = 3, MOST_THREADS = 2 };

static void *record(void *result)
{
    struct timespec next;
    double spent_ns = 0;
    const size_t n_batches = bench_scaled(BATCHES);

    clock_gettime(CLOCK_MONOTONIC, &next);
    for (size_t batch = 0; batch < n_batches; batch++) {
        const double begin = bench_now_ns(CLOCK_THREAD_CPUTIME_ID);

        for (int i = 0; i < BATCH_PAIRS; i++) {
            nvtxRangePushA("step");
            nvtxRangePop();
        }
        spent_ns += bench_now_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
        next.tv_nsec += 1000000;
        if (next.tv_nsec >= 1000000000) {
            next.tv_nsec -= 1000000000;
            next.tv_sec++;
        }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    }
    *(double *)result = spent_ns / (double)(n_batches * BATCH_PAIRS);
    return NULL;
}

/* About a microsecond of work per pair. */
static void *record_busily(void *result)
{
    const size_t n = bench_scaled(BATCHES) * BATCH_PAIRS;
    const double begin = bench_now_ns(CLOCK_MONOTONIC);
    volatile unsigned work = 1;

    for (size_t i = 0; i < n; i++) {
        nvtxRangePushA("step");
        for (int k = 0; k < 400; k++)
            work = work * 1664525u + 1013904223u;
        nvtxRangePop();
    }
    *(double *)result = (bench_now_ns(CLOCK_MONOTONIC) - begin) / (double)n;
    return NULL;
}

static double with_threads(int n, void *(*body)(void *))
{
    pthread_t threads[MOST_THREADS];
    double results[MOST_THREADS], sum = 0;

    for (int i = 0; i < n; i++) {
        if (pthread_create(&threads[i], NULL, body, &results[i]) != 0)
            exit(1);
    }
    for (int i = 0; i < n; i++) {
        pthread_join(threads[i], NULL);
        sum += results[i];
    }
    return sum / n;
}

int main(void)
{
    bench_declare("one thread at 1 M pairs/s", "ns of CPU", NULL, 0);
    bench_declare("two threads at 1 M pairs/s", "ns of CPU",
                  "one thread at 1 M pairs/s", 1.2);
    bench_declare("one busy thread", "ns", NULL, 0);
    bench_declare("two busy threads on two processors", "ns", "one busy thread", 1.2);
    for (int round = 0; round < ROUNDS; round++) {
        bench_sample("one thread at 1 M pairs/s", with_threads(1, record));
        bench_sample("two threads at 1 M pairs/s", with_threads(2, record));
        bench_sample("one busy thread", with_threads(1, record_busily));
        bench_sample("two busy threads on two processors",
                     with_threads(2, record_busily));
    }
    return 0;
}
