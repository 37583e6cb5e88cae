/* SPDX-License-Identifier: Apache-2.0 */
/* mark_sum.h - marks of each name: one of the sums that sums.c feeds. */
#ifndef RLN_REPORTS_MARK_SUM_H
#define RLN_REPORTS_MARK_SUM_H

#include "base/key_index.h"
#include "rangeline/model.h"

struct rln__sums;

/* All marks of one domain and message, except those without a known time. */
struct rln__mark_row {
    uint8_t is_default_domain;
    rln_text domain_name;
    rln_text message;
    uint64_t n_marks;
    int64_t first_ns, last_ns;
    uint64_t min_distance_ns; /* Between marks, over all threads; 0 for one mark. */
    uint64_t max_distance_ns;
    double mean_distance_ns;
    double per_s; /* 10^9 / mean_distance_ns; 0 if that is 0. */
};

struct rln__mark_sum {
    struct rln__key_index keys;
    struct rln__mark_row *rows; /* owned; by number of the key, sorted at the end */
    size_t n, capacity;
};

/* Results are 0, or -1 when there is no memory. */

int rln__mark_sum_add(struct rln__mark_sum *sum, const rln_event *event);
void rln__mark_sum_end(struct rln__mark_sum *sum);
void rln__mark_sum_clear(struct rln__mark_sum *sum);

/* Gives a row of marks; the most frequent come first, equal ones by domain and message.
 * NULL past the last row, or if marks were not requested. */
const struct rln__mark_row *rln__sums_mark(const struct rln__sums *sums, size_t index);

#endif
