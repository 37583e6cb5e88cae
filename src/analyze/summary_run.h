/* SPDX-License-Identifier: Apache-2.0 */
/* summary_run.h - the fast way through a trace, for what most of it is. */
#ifndef RLN_ANALYZE_SUMMARY_RUN_H
#define RLN_ANALYZE_SUMMARY_RUN_H

#include "model/scan.h"

/* A rln__visit_run of a summary of everything: marks, pushes, and pops of ranges that
 * nothing is known of but where they began. */
rln_status rln__summary_run(void *summary, const struct rln__run *run, size_t *n_taken,
                            rln_error *err);

#endif
