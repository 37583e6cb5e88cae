/* SPDX-License-Identifier: Apache-2.0 */
/* bench.h - shared by all benchmarks: cases, rounds, and the output of samples.
 *
 * A benchmark is a list of cases. Each round runs all of them one after the other, so
 * that a slow moment of the machine affects a case and its reference alike. A sample is
 * one line with fields separated by tabs; bench/run starts the program several times,
 * collects the samples of each case, and judges them:
 *
 *     case    name  unit  reference or -  budget, times the reference or in the unit; 0
 *     sample  name  value
 */
#ifndef RLN_BENCH_H
#define RLN_BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct bench_case {
    const char *name;
    void (*run)(size_t n);
    double budget;         /* 0: reported, not judged */
    const char *reference; /* name of the case that counts as 1; NULL: none */
    size_t divisor;        /* runs n / divisor times; 0 means 1 */
};

/* RANGELINE_BENCH=smoke: runs each case only briefly, to see that it works. */
static inline size_t bench_scaled(size_t n)
{
    const char *mode = getenv("RANGELINE_BENCH");

    return mode && strcmp(mode, "smoke") == 0 ? n / 100 + 1 : n;
}

static inline double bench_now_ns(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static inline void bench_declare(const char *name, const char *unit,
                                 const char *reference, double budget)
{
    printf("case\t%s\t%s\t%s\t%.3f\n", name, unit, reference ? reference : "-", budget);
}

static inline void bench_sample(const char *name, double value)
{
    printf("sample\t%s\t%.6g\n", name, value);
}

static inline double bench_time(void (*run)(size_t n), size_t n)
{
    const double begin = bench_now_ns(CLOCK_MONOTONIC);

    run(n);
    return (bench_now_ns(CLOCK_MONOTONIC) - begin) / (double)n;
}

/* Runs all cases, `n` iterations each, in `n_rounds` rounds, after one unmeasured round
 * of a tenth. */
static inline void bench_rounds(const struct bench_case *cases, size_t n_cases,
                                size_t n, size_t n_rounds)
{
    for (size_t round = 0; round <= n_rounds; round++) {
        for (size_t i = 0; i < n_cases; i++) {
            const struct bench_case *c = &cases[i];
            const size_t runs = bench_scaled(n) / (c->divisor ? c->divisor : 1) + 1;

            if (round == 0) {
                bench_declare(c->name, "ns", c->reference, c->budget);
                c->run(runs / 10 + 1);
            } else {
                bench_sample(c->name, bench_time(c->run, runs));
            }
        }
    }
}

/* The processor's time stamp counter. The collector reads it, so it is the floor of an
 * event's cost. */
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
