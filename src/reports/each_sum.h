/* SPDX-License-Identifier: Apache-2.0 */
/* each_sum.h - the sums that need time order, or names as text.
 *
 *   events in time order --> marks, counters
 *   ranges as they end ----> categories, synchronization objects, payloads, ranks
 *
 * Each sum has its own file, with the report of it, and owns its rows; sums.c feeds
 * them in turn. Where it takes more than the row to compute it, an item has the row
 * first and then the rest.
 */
#ifndef RLN_REPORTS_EACH_SUM_H
#define RLN_REPORTS_EACH_SUM_H

#include "base/buf.h"
#include "base/key_index.h"
#include "ranges/range_names.h"
#include "reports/summary/quantile.h"
#include "reports/sums.h"

struct rln__mark_sum {
    struct rln__key_index keys;
    struct rln__mark_row *rows; /* owned; by number of the key, sorted at the end */
    size_t n, capacity;
};

struct rln__category_item;

struct rln__category_sum {
    struct rln__key_index keys;
    struct rln__category_item *items; /* owned */
    size_t n, capacity;
};

struct rln__sync_sum {
    struct rln__key_index keys;
    struct rln__key_index threads; /* row, thread */
    struct rln__sync_row *rows;    /* owned */
    size_t n, capacity;
};

struct rln__counter_item;

struct rln__counter_sum {
    struct rln__key_index keys;      /* counter, field */
    struct rln__map by_counter;      /* its address -> the newest of its items + 1 */
    struct rln__counter_item *items; /* owned */
    size_t n, capacity;
};

struct rln__payload_item;

struct rln__payload_sum {
    struct rln__key_index keys;      /* domain, message, field */
    struct rln__buf text;            /* a field's path, while it is put together */
    struct rln__payload_item *items; /* owned */
    size_t n, capacity;
};

struct rln__rank_item;

struct rln__rank_sum {
    struct rln__range_names names;
    enum rln__rank_kind kind; /* of all of them */
    struct rln__rank *ranks;  /* owned, as all these; by number */
    size_t n_ranks;
    uint32_t *rank_of; /* process -> index of its rank, or UINT32_MAX */
    size_t n_processes;
    struct rln__map by_name; /* name, rank -> index of the share + 1 */
    struct rln__rank_share *shares;
    size_t n_shares, shares_capacity;
    struct rln__rank_item *items;
    size_t n;
};

struct rln__sums {
    struct rln__mark_sum marks;
    struct rln__category_sum categories;
    struct rln__sync_sum sync;
    struct rln__counter_sum counters;
    struct rln__payload_sum payloads;
    struct rln__rank_sum ranks;
};

/* Each returns 0, or -1 when there is no memory. */
int rln__mark_sum_add(struct rln__mark_sum *sum, const rln_event *event);
void rln__mark_sum_end(struct rln__mark_sum *sum);
void rln__mark_sum_clear(struct rln__mark_sum *sum);

/* A counter's address identifies it while the iteration is open. */
int rln__counter_sum_add(struct rln__counter_sum *sum, const rln_event *event);
void rln__counter_sum_end(struct rln__counter_sum *sum);
void rln__counter_sum_clear(struct rln__counter_sum *sum);

int rln__category_sum_add(struct rln__category_sum *sum, const rln_range *range);
int rln__category_sum_end(struct rln__category_sum *sum);
void rln__category_sum_clear(struct rln__category_sum *sum);

/* `range` is the last of `ranges`. */
rln_status rln__payload_sum_add(struct rln__payload_sum *sum, rln_reader *reader,
                                rln_ranges *ranges, const rln_range *range,
                                rln_error *err);
void rln__payload_sum_end(struct rln__payload_sum *sum);
void rln__payload_sum_clear(struct rln__payload_sum *sum);

/* Call before the first range: assigns processes to ranks. */
int rln__rank_sum_begin(struct rln__rank_sum *sum, const rln_reader *reader);
/* The same with ranks that are known, by number; takes `ranks`, whose indexes stand for
 * processes. */
int rln__rank_sum_begin_with(struct rln__rank_sum *sum, enum rln__rank_kind kind,
                             struct rln__rank *ranks, size_t n);
int rln__rank_sum_add(struct rln__rank_sum *sum, const rln_range *range);
/* Adds ranges of a name, by its number, and their time. */
int rln__rank_sum_put(struct rln__rank_sum *sum, uint32_t name, uint32_t process,
                      uint64_t n_ranges, uint64_t ns);
int rln__rank_sum_end(struct rln__rank_sum *sum);
void rln__rank_sum_clear(struct rln__rank_sum *sum);

int rln__sync_sum_add(struct rln__sync_sum *sum, const rln_range *range);
void rln__sync_sum_end(struct rln__sync_sum *sum);
void rln__sync_sum_clear(struct rln__sync_sum *sum);

/* The default domain first, then by name. */
static inline int rln__compare_domains(uint8_t is_default_a, rln_text a,
                                       uint8_t is_default_b, rln_text b)
{
    const int order = is_default_b - is_default_a;

    return order ? order : rln__compare_text(a, b);
}

/* The duration of a range if it counts, else -1. A range without an end counts, unless
 * events of it were lost. */
static inline int64_t rln__countable_ns(const rln_range *range)
{
    const uint32_t left_out =
        RLN_FLAG_LOST | RLN_FLAG_UNMATCHED | RLN_FLAG_INHERITED | RLN_FLAG_UNPLACED;

    return range->flags & left_out ? -1 : range->end_ns - range->start_ns;
}

#endif
