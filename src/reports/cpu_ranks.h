/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_ranks.h - how long the ranges of each name were on a processor, rank by rank. */
#ifndef RLN_REPORTS_CPU_RANKS_H
#define RLN_REPORTS_CPU_RANKS_H

#include "reports/sums.h"

/* As rln__sums_new() with RLN__SUM_RANKS, of the time on a processor, as far as it is
 * known. Fails if a trace has no context switches, or only
 * readings of clocks: ranks would differ in what is unknown. */
rln_status rln__cpu_ranks_new(rln_reader *reader, struct rln__sums **out,
                              rln_error *err);

#endif
