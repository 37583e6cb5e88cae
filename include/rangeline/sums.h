/* SPDX-License-Identifier: Apache-2.0 */
/* sums.h - what is summed up besides the ranges of a name: marks, categories,
 * synchronisation objects, counters, payloads, ranks.
 *
 *     rln_sums *sums;
 *     const rln_mark_row *row;
 *
 *     if (rln_sums_new(reader, RLN_SUM_MARKS, &sums, &error) == RLN_OK)
 *         for (size_t i = 0; (row = rln_sums_mark(sums, i)); i++)
 *             ...
 */
#ifndef RANGELINE_SUMS_H
#define RANGELINE_SUMS_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Sums over the opened traces. */
typedef struct rln_sums rln_sums;

/** What to sum up: any of these, or-ed. */
enum {
    RLN_SUM_MARKS = 1,
    RLN_SUM_CATEGORIES = 2,
    RLN_SUM_SYNC = 4,
    RLN_SUM_COUNTERS = 8,
    RLN_SUM_PAYLOADS = 16,
    RLN_SUM_RANKS = 32
};

/** All marks of one domain and message, but those without a place in time.
 * Library-owned; grows at its end. */
typedef struct rln_mark_row {
    uint8_t is_default_domain;
    rln_text domain_name;
    rln_text message;
    uint64_t n_marks;
    int64_t first_ns, last_ns;
    uint64_t min_distance_ns; /**< From one to the next, over all threads; 0 of one. */
    uint64_t max_distance_ns;
    double mean_distance_ns;
    double per_s; /**< 10^9 / mean_distance_ns; 0 if that is 0. */
} rln_mark_row;

/** All ranges of one domain and category, of both styles. Library-owned; grows at its
 * end. Open, lost and other ranges count as in rln_stats_row. */
typedef struct rln_category_row {
    uint8_t is_default_domain;
    rln_text domain_name;
    uint32_t category; /**< Never 0, which is none. */
    rln_text name;     /**< None if the program did not name it. */
    uint64_t n_ranges;
    uint64_t n_open;
    uint64_t total_ns; /**< Ranges inside each other count each. */
    double average_ns;
    double median_ns;
    uint64_t min_ns;
    uint64_t max_ns;
    double stddev_ns;
} rln_category_row;

/** What threads did with one synchronisation object. Library-owned; grows at its end.
 *
 * Who still waits for it or holds it is timed up to the last event of that trace. */
typedef struct rln_sync_row {
    uint8_t is_default_domain;
    rln_text domain_name;
    rln_text name;
    uint64_t object;
    uint32_t process;
    uint32_t pid;
    uint32_t n_threads;  /**< That waited for it, had it or released it. */
    uint64_t n_waits;    /**< Times a thread began to wait. */
    uint64_t n_gave_up;  /**< Times one stopped waiting without it. */
    uint64_t n_acquired; /**< Times one got it, whether it waited or not. */
    uint64_t waiting_ns, max_waiting_ns;
    uint64_t holding_ns, max_holding_ns;
} rln_sync_row;

/** The levels of a counter, or of one field of a group. Library-owned; grows at its
 * end.
 *
 * Values are in units: normalised and scaled as the program said, changes added up to a
 * level that begins at 0. A sample "zero" has the value 0, one "unchanged" has the last
 * value again; any other without a value is a gap, as is one that is infinite or no
 * number. Samples without a place in time are left out. */
typedef struct rln_counter_row {
    uint8_t is_default_domain;
    rln_text domain_name;
    rln_text name;
    rln_text field; /**< Of a group; else none. */
    rln_text unit;
    rln_text scope; /**< The field's own, or the counter's. */
    uint64_t id;    /**< NVTX's. */
    uint32_t process;
    uint32_t pid;
    uint32_t order;     /**< Of a group's fields, among others. */
    uint8_t value_type; /**< rln_value_type, of what was sampled. */
    uint8_t holds;      /**< rln_interpolation. */
    uint64_t n_samples; /**< With a value. */
    uint64_t n_gaps;
    uint8_t type;      /**< Of the next three: RLN_PAYLOAD_I64, _U64 or _DOUBLE. */
    uint64_t min_bits; /**< 0 as the others, if there is no sample. */
    uint64_t max_bits;
    uint64_t last_bits;
    double mean;     /**< Over time if is_time_weighted, else over the samples. */
    double integral; /**< Units times seconds; only if is_time_weighted. */
    uint8_t is_time_weighted; /**< The program said where values hold. */
} rln_counter_row;

/** A number that ranges of a name carry: their plain payload, or a field of their
 * extended ones. Library-owned; grows at its end. Ranges that nobody closed do not
 * count, nor do those whose number is infinite or none. */
typedef struct rln_payload_row {
    uint8_t is_default_domain;
    rln_text domain_name;
    rln_text message;
    rln_text field; /**< "a.b" of one in a struct; none for a payload without fields. */
    uint32_t order; /**< Of fields, among others. */
    uint64_t n_ranges;
    uint8_t type; /**< Of the next two: RLN_PAYLOAD_I64, _U64 or _DOUBLE. */
    uint64_t min_bits;
    uint64_t max_bits;
    double total;
    double mean;
    uint64_t total_ns;  /**< Of the ranges. */
    double ns_per_unit; /**< total_ns / total; only if has_ns_per_unit. */
    double
        correlation; /**< Pearson's, of value and duration; only if has_correlation. */
    uint8_t has_ns_per_unit;
    uint8_t has_correlation; /**< Neither is always the same. */
} rln_payload_row;

/** What makes a rank: see rln_rank. Values are never renumbered. */
typedef enum rln_rank_kind {
    RLN_RANK_OF_JOB = 1, /**< A rank of MPI, Slurm or torchrun, as processes say. */
    RLN_RANK_TRACE = 2,  /**< None says so: each trace is one. */
    RLN_RANK_PROCESS = 3 /**< And there is one trace: each process is one. */
} rln_rank_kind;

/** What is compared with its like. Library-owned; grows at its end. */
typedef struct rln_rank {
    rln_rank_kind kind; /**< That of all. */
    uint32_t number;    /**< In the job; of the part, from 0; the pid of a process. */
    uint32_t part;      /**< Of its first process: index for rln_info_part(). */
    uint64_t n_ranges;
} rln_rank;

/** All ranges of one domain and message, of both styles, on all ranks. One that ran
 * none has a total of 0, and counts in the mean and as the least. Library-owned; grows
 * at its end. Open, lost and other ranges count as in rln_stats_row. */
typedef struct rln_rank_row {
    uint8_t is_default_domain;
    rln_text domain_name;
    rln_text message;
    size_t n_ranks; /**< That ran any. */
    uint64_t n_ranges;
    uint64_t total_ns;
    uint64_t min_ns; /**< The total of the rank that has the least... */
    uint64_t max_ns; /**< ...and of the one that has the most. */
    double mean_ns;
    double imbalance; /**< max_ns / mean_ns - 1; 0 if all take as long. */
    size_t least;     /**< Index for rln_sums_rank(); of equal ones the first. */
    size_t most;
} rln_rank_row;

/** What one rank has of a row. */
typedef struct rln_rank_share {
    uint64_t n_ranges;
    uint64_t total_ns;
} rln_rank_share;

/**
 * Reads the traces, in the order of time, and sums up what `which` asks for.
 *
 * Ownership: the caller owns `*out` and frees it with rln_sums_free(), before the
 *            reader. On failure `*out` is NULL.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_NOMEM, RLN_ERR_IO.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_sums_new(rln_reader *reader, unsigned which,
                                              rln_sums **out, rln_error *err);

/**
 * Frees sums.
 *
 * Ownership: its rows end here. NULL is accepted.
 * Threads:   as rln_reader_open().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API void rln_sums_free(rln_sums *sums);

/**
 * Gives a row of marks; the most frequent come first, equal ones by domain and message.
 *
 * Ownership: borrowed until rln_sums_free(); its text until the reader is closed.
 * Threads:   any, while nobody frees it.
 * Errors:    NULL behind the last row, or if marks were not asked for.
 * Since:     0.1
 */
RLN_API const rln_mark_row *rln_sums_mark(const rln_sums *sums, size_t index);

/**
 * Gives a row of categories; the longest total comes first.
 *
 * Ownership: borrowed until rln_sums_free(); its text until the reader is closed.
 * Threads:   any, while nobody frees it.
 * Errors:    NULL behind the last row, or if categories were not asked for.
 * Since:     0.1
 */
RLN_API const rln_category_row *rln_sums_category(const rln_sums *sums, size_t index);

/**
 * Gives a row of counters, by domain, name, process and field.
 *
 * Ownership: borrowed until rln_sums_free(); its text until the reader is closed.
 * Threads:   any, while nobody frees it.
 * Errors:    NULL behind the last row, or if counters were not asked for.
 * Since:     0.1
 */
RLN_API const rln_counter_row *rln_sums_counter(const rln_sums *sums, size_t index);

/**
 * Gives a row of payloads; those of the longest total of durations come first.
 *
 * Ownership: borrowed until rln_sums_free(); its text until the reader is closed.
 * Threads:   any, while nobody frees it.
 * Errors:    NULL behind the last row, or if payloads were not asked for.
 * Since:     0.1
 */
RLN_API const rln_payload_row *rln_sums_payload(const rln_sums *sums, size_t index);

/**
 * Gives a row of synchronisation objects; those that were waited for longest come
 * first.
 *
 * Ownership: borrowed until rln_sums_free(); its text until the reader is closed.
 * Threads:   any, while nobody frees it.
 * Errors:    NULL behind the last row, or if they were not asked for.
 * Since:     0.1
 */
RLN_API const rln_sync_row *rln_sums_sync(const rln_sums *sums, size_t index);

/**
 * Gives a rank, by number.
 *
 * Ranks are those of a job if any process of the traces is one; processes that are none
 * are then left out. Where each process is one, those without ranges do not count.
 *
 * Ownership: borrowed until rln_sums_free().
 * Threads:   any, while nobody frees it.
 * Errors:    NULL behind the last one, or if ranks were not asked for.
 * Since:     0.1
 */
RLN_API const rln_rank *rln_sums_rank(const rln_sums *sums, size_t index);

/**
 * Gives a row of ranks; the longest total comes first, equal ones by domain and
 * message.
 *
 * Ownership: borrowed until rln_sums_free(); its text until the reader is closed.
 * Threads:   any, while nobody frees it.
 * Errors:    NULL behind the last row, or if ranks were not asked for.
 * Since:     0.1
 */
RLN_API const rln_rank_row *rln_sums_rank_row(const rln_sums *sums, size_t index);

/**
 * Says what rank `rank` has of row `row`.
 *
 * Ownership: none.
 * Threads:   any, while nobody frees it.
 * Errors:    all zero if there is no such row or rank.
 * Since:     0.1
 */
RLN_API rln_rank_share rln_sums_rank_share(const rln_sums *sums, size_t row,
                                           size_t rank);

#ifdef __cplusplus
}
#endif

#endif
