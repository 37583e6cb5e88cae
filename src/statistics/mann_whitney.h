/* SPDX-License-Identifier: Apache-2.0 */
/* mann_whitney.h - tests whether two sets of durations differ by more than chance.
 *
 * Durations are far from any bell curve (a few very long ones, two humps), so nothing
 * here uses means. Mann and Whitney's test counts how often a value of one set is
 * larger than one of the other. It is blind to the tail, which has its own test.
 *
 * All functions take sorted values.
 */
#ifndef RLN_STATISTICS_MANN_WHITNEY_H
#define RLN_STATISTICS_MANN_WHITNEY_H

#include <stddef.h>
#include <stdint.h>

struct rln__mann_whitney {
    double superiority; /* P(b > a) + P(b = a) / 2 */
    double p;           /* two-sided */
    double least_p;     /* that of the most different sets of these sizes */
};

/* Exact up to 20 values a side if none are equal, else by the normal approximation with
 * its correction for ties. 0, or -1 when there is no memory. */
int rln__mann_whitney(const uint64_t *a, size_t n_a, const uint64_t *b, size_t n_b,
                      struct rln__mann_whitney *out);

struct rln__tail_test {
    double ratio; /* how much more often b exceeds a's 95th percentile than a does */
    double p;     /* two-sided */
};

/* Needs RLN__TAIL_LEAST values a side: with fewer, less than five are in the tail. */
#define RLN__TAIL_LEAST 100u
void rln__tail_test(const uint64_t *a, size_t n_a, const uint64_t *b, size_t n_b,
                    struct rln__tail_test *out);

/* The least value that 95 % do not exceed. */
uint64_t rln__percentile_95(const uint64_t *sorted, size_t n);

#endif
