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
    int has_cpu_times;           /* rows and paths have what their time was made of */
    struct rln__sums *cpu_ranks; /* as of rln__cpu_ranks_new(); or NULL */
    const char *no_cpu_ranks;    /* why there are none; static */
#define X(type, member) struct rln__##type member;
    RLN__SINGLE_PARTS(X)
#undef X
    int is_restricted; /* a filter may be why something is missing */
};

void rln__report_parts_clear(struct rln__report_parts *parts);

#endif
