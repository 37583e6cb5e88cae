/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_paths_reports.h - parts of reports that paths give.
 *
 *   wholes of paths --> by name --> rln__stats      rows --> by rank --> rln__sums
 *                   --> rln__tree
 */
#ifndef RLN_REDUCE_REDUCED_PATHS_REPORTS_H
#define RLN_REDUCE_REDUCED_PATHS_REPORTS_H

#include "reduce/reduced_paths.h"

rln_status rln__reduced_paths_report(const void *paths,
                                     const struct rln__reduced_ranks *ranks,
                                     struct rln__report_parts *parts, rln_error *err);

#endif
