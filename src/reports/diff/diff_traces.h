/* SPDX-License-Identifier: Apache-2.0 */
/* diff_traces.h - a side of a comparison that is traces. */
#ifndef RLN_REPORTS_DIFF_DIFF_TRACES_H
#define RLN_REPORTS_DIFF_DIFF_TRACES_H

#include "reports/diff/diff.h"

/* Reads the traces of a side, each of which is a run; only while `reader` is open.
 *
 * Keeps four bytes per range. The tests use at most 200,000 ranges per path and side,
 * evenly chosen. */
rln_status rln__diff_add_traces(struct rln__diff *diff, int side, rln_reader *reader,
                                rln_error *err);

#endif
