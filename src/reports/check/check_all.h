/* SPDX-License-Identifier: Apache-2.0 */
/* check_all.h - looks for findings of every kind and lists them, as
 * include/rangeline/finding.h says. */
#ifndef RLN_REPORTS_CHECK_CHECK_ALL_H
#define RLN_REPORTS_CHECK_CHECK_ALL_H

#include "rangeline/finding.h"

/* Gives the description of the traces: the threads and domains that findings name by
 * index. */
const rln_info *rln__check_info(const rln_check *check);

#endif
