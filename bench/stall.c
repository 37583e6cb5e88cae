/* SPDX-License-Identifier: Apache-2.0 */
/* stall.c - how long does a thread wait at most, at 1,000,000 pairs per second?
 *
 * Every pair is timed; each time includes one more clock read. The machine occasionally
 * preempts the thread for other programs or, if it is virtual, other machines; the same
 * loop without the pair shows how often. The argument says where the trace is; a `busy`
 * disk has no budget, because its other users determine the result.
 */
#include <nvtx3/nvToolsExt.h>

#include "bench.h"

enum { PAIRS = 2000000, PERIOD_NS = 1000 };

static uint32_t *times;

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static double ticks_per_ns(void)
{
    const double begin_ns = bench_now_ns(CLOCK_MONOTONIC);
    const uint64_t begin = bench_ticks();

    usleep(50000);
    return (double)(bench_ticks() - begin) / (bench_now_ns(CLOCK_MONOTONIC) - begin_ns);
}

/* Records a pair per `period`, in ticks; after a late pair the next follows at once. */
static void run(size_t n, uint64_t period, int records)
{
    uint64_t due = bench_ticks();

    for (size_t i = 0; i < n; i++) {
        uint64_t begin;

        do
            begin = bench_ticks();
        while (begin < due);
        due += period;
        if (records) {
            nvtxRangePushA("step");
            nvtxRangePop();
        }
        times[i] = (uint32_t)(bench_ticks() - begin);
    }
    qsort(times, n, sizeof *times, compare);
}

int main(int argc, char **argv)
{
    const char *where = argc > 1 ? argv[1] : "tmpfs";
    const double budget_us = strstr(where, "busy") ? 0 : 2;
    char p9999[80], longest[80];
    const size_t n = bench_scaled(PAIRS);
    const double rate = ticks_per_ns();

    times = calloc(n, sizeof *times);
    if (!times)
        return 1;
    nvtxRangePushA("step");
    nvtxRangePop();
    (void)snprintf(p9999, sizeof p9999, "p99.99 of a pair at 1 M pairs/s, %s", where);
    (void)snprintf(longest, sizeof longest, "longest pair at 1 M pairs/s, %s", where);
    bench_declare("p99.99 of an empty loop", "us", NULL, 0);
    bench_declare(p9999, "us", NULL, budget_us);
    bench_declare(longest, "us", NULL, 0);
    run(n, (uint64_t)(PERIOD_NS * rate), 0);
    bench_sample("p99.99 of an empty loop", times[n - 1 - n / 10000] / rate / 1e3);
    run(n, (uint64_t)(PERIOD_NS * rate), 1);
    bench_sample(p9999, times[n - 1 - n / 10000] / rate / 1e3);
    bench_sample(longest, times[n - 1] / rate / 1e3);
    return 0;
}
