/* SPDX-License-Identifier: Apache-2.0 */
/* info_count.h - counts the events of a trace for its description. */
#ifndef RLN_REPORTS_CHECK_INFO_COUNT_H
#define RLN_REPORTS_CHECK_INFO_COUNT_H

#include "reports/check/info.h"

/* The entry of a thread or domain, all zero at first; NULL: no memory. */
rln_thread_info *rln__info_thread(rln_info *info, uint32_t thread);
rln_domain_info *rln__info_domain(rln_info *info, uint32_t domain);

rln_status rln__info_count(rln_info *info, rln_error *err);

#endif
