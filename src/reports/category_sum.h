/* SPDX-License-Identifier: Apache-2.0 */
/* category_sum.h - ranges of each category: one of the sums that sums.c feeds. */
#ifndef RLN_REPORTS_CATEGORY_SUM_H
#define RLN_REPORTS_CATEGORY_SUM_H

#include "base/key_index.h"
#include "rangeline/model.h"

struct rln__sums;

/* All ranges of one domain and category, of both styles. Open, lost and other ranges
 * count as in rln__stats_row. */
struct rln__category_row {
    uint8_t is_default_domain;
    rln_text domain_name;
    uint32_t category; /* Never 0: ranges without a category have no row. */
    rln_text name;     /* None if the program did not name it. */
    uint64_t n_ranges;
    uint64_t n_open;
    uint64_t total_ns; /* Nested ranges each count. */
    double average_ns;
    double median_ns;
    uint64_t min_ns;
    uint64_t max_ns;
    double stddev_ns;
};

struct rln__category_item;

struct rln__category_sum {
    struct rln__key_index keys;
    struct rln__category_item *items; /* owned */
    size_t n, capacity;
};

/* Results are 0, or -1 when there is no memory. */

int rln__category_sum_add(struct rln__category_sum *sum, const rln_range *range);
int rln__category_sum_end(struct rln__category_sum *sum);
void rln__category_sum_clear(struct rln__category_sum *sum);

/* Gives a row of categories; the longest total comes first. NULL past the last row, or
 * if categories were not requested. */
const struct rln__category_row *rln__sums_category(const struct rln__sums *sums,
                                                   size_t index);

#endif
