/* SPDX-License-Identifier: Apache-2.0 */
/* rank_sum.h - ranges of each name on each rank: one of the sums that sums.c feeds. */
#ifndef RLN_REPORTS_RANK_SUM_H
#define RLN_REPORTS_RANK_SUM_H

#include "ranges/range_names.h"

struct rln__sums;

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

/* A process without any range is a helper such as a shell, not a rank that waits. */
static inline int rln__rank_is_compared(const struct rln__rank *rank)
{
    return rank->kind != RLN__RANK_OF_PROCESS || rank->n_ranges > 0;
}

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

/* Results are 0, or -1 when there is no memory. */

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

/* Gives the share of rank `rank` in row `row`. All zero if there is no such row or
 * rank. */
struct rln__rank_share rln__sums_rank_share(const struct rln__sums *sums, size_t row,
                                            size_t rank);

#endif
