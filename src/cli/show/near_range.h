/* SPDX-License-Identifier: Apache-2.0 */
/* near_range.h - suggests another range for a report of a range that finds none. */
#ifndef RLN_CLI_SHOW_NEAR_RANGE_H
#define RLN_CLI_SHOW_NEAR_RANGE_H

#include "rangeline/reader.h"
#include "reports/report_build.h"

/* Hints at the range whose name is nearest to `range`, or at all that are alike without
 * their numbers. Prints nothing if there is none, or if the range exists. */
void rln__hint_near_range(rln_reader *reader, const struct rln__report_info *about,
                          const char *range);

#endif
