/* SPDX-License-Identifier: Apache-2.0 */
/* check_trace.h - domains, losses, the clock and damage. */
#ifndef RLN_REPORTS_CHECK_CHECK_TRACE_H
#define RLN_REPORTS_CHECK_CHECK_TRACE_H

#include "reports/check/check_findings.h"

rln_status rln__check_trace(struct rln_check *check, const rln_info *info,
                            rln_error *err);

#endif
