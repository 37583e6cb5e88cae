/* SPDX-License-Identifier: Apache-2.0 */
/* stats.h - computes how often each range ran and how long it took. */
#ifndef RANGELINE_STATS_H
#define RANGELINE_STATS_H

#include "rangeline/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Statistics of the opened traces. */
typedef struct rln_stats rln_stats;

/** All ranges of one style, domain and message. Library-owned; grows at its end.
 *
 * A range that was never closed counts up to the last event of its trace. One that was
 * open before its window counts from the window's opening. Lost, unmatched and
 * inherited ranges do not count. */
typedef struct rln_stats_row {
    rln_range_style style;
    uint8_t is_default_domain;
    rln_text domain_name;
    rln_text message;
    uint64_t n_ranges;
    uint64_t n_open; /**< How many of them were never closed. */
    uint64_t total_ns;
    double average_ns;
    double median_ns; /**< Exact; for an even count the mean of the middle two. */
    uint64_t min_ns;
    uint64_t max_ns;
    double stddev_ns; /**< Of a sample (n - 1); 0 for a single range. */
} rln_stats_row;

/** Further counts. Library-owned; grows at its end. */
typedef struct rln_stats_totals {
    uint64_t n_events; /**< See rln_totals.n_events. */
    uint64_t n_ranges;
    uint64_t n_marks;
    uint64_t n_open;
    uint64_t n_unmatched; /**< Pops and ends that close nothing. */
    uint64_t n_inherited; /**< Pops of a parent's ranges. */
    uint64_t n_lost_ranges;
    uint64_t n_gaps;
    uint64_t n_lost_events;
    int64_t first_ns, last_ns;
    uint64_t n_unplaced; /**< Deferred events and ranges without a known time. */
    uint64_t n_resumed;  /**< Ranges that were open before their window. */
} rln_stats_totals;

/**
 * Reads the traces once and sums up their ranges.
 *
 * Keeps four bytes per range, because medians are exact.
 *
 * Ownership: the caller owns `*out` and frees it with rln_stats_free(), before the
 *            reader. On failure `*out` is NULL.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_NOMEM, RLN_ERR_IO.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_stats_new(rln_reader *reader, rln_stats **out,
                                               rln_error *err);

/**
 * Frees statistics.
 *
 * Ownership: its rows end here. NULL is accepted.
 * Threads:   as rln_reader_open().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API void rln_stats_free(rln_stats *stats);

/**
 * Counts the rows.
 *
 * Ownership: none.
 * Threads:   any, until it is freed.
 * Errors:    none.
 * Since:     0.1
 */
RLN_API size_t rln_stats_count(const rln_stats *stats);

/**
 * Gives a row; the longest total comes first, equal ones by domain and message.
 *
 * Ownership: borrowed until rln_stats_free(); its text until the reader is closed.
 * Threads:   any, until it is freed.
 * Errors:    NULL if `index` is not below rln_stats_count().
 * Since:     0.1
 */
RLN_API const rln_stats_row *rln_stats_at(const rln_stats *stats, size_t index);

/**
 * Gives the totals.
 *
 * Ownership: borrowed until rln_stats_free().
 * Threads:   any, until it is freed.
 * Errors:    none; never NULL.
 * Since:     0.1
 */
RLN_API const rln_stats_totals *rln_stats_get_totals(const rln_stats *stats);

#ifdef __cplusplus
}
#endif

#endif
