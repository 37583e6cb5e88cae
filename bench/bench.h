/* SPDX-License-Identifier: Apache-2.0 */
/* bench.h - rounds, floors and verdicts: what all benchmarks share.
 *
 * A benchmark is a list of cases, the first of which is the floor. Every round runs all
 * cases one after the other, so that a slow moment of the machine meets all of them;
 * what is reported is the best quartile of the rounds, and what is judged is its ratio
 * to another case of the same run. A verdict allows for the noise of that run: what the
 * two cases' medians lie above their best quartiles.
 *
 * A program prints one line a case, fields apart by tabs, for bench/run:
 *
 *     name  unit  value  p99  reference  ratio  budget  allowed  verdict
 */
#ifndef RLN_BENCH_H
#define RLN_BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CASES = 24, MOST_ROUNDS = 101 };

struct bench_case {
    const char *name;
    void (*run)(size_t n);
    double budget;        /* times the reference; 0: reported, not judged */
    const char *relative; /* name of the reference; NULL: this one has none */
    size_t divisor;       /* runs n / divisor times; 0 means 1 */
};

/* RANGELINE_BENCH=smoke: a tenth of a second each, nothing is judged. */
static inline int bench_is_smoke(void)
{
    const char *mode = getenv("RANGELINE_BENCH");

    return mode && strcmp(mode, "smoke") == 0;
}

static inline double bench_now_ns(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static inline int bench_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

struct bench_result {
    double best; /* the best quartile */
    double median;
    double p99;
};

static inline struct bench_result bench_quantiles(double *times, size_t n)
{
    qsort(times, n, sizeof *times, bench_compare);
    return (struct bench_result){times[n / 4], times[n / 2], times[(n * 99) / 100]};
}

static inline void bench_print(const char *name, const char *unit,
                               struct bench_result own, const char *relative,
                               struct bench_result other, double budget)
{
    const double ratio = relative ? own.best / other.best : 0;
    const double noise =
        own.median / own.best - 1 + (relative ? other.median / other.best - 1 : 0);
    const double allowed = budget * (1 + noise);
    const char *verdict = budget == 0 || bench_is_smoke() ? "reported"
                          : ratio <= budget               ? "ok"
                          : ratio <= allowed              ? "within noise"
                                                          : "MISSED";

    printf("%s\t%s\t%.4g\t%.4g\t%s\t%.3f\t%.2f\t%.3f\t%s\n", name, unit, own.best,
           own.p99, relative ? relative : "-", ratio, budget, allowed, verdict);
}

/* Runs and prints all cases: `n` iterations each, `n_rounds` rounds. */
static inline void bench_rounds(const struct bench_case *cases, size_t n_cases,
                                size_t n, size_t n_rounds, clockid_t clock)
{
    static double times[MOST_CASES][MOST_ROUNDS];
    struct bench_result results[MOST_CASES];

    if (bench_is_smoke()) {
        n = n / 100 + 1;
        n_rounds = 3;
    }
    for (size_t i = 0; i < n_cases; i++)
        cases[i].run(n / 100 + 1);
    for (size_t round = 0; round < n_rounds; round++) {
        sync();
        for (size_t i = 0; i < n_cases; i++) {
            const size_t runs = n / (cases[i].divisor ? cases[i].divisor : 1) + 1;
            const double begin = bench_now_ns(clock);

            cases[i].run(runs);
            times[i][round] = (bench_now_ns(clock) - begin) / (double)runs;
        }
    }
    for (size_t i = 0; i < n_cases; i++)
        results[i] = bench_quantiles(times[i], n_rounds);
    for (size_t i = 0; i < n_cases; i++) {
        size_t other = i;

        for (size_t j = 0; cases[i].relative && j < n_cases; j++) {
            if (strcmp(cases[j].name, cases[i].relative) == 0)
                other = j;
        }
        bench_print(cases[i].name, "ns", results[i], cases[i].relative, results[other],
                    cases[i].budget);
    }
}

/* The processor's counter: what the collector reads, and so the floor of an event. */
static inline uint64_t bench_ticks(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    uint64_t ticks;

    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#endif
}

/* Makes the compiler believe that `value` is used. */
#define BENCH_USE(value) __asm__ volatile("" : : "r"(value) : "memory")

#endif
