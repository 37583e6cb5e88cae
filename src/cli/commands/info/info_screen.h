/* SPDX-License-Identifier: Apache-2.0 */
/* info_screen.h - prints the contents of a trace for people, on one screen. */
#ifndef RLN_CLI_COMMANDS_INFO_SCREEN_H
#define RLN_CLI_COMMANDS_INFO_SCREEN_H

#include "base/buf.h"
#include "rangeline/model.h"
#include "reports/summary/stats.h"
#include "trace/open/schema_catalog.h"

void rln__info_screen(struct rln__buf *buf, const rln_info *info,
                      const struct rln__schema_catalog *registered,
                      const struct rln__stats_totals *ranges);

#endif
