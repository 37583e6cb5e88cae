/* SPDX-License-Identifier: Apache-2.0 */
/* info_screen.h - prints the contents of a trace for people, on one screen. */
#ifndef RLN_CLI_COMMANDS_INFO_SCREEN_H
#define RLN_CLI_COMMANDS_INFO_SCREEN_H

#include "base/buf.h"
#include "rangeline/model.h"
#include "rangeline/schema_catalog.h"
#include "rangeline/stats.h"

void rln__info_screen(struct rln__buf *buf, const rln_info *info,
                      const rln_schema_catalog *registered,
                      const rln_stats_totals *ranges);

#endif
