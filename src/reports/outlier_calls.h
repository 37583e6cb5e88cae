/* SPDX-License-Identifier: Apache-2.0 */
/* outlier_calls.h - the report `outliers` of one range. */
#ifndef RLN_REPORTS_OUTLIER_CALLS_H
#define RLN_REPORTS_OUTLIER_CALLS_H

#include "reports/report_build.h"

/* As rln__report_builder, with columns of its own. */
rln_status rln__build_outlier_calls(const struct rln__report_source *source,
                                    rln_report *out);

#endif
