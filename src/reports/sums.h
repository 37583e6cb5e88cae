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

#include "reports/category_sum.h"
#include "reports/counter_sum.h"
#include "reports/mark_sum.h"
#include "reports/payload_sum.h"
#include "reports/rank_sum.h"
#include "reports/sync_sum.h"

/* Sums over the opened traces: those that need time order, or names as text.
 *
 *   events in time order --> marks, counters
 *   ranges as they end ----> categories, synchronization objects, payloads, ranks
 *
 * Each has its own file, with the report of it, and owns its rows. Where it takes more
 * than the row to compute it, an item has the row first and then the rest. */
struct rln__sums {
    struct rln__mark_sum marks;
    struct rln__category_sum categories;
    struct rln__sync_sum sync;
    struct rln__counter_sum counters;
    struct rln__payload_sum payloads;
    struct rln__rank_sum ranks;
};

/* What to sum up; bits. */
enum {
    RLN__SUM_MARKS = 1,
    RLN__SUM_CATEGORIES = 2,
    RLN__SUM_SYNC = 4,
    RLN__SUM_COUNTERS = 8,
    RLN__SUM_PAYLOADS = 16,
    RLN__SUM_RANKS = 32
};

/* Reads the traces, in time order, and computes the sums selected by `which`. */
rln_status rln__sums_new(rln_reader *reader, unsigned which, struct rln__sums **out,
                         rln_error *err);

/* Frees sums. */
void rln__sums_free(struct rln__sums *sums);

#endif
