/* SPDX-License-Identifier: Apache-2.0 */
/* sums.h - computes sums over marks, categories, synchronization objects, counters,
 * payloads and ranks.
 *
 *     rln__sums *sums;
 *     const rln__mark_row *row;
 *
 *     if (rln__sums_new(reader, RLN__SUM_MARKS, &sums, &error) == RLN_OK)
 *         for (size_t i = 0; (row = rln__sums_mark(sums, i)); i++)
 *             ...
 */
#ifndef RLN_REPORTS_SUMS_H
#define RLN_REPORTS_SUMS_H

#include "rangeline/model.h"

/* Sums over the opened traces. */
struct rln__sums;

/* What to sum up; bits. */
enum {
    RLN__SUM_MARKS = 1,
    RLN__SUM_CATEGORIES = 2,
    RLN__SUM_SYNC = 4,
    RLN__SUM_COUNTERS = 8,
    RLN__SUM_PAYLOADS = 16,
    RLN__SUM_RANKS = 32
};

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

/* What threads did with one synchronization object.
 *
 * A wait or hold that has not ended is timed up to the last event of its trace. */
struct rln__sync_row {
    uint8_t is_default_domain;
    rln_text domain_name;
    rln_text name;
    uint64_t object;
    uint32_t process;
    uint32_t pid;
    uint32_t n_threads;  /* Threads that waited for it, held it or released it. */
    uint64_t n_waits;    /* How often a thread began to wait. */
    uint64_t n_gave_up;  /* How often a thread stopped waiting without it. */
    uint64_t n_acquired; /* How often a thread got it, with or without a wait. */
    uint64_t waiting_ns, max_waiting_ns;
    uint64_t holding_ns, max_holding_ns;
};

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

/* What rln__sums_rank() counts as a rank. */
enum rln__rank_kind {
    RLN__RANK_OF_JOB = 1,   /* A rank of MPI, Slurm or torchrun, by the environment. */
    RLN__RANK_OF_TRACE = 2, /* Without ranks of a job: each trace. */
    RLN__RANK_OF_PROCESS =
        3 /* In a single trace without ranks of a job: each process. */
};

/* One of the compared ranks. */
struct rln__rank {
    enum rln__rank_kind kind; /* The same for all ranks. */
    uint32_t number;          /* The rank in the job, the part's index, or the pid. */
    uint32_t part;            /* Of its first process: index for rln_info_part(). */
    uint64_t n_ranges;
};

/* All ranges of one domain and message, of both styles, on all ranks. A rank without
 * such ranges has a total of 0, which counts for the mean and the minimum. Open, lost
 * and other ranges count as in rln__stats_row. */
struct rln__rank_row {
    uint8_t is_default_domain;
    rln_text domain_name;
    rln_text message;
    size_t n_ranks; /* Ranks with such ranges. */
    uint64_t n_ranges;
    uint64_t total_ns;
    uint64_t min_ns; /* The smallest total of a rank. */
    uint64_t max_ns; /* The largest total of a rank. */
    double mean_ns;
    double imbalance; /* max_ns / mean_ns - 1; 0 if all are equal. */
    size_t least;     /* Rank with `min_ns`: index for rln__sums_rank(), the first if
                         equal. */
    size_t most;      /* Rank with `max_ns`, likewise. */
};

/* One rank's share of a row. */
struct rln__rank_share {
    uint64_t n_ranges;
    uint64_t total_ns;
};

/* Reads the traces, in time order, and computes the sums selected by `which`. */
rln_status rln__sums_new(rln_reader *reader, unsigned which, struct rln__sums **out,
                         rln_error *err);

/* Frees sums. */
void rln__sums_free(struct rln__sums *sums);

/* Gives a row of marks; the most frequent come first, equal ones by domain and message.
 * NULL past the last row, or if marks were not requested. */
const struct rln__mark_row *rln__sums_mark(const struct rln__sums *sums, size_t index);

/* Gives a row of categories; the longest total comes first. NULL past the last row, or
 * if categories were not requested. */
const struct rln__category_row *rln__sums_category(const struct rln__sums *sums,
                                                   size_t index);

/* Gives a row of counters, by domain, name, process and field. NULL past the last row,
 * or if counters were not requested. */
const struct rln__counter_row *rln__sums_counter(const struct rln__sums *sums,
                                                 size_t index);

/* Gives a row of payloads; the longest total duration comes first. NULL past the last
 * row, or if payloads were not requested. */
const struct rln__payload_row *rln__sums_payload(const struct rln__sums *sums,
                                                 size_t index);

/* Gives a row of synchronization objects; the longest waiting time comes first. NULL
 * past the last row, or if they were not requested. */
const struct rln__sync_row *rln__sums_sync(const struct rln__sums *sums, size_t index);

/* Gives a rank, by number.
 *
 * If any process of the traces is a rank of a job, ranks are those of the job, and
 * other processes do not count. If each process is a rank, processes without ranges do
 * not count. NULL past the last one, or if ranks were not requested. */
const struct rln__rank *rln__sums_rank(const struct rln__sums *sums, size_t index);

/* Gives a row of ranks; the longest total comes first, equal ones by domain and
 * message. NULL past the last row, or if ranks were not requested. */
const struct rln__rank_row *rln__sums_rank_row(const struct rln__sums *sums,
                                               size_t index);

/* Gives the share of rank `rank` in row `row`. */
struct rln__rank_share rln__sums_rank_share(const struct rln__sums *sums, size_t row,
                                            size_t rank);

#endif
