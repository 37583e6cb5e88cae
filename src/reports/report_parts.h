/* SPDX-License-Identifier: Apache-2.0 */
/* report_parts.h - what reports are made of, from sums that were computed elsewhere: of
 * a summary, or merged from several files.
 *
 *   rows of names --> rln__stats --+
 *   paths ----------> rln__tree ---+--> rln__reports
 *   shares of ranks > rln__sums ---+
 *   ranges of a name, on each rank +
 *   GPUs of ranks, collectives ----+
 */
#ifndef RLN_REPORTS_REPORT_PARTS_H
#define RLN_REPORTS_REPORT_PARTS_H

#include "reports/gpu/collectives.h"
#include "reports/gpu/gpu_use.h"
#include "reports/rank_steps.h"
#include "reports/report_set.h"
#include "reports/summary/stats.h"
#include "reports/summary/tree.h"
#include "reports/sums.h"

/* Sorts the rows, which it takes, and whose text is borrowed. */
rln_status rln__stats_make(struct rln__stats_row *rows, size_t n,
                           const struct rln__stats_totals *totals,
                           struct rln__stats **out, rln_error *err);

/* A node before it has its index in the tree. [0] encloses all others. */
struct rln__tree_item {
    struct rln__tree_node
        node;        /* without `parent` and `level`; `thread` only of a thread */
    uint32_t parent; /* index of an item before it; 0: an outermost one */
    uint8_t is_thread;
    uint8_t is_omitted; /* as all items below it */
};

/* Omits items without calls of their own or below them. */
void rln__tree_omit(struct rln__tree_item *items, size_t n);

/* Puts the items in the order in which a tree is read. */
rln_status rln__tree_make(const struct rln__tree_item *items, size_t n,
                          struct rln__tree **out, rln_error *err);

/* Whether a report with this argument, or NULL, needs only parts, of which the steps
 * are those of `steps`, or NULL for none. */
int rln__report_needs_only_parts(const struct rln__report_info *about,
                                 const char *argument, const char *steps);

/* What single reports read themselves if there are traces: a line each. X(type, member)
 * is a struct rln__<type>, empty when zeroed, that rln__<type>_clear() clears. Rows of
 * GPUs are of ranks, by number, in any order. */
#define RLN__SINGLE_PARTS(X)                                                           \
    X(rank_steps, steps)                                                               \
    X(gpu_rows, gpus)                                                                  \
    X(collectives, collectives)

/* What reports are made of, owned. */
struct rln__report_parts {
    struct rln__stats *stats; /* NULL: no report needs it, as the next two */
    struct rln__tree *tree;
    struct rln__sums *sums;
#define X(type, member) struct rln__##type member;
    RLN__SINGLE_PARTS(X)
#undef X
    int is_restricted; /* a filter may be why something is missing */
};

void rln__report_parts_clear(struct rln__report_parts *parts);

/* Takes `parts`. */
rln_status rln__reports_make(struct rln__report_parts *parts,
                             const rln_report_request *requests, size_t n_requests,
                             struct rln__reports **out, rln_error *err);

#endif
