/* SPDX-License-Identifier: Apache-2.0 */
/* info_json.h - what `rangeline info --json` prints: docs/reference/JSON.md. */
#ifndef RLN_CLI_COMMANDS_INFO_JSON_H
#define RLN_CLI_COMMANDS_INFO_JSON_H

#include "base/buf.h"
#include "rangeline/model.h"
#include "reports/summary/stats.h"
#include "trace/open/schema_catalog.h"

void rln__json_info(struct rln__buf *buf, const rln_info *info,
                    const struct rln__schema_catalog *registered,
                    const struct rln__stats_totals *ranges);

#endif
