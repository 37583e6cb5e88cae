/* SPDX-License-Identifier: Apache-2.0 */
/* payload_sum.h - the numbers in the payloads of ranges, by name and field: one of the sums that sums.c feeds. */
#ifndef RLN_REPORTS_PAYLOAD_SUM_H
#define RLN_REPORTS_PAYLOAD_SUM_H

#include "base/buf.h"
#include "base/key_index.h"
#include "rangeline/model.h"

struct rln__sums;

/* A number in the payloads of ranges of one name: a plain payload, or a field of an
 * extended one. Ranges that were never closed, and numbers that are infinite or NaN, do
 * not count. */
struct rln__payload_row {
    uint8_t is_default_domain;
    rln_text domain_name;
    rln_text message;
    rln_text field; /* "a.b" if nested; none for a payload without fields. */
    uint32_t order; /* Position among the fields. */
    uint64_t n_ranges;
    uint8_t type; /* Of the next two: RLN_PAYLOAD_I64, _U64 or _DOUBLE. */
    uint64_t min_bits;
    uint64_t max_bits;
    double total;
    double mean;
    uint64_t total_ns;  /* Of the ranges. */
    double ns_per_unit; /* total_ns / total; only if has_ns_per_unit. */
    double correlation; /* Pearson's, of value and duration, if has_correlation. */
    uint8_t has_ns_per_unit;
    uint8_t has_correlation; /* Neither value nor duration is constant. */
};

struct rln__payload_item;

struct rln__payload_sum {
    struct rln__key_index keys;      /* domain, message, field */
    struct rln__buf text;            /* a field's path, while it is put together */
    struct rln__payload_item *items; /* owned */
    size_t n, capacity;
};

/* Results are 0, or -1 when there is no memory. */

/* `range` is the last of `ranges`. */
rln_status rln__payload_sum_add(struct rln__payload_sum *sum, rln_reader *reader,
                                rln_ranges *ranges, const rln_range *range,
                                rln_error *err);
void rln__payload_sum_end(struct rln__payload_sum *sum);
void rln__payload_sum_clear(struct rln__payload_sum *sum);

/* Gives a row of payloads; the longest total duration comes first. NULL past the last
 * row, or if payloads were not requested. */
const struct rln__payload_row *rln__sums_payload(const struct rln__sums *sums,
                                                 size_t index);

#endif
