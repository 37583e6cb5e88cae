/* SPDX-License-Identifier: Apache-2.0 */
/* counter_sum.h - the levels of each counter: one of the sums that sums.c feeds. */
#ifndef RLN_REPORTS_COUNTER_SUM_H
#define RLN_REPORTS_COUNTER_SUM_H

#include "base/key_index.h"
#include "rangeline/model.h"

struct rln__sums;

/* The levels of a counter, or of one field of a group.
 *
 * Values are in units: normalized and scaled by the counter's semantics, with changes
 * added up to a level that begins at 0. A sample "zero" has the value 0, one
 * "unchanged" the last value; any other sample without a value is a gap, as are
 * infinity and NaN. Samples without a known time do not count. */
struct rln__counter_row {
    uint8_t is_default_domain;
    rln_text domain_name;
    rln_text name;
    rln_text field; /* Of a group; else none. */
    rln_text unit;
    rln_text scope; /* The field's own, or the counter's. */
    uint64_t id;    /* NVTX's. */
    uint32_t process;
    uint32_t pid;
    uint32_t order;        /* Position among a group's fields. */
    uint8_t value_type;    /* rln_value_type, of what was sampled. */
    uint8_t interpolation; /* rln_interpolation. */
    uint64_t n_samples;    /* With a value. */
    uint64_t n_gaps;
    uint8_t type;      /* Of the next three: RLN_PAYLOAD_I64, _U64 or _DOUBLE. */
    uint64_t min_bits; /* This and the next two: 0 if there is no sample. */
    uint64_t max_bits;
    uint64_t last_bits;
    double mean;     /* Over time if is_time_weighted, else over the samples. */
    double integral; /* Units times seconds; only if is_time_weighted. */
    uint8_t is_time_weighted; /* The program declared an interpolation. */
};

struct rln__counter_item;

struct rln__counter_sum {
    struct rln__key_index keys;      /* counter, field */
    struct rln__map by_counter;      /* its address -> the newest of its items + 1 */
    struct rln__counter_item *items; /* owned */
    size_t n, capacity;
};

/* Results are 0, or -1 when there is no memory. */

/* A counter's address identifies it while the iteration is open. */
int rln__counter_sum_add(struct rln__counter_sum *sum, const rln_event *event);
void rln__counter_sum_end(struct rln__counter_sum *sum);
void rln__counter_sum_clear(struct rln__counter_sum *sum);

/* Gives a row of counters, by domain, name, process and field. NULL past the last row,
 * or if counters were not requested. */
const struct rln__counter_row *rln__sums_counter(const struct rln__sums *sums,
                                                 size_t index);

#endif
