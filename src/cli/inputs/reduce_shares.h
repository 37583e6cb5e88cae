/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_shares.h - reads the inputs of `reduce` into sums, in several threads.
 *
 *   inputs   0 1 2 3 4 5 ...
 *   shares   0 2 4 ... --> sums --+
 *            1 3 5 ... --> sums --+--merge--> sums
 *
 * Each thread has one trace open. Which of them reads a trace does not matter for the
 * result, and outcomes are reported in the order of the inputs.
 */
#ifndef RLN_CLI_INPUTS_REDUCE_SHARES_H
#define RLN_CLI_INPUTS_REDUCE_SHARES_H

#include <stdbool.h>

#include "cli/inputs/input_files.h"
#include "reduce/reduced.h"

#define RLN__MOST_SHARES 64

struct rln__shares {
    const struct rln__file_names *inputs; /* borrowed, like the next */
    const struct rln__reduced_options *options;
    unsigned n; /* 1 to RLN__MOST_SHARES */
};

struct rln__shares_result {
    struct rln__reduced *sums; /* owned by the caller */
    size_t n_read, n_unreadable, n_damaged;
};

/* The option --jobs, without its group. */
#define RLN__JOBS_OPTION                                                               \
    .name = "jobs", .letter = 'j', .kind = RLN__ARG_COUNT, .value = "N",               \
    .range = "1 to 64",                                                                \
    .help = "read N inputs at a time; default: as many as there are processors, at "   \
            "most 8"

/* How many shares of so many inputs use the processors that this process may use, of
 * which each takes memory: at most 8. */
unsigned rln__usual_shares(size_t n_inputs);

/* Reads all and merges them. Complains of each input that is unreadable or damaged, and
 * exits 1 if sums cannot be read or merged. */
void rln__shares_read(const struct rln__shares *shares, struct rln__shares_result *out);

#endif
