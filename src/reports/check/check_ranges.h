/* SPDX-License-Identifier: Apache-2.0 */
/* check_ranges.h - pops, ends, crossing and open ranges. */
#ifndef RLN_REPORTS_CHECK_CHECK_RANGES_H
#define RLN_REPORTS_CHECK_CHECK_RANGES_H

#include "reports/check/check_findings.h"

rln_status rln__check_ranges(struct rln_check *check, rln_error *err);

#endif
