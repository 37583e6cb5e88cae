/* SPDX-License-Identifier: Apache-2.0 */
/* sync_sum.h - what threads did with each synchronization object: one of the sums that sums.c feeds. */
#ifndef RLN_REPORTS_SYNC_SUM_H
#define RLN_REPORTS_SYNC_SUM_H

#include "base/key_index.h"
#include "rangeline/model.h"

struct rln__sums;

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

struct rln__sync_sum {
    struct rln__key_index keys;
    struct rln__key_index threads; /* row, thread */
    struct rln__sync_row *rows;    /* owned */
    size_t n, capacity;
};

/* Results are 0, or -1 when there is no memory. */

int rln__sync_sum_add(struct rln__sync_sum *sum, const rln_range *range);
void rln__sync_sum_end(struct rln__sync_sum *sum);
void rln__sync_sum_clear(struct rln__sync_sum *sum);

/* Gives a row of synchronization objects; the longest waiting time comes first. NULL
 * past the last row, or if they were not requested. */
const struct rln__sync_row *rln__sums_sync(const struct rln__sums *sums, size_t index);

#endif
