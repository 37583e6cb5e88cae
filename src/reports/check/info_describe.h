/* SPDX-License-Identifier: Apache-2.0 */
/* info_describe.h - describes the parts, processes and threads that were counted. */
#ifndef RLN_REPORTS_CHECK_INFO_DESCRIBE_H
#define RLN_REPORTS_CHECK_INFO_DESCRIBE_H

#include "reports/check/info.h"

rln_status rln__info_describe(rln_info *info, rln_error *err);

#endif
