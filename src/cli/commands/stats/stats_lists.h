/* SPDX-License-Identifier: Apache-2.0 */
/* stats_lists.h - lists what `stats` can print, for --help-reports and --help-formats.
 */
#ifndef RLN_CLI_COMMANDS_STATS_LISTS_H
#define RLN_CLI_COMMANDS_STATS_LISTS_H

#include "console/args.h"

/* All reports, or what those mean that the operands name. Returns the exit status, as
 * the next. */
int rln__stats_list_reports(const struct rln__args *args);
int rln__stats_list_formats(const struct rln__args *args);
/* For the manual. */
bool rln__stats_report_at(size_t index, struct rln__topic *out);

#endif
