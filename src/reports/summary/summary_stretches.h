/* SPDX-License-Identifier: Apache-2.0 */
/* summary_stretches.h - reads a summary's trace on several processors.
 *
 *   reader     names      durations, over all its stretches  --+--> those of the summary
 *   stretch    paths      below "around" nodes             ----+
 *              leftover   pops, pushes, starts and ends      --+--> its engine
 *
 * The "around" node of a thread stands for whatever range is innermost outside.
 */
#ifndef RLN_REPORTS_SUMMARY_SUMMARY_STRETCHES_H
#define RLN_REPORTS_SUMMARY_SUMMARY_STRETCHES_H

#include "reports/summary/summary.h"
#include "trace/order/scan.h"

/* How the summary reads what stretches leave over: one item, and the rest of a chunk, as
 * rln__scan_chunk() would. */
struct rln__summary_rest {
    rln__visit *visit;
    rln_status (*read_on)(void *summary, struct rln__scan *scan, rln_error *err);
};

/* Reads all items of a whole trace, except deferred events. RLN_END: only
 * rln__scan_all() can, with a new summary. */
rln_status rln__summary_read_stretches(struct rln__summary *summary,
                                       const struct rln__summary_rest *rest,
                                       rln_error *err);

#endif
