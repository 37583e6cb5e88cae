/* SPDX-License-Identifier: Apache-2.0 */
/* summary_run.h - the fast path through a trace, for its most common records. */
#ifndef RLN_REPORTS_SUMMARY_SUMMARY_RUN_H
#define RLN_REPORTS_SUMMARY_SUMMARY_RUN_H

#include "trace/order/scan.h"

/* A rln__visit_run for a summary without window and filter: takes marks, pushes, and
 * pops of ranges pushed in the same run. */
rln_status rln__summary_run(void *summary, const struct rln__run *run, size_t *n_taken,
                            uint64_t *last_word, rln_error *err);

#endif
