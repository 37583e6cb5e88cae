/* SPDX-License-Identifier: Apache-2.0 */
/* stats.h - computes how often each range ran and how long it took. */
#ifndef RLN_REPORTS_SUMMARY_STATS_H
#define RLN_REPORTS_SUMMARY_STATS_H

#include "rangeline/model.h"
#include "ranges/cpu_times.h"

/* Statistics of the opened traces. */
struct rln__stats;

/* All ranges of one style, domain and message.
 *
 * A range that was never closed counts up to the last event of its trace. One that was
 * open before its window counts from the window's opening. Lost, unmatched and
 * inherited ranges do not count. */
struct rln__stats_row {
    rln_range_style style;
    uint8_t is_default_domain;
    rln_text domain_name;
    rln_text message;
    uint64_t n_ranges;
    uint64_t n_open; /* How many of them were never closed. */
    uint64_t total_ns;
    uint64_t
        self_ns; /* As rln__tree_node; 0 for start/end ranges and in merged sums. */
    double average_ns;
    double median_ns; /* Exact; for an even count the mean of the middle two. */
    uint64_t min_ns;
    uint64_t max_ns;
    double stddev_ns;            /* Of a sample (n - 1); 0 for a single range. */
    struct rln__cpu_split split; /* What the total was made of, only in merged sums. */
};

/* Further counts. */
struct rln__stats_totals {
    uint64_t n_events; /* See rln_totals.n_events. */
    uint64_t n_ranges;
    uint64_t n_marks;
    uint64_t n_open;
    uint64_t n_unmatched; /* Pops and ends that close nothing. */
    uint64_t n_inherited; /* Pops of a parent's ranges. */
    uint64_t n_lost_ranges;
    uint64_t n_gaps;
    uint64_t n_lost_events;
    int64_t first_ns, last_ns;
    uint64_t n_unplaced; /* Deferred events and ranges without a known time. */
    uint64_t n_resumed;  /* Ranges that were open before their window. */
};

/* Reads the traces once and sums up their ranges.
 *
 * Keeps four bytes per range, because medians are exact. */
rln_status rln__stats_new(rln_reader *reader, struct rln__stats **out, rln_error *err);

/* Frees statistics. */
void rln__stats_free(struct rln__stats *stats);

/* Counts the rows. */
size_t rln__stats_count(const struct rln__stats *stats);

/* Gives a row; the longest total comes first, equal ones by domain and message. NULL if
 * `index` is not below rln__stats_count(). */
const struct rln__stats_row *rln__stats_at(const struct rln__stats *stats,
                                           size_t index);

/* Gives the totals. */
const struct rln__stats_totals *rln__stats_get_totals(const struct rln__stats *stats);

struct rln__summary;

/* Takes what it needs from the summary. */
rln_status rln__stats_of(struct rln__summary *summary, struct rln__stats **out,
                         rln_error *err);

/* Sorts the rows, which it takes, and whose text is borrowed. */
rln_status rln__stats_make(struct rln__stats_row *rows, size_t n,
                           const struct rln__stats_totals *totals,
                           struct rln__stats **out, rln_error *err);

#endif
