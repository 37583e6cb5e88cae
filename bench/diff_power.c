/* SPDX-License-Identifier: Apache-2.0 */
/* diff_power.c - how often does `rangeline diff` find a change of a given size?
 *
 * Prints the table of docs/about/PERFORMANCE.md. Durations are normally distributed
 * around their run's mean, and these means around the program's; the tests are those of
 * src/reports/diff, of the logarithms of medians, too. The seed is constant, so the
 * table is, too. */
#include "reports/diff/t_test.h"
#include "statistics/mann_whitney.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_TRIALS = 2000, N_CALLS = 100, MOST_RUNS = 10 };
#define MEAN_NS 1e6
#define CALLS_VARY 0.01
#define CHANCE 0.01       /* as in diff.c */
#define LEAST_EFFECT 0.06 /* as in diff.c */

struct side {
    double medians[MOST_RUNS];
    uint64_t calls[MOST_RUNS * N_CALLS];
};

static uint64_t state = 88172645463325252u;

static double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return ((double)(state >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
    return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static void make_side(struct side *side, size_t n_runs, double mean, double runs_vary)
{
    for (size_t i = 0; i < n_runs; i++) {
        uint64_t *calls = &side->calls[i * N_CALLS];
        const double run = mean * (1 + runs_vary * normal());

        for (size_t k = 0; k < N_CALLS; k++)
            calls[k] = (uint64_t)(run * (1 + CALLS_VARY * normal()));
        qsort(calls, N_CALLS, sizeof(*calls), by_value);
        side->medians[i] =
            log((double)(calls[N_CALLS / 2 - 1] + calls[N_CALLS / 2]) / 2);
    }
    qsort(side->calls, n_runs * N_CALLS, sizeof(*side->calls), by_value);
}

static int is_found(size_t n_runs, double change, double runs_vary)
{
    static struct side before, after;
    struct rln__mann_whitney rank;

    make_side(&before, n_runs, MEAN_NS, runs_vary);
    make_side(&after, n_runs, MEAN_NS * (1 + change), runs_vary);
    if (rln__mann_whitney(before.calls, n_runs * N_CALLS, after.calls, n_runs * N_CALLS,
                          &rank))
        exit(1);
    return rank.p <= CHANCE && fabs(rank.superiority - 0.5) >= LEAST_EFFECT &&
           rln__t_test(before.medians, n_runs, after.medians, n_runs, 0) < CHANCE;
}

int main(void)
{
    static const double vary[] = {0.005, 0.01, 0.02};
    static const double changes[] = {0, 0.01, 0.02, 0.03, 0.05, 0.1};
    static const size_t runs[] = {3, 5, 10};

    printf("| runs vary by | runs a side | no change | 1 %% | 2 %% | 3 %% | 5 %% | 10 "
           "%% |\n"
           "|---|---|---|---|---|---|---|---|\n");
    for (size_t v = 0; v < sizeof(vary) / sizeof(*vary); v++) {
        for (size_t r = 0; r < sizeof(runs) / sizeof(*runs); r++) {
            printf("| %.1f %% | %zu |", vary[v] * 100, runs[r]);
            for (size_t c = 0; c < sizeof(changes) / sizeof(*changes); c++) {
                unsigned n = 0;

                for (unsigned i = 0; i < N_TRIALS; i++)
                    n += (unsigned)is_found(runs[r], changes[c], vary[v]);
                printf(" %.1f %% |", n * 100.0 / N_TRIALS);
            }
            printf("\n");
        }
    }
    return 0;
}
