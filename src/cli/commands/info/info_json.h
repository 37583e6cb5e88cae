/* SPDX-License-Identifier: Apache-2.0 */
/* info_json.h - what `rangeline info --json` prints: docs/reference/JSON.md. */
#ifndef RLN_CLI_COMMANDS_INFO_JSON_H
#define RLN_CLI_COMMANDS_INFO_JSON_H

#include "base/buf.h"
#include "rangeline/model.h"
#include "rangeline/schema_catalog.h"
#include "rangeline/stats.h"

void rln__json_info(struct rln__buf *buf, const rln_info *info,
                    const rln_schema_catalog *registered,
                    const rln_stats_totals *ranges);

#endif
