/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_durations.h - durations in a file of sums: each one of few, of many how many in
 * each step. How many there are, the least and the most are elsewhere in the file.
 */
#ifndef RLN_REDUCE_REDUCED_DURATIONS_H
#define RLN_REDUCE_REDUCED_DURATIONS_H

#include "base/buf.h"
#include "statistics/duration_histogram.h"

struct rln__reduced_cursor;

/* What durations have to be. */
struct rln__durations_read {
    uint64_t n, min_ns, max_ns;
};

/* Whether so many of these lengths may take so long together. */
int rln__is_total(uint64_t total_ns, const struct rln__durations_read *of);

/* Sorts them. */
void rln__put_durations(struct rln__buf *out,
                        struct rln__duration_histogram *durations);
void rln__take_durations(struct rln__reduced_cursor *cursor,
                         struct rln__duration_histogram *durations,
                         const struct rln__durations_read *of);

#endif
